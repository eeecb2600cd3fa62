import BoundedCache
import Flights
import HTTPSemantics
import PosterCodec

/// Answers requests for posters: from memory; or else, once the original is known (from memory, the disk or its origin),
/// from the variant store or by rendering.
///
/// Equal work is shared: one read or fetch for each original, one render for each variant. It ends when no request wants
/// its result any more.
public final class PosterPipeline: Sendable {
    /// Settings of a pipeline.
    public struct Policies: Sendable {
        package var freshness = FreshnessPolicy()
        /// How long a missing or unusable original is not fetched again, and how long a render that exceeded its CPU
        /// time is not tried again; 30 s by default.
        package var failureDuration = PosterPipeline.defaultFailureDuration
        /// Limits of rendering ahead at targets that were requested of other posters; `nil` disables it.
        package var ladderAhead: LadderAheadLimits?
        /// Which frequently used variants are encoded again; `nil` disables it.
        package var reencoding: ReencodingLimits?
        /// Which variants are worth storing in the variant store.
        package var variantStore = VariantStoreLimits()
        /// Memory for decoding originals while they arrive, in bytes: their bytes so far and their decoders. 64 MiB by
        /// default; 0 decodes each original when it is complete.
        package var earlyByteLimit = PosterPipeline.defaultEarlyByteLimit

        package init() {}
    }

    let library: OriginalLibrary
    let variants: VariantCache
    /// `nil` without a variant store.
    let stored: StoredVariants?
    let planes: PlaneCache
    let scheduler: RenderScheduler
    let describer: OriginalDescriber
    /// `nil` if no variants are encoded again.
    let reencoder: Reencoder?
    let counters: PipelineCounters
    /// `nil` without other nodes.
    let gate: EventGate?
    /// Targets of requests that were not answered from memory.
    package let targets = FrequentRenderTargets()

    package static let defaultFailureDuration = Duration.seconds(30)
    package static let defaultEarlyByteLimit = 64 << 20

    /// - Parameters:
    ///   - variantStore: The second level of the variant cache; `nil` without one.
    ///   - reencodingThreads: Run re-encodings, and should have the lowest priority; `nil` disables re-encoding.
    package init(
        originals: OriginalPorts, renderer: VariantRenderer, variants: VariantCache,
        variantStore: (any VariantStore)? = nil, planes: PlaneCache = PlaneCache(byteBudget: 0),
        policies: Policies = Policies(), reencodingThreads: BoundedThreadPool? = nil, environment: PipelineEnvironment
    ) {
        let counters = PipelineCounters(metrics: environment.metrics)
        self.counters = counters
        self.gate = originals.gate
        var renderer = renderer
        renderer.failures = NegativeCache(
            countLimit: VariantRenderer.failureLimit, timeToLive: policies.failureDuration, now: environment.now)
        let context = RenderContext(
            renderer: renderer, table: SharedRenderTable(), planes: planes, targets: self.targets, counters: counters)
        let early = EarlyRenderRegistry(context, byteLimit: policies.earlyByteLimit, now: environment.now)
        let library = OriginalLibrary(
            originals, freshness: policies.freshness, failureDuration: policies.failureDuration, counters: counters,
            environment: environment,
            whenRemoved: { id, digest in
                planes.remove(digest)
                variantStore?.removeAll(of: id, digest: digest)
            }, observing: { early.observing($0, of: $1) })
        self.library = library
        self.variants = variants
        self.stored = variantStore.map { store in
            StoredVariants(
                store: store, limits: policies.variantStore, variants: variants, library: library, counters: counters)
        }
        self.planes = planes
        if policies.ladderAhead != nil { planes.keepAll() }
        self.scheduler = RenderScheduler(
            context, early: early, variants: variants, stored: self.stored,
            ahead: policies.ladderAhead.map { limits in
                LadderAhead(
                    limits: limits, variants: variants, threadCount: renderer.threads.count, counters: counters,
                    now: environment.now)
            }, library: library)
        self.describer = OriginalDescriber(library: library, renderer: renderer)
        self.reencoder =
            if let limits = policies.reencoding, let reencodingThreads {
                Reencoder(
                    limits: limits,
                    encoder: VariantReencoder(
                        renderer: renderer, planes: planes, library: library, threads: reencodingThreads),
                    variants: variants, stored: self.stored, environment: environment)
            } else {
                nil
            }
    }

    /// The response from memory; synchronous, safe from any thread. A stale original is revalidated in the background
    /// (RFC 5861).
    ///
    /// - Returns: `nil` if something must be fetched, read or rendered.
    package func cachedResponse(to query: PosterQuery) throws(PosterError) -> PosterResponse? {
        var choice: VariantChoice?
        return try self.cachedResponse(to: query, choice: &choice)
    }

    /// As ``cachedResponse(to:)``.
    /// - Parameter choice: The result of an earlier call for an equal request, or `nil`; reused while it is valid.
    ///   Updated by this call.
    package func cachedResponse(
        to query: PosterQuery, choice: inout VariantChoice?
    ) throws(PosterError) -> PosterResponse? {
        if let gate, !gate.isOpen { return nil }
        let request = query.request
        guard let (facts, state, staleness) = self.library.known(request.id) else {
            if let failure = self.library.failures.value(for: request.id) { throw failure }
            return nil
        }
        let provenance = Provenance(reach: .cache, staleness: staleness, original: state)
        switch request.rendition {
        case .original:
            let tag = EntityTag(hexadecimal: facts.digest.description)
            return query.isCurrent(tag) ? .notModified(tag, provenance) : nil
        case .variant(let target):
            let current =
                if let choice, choice.key.digest == facts.digest { choice } else {
                    try VariantChoice(target, request, facts)
                }
            choice = current
            // While the original is stale, a response from memory does not wait for the revalidation.
            return self.cachedResponse(
                to: query, from: current, provenance, awaitsStored: staleness == nil, comparesPossibleTags: true)
        }
    }

    /// The response, after fetching, reading and rendering as needed.
    package func response(to query: PosterQuery) async throws -> PosterResponse {
        let (id, level) = (query.request.id, query.level)
        return try await self.onceOpen(self.gate, for: id) {
            do {
                guard case .variant(let target) = query.request.rendition else {
                    return try await self.currentResponse(to: query)
                }
                if level == .interactive { self.targets.note(target, of: id) }
                return try await self.scheduler.announcing([target], of: id, level: level) {
                    try await self.currentResponse(to: query)
                }
            } catch is OriginalBytes.Unreadable {
                throw PosterError.unreadableOriginal
            } catch let error as PosterError {
                guard case .overloaded = error else { throw error }
                self.counters.count(.overloaded)
                guard let response = self.staleResponse(to: query) else { throw error }
                return response
            }
        }
    }

    /// The response of the current original, with a second attempt if the original is replaced or dropped meanwhile.
    /// - Throws: The error of the last attempt.
    private func currentResponse(to query: PosterQuery) async throws -> PosterResponse {
        do {
            if let response = try await self.responseWithoutOriginal(to: query) { return response }
        } catch is OriginalBytes.Unreadable {
            // The planes or the stored variant are gone, and the original has been replaced.
        }
        do {
            if let response = try await self.responseFromOriginal(to: query, isLast: false) { return response }
            // The original was replaced during the render: the result of a second attempt is served in any case.
        } catch is OriginalBytes.Unreadable {
            // The store has dropped the original: fetches it again from its origin.
        }
        // Never `nil`: the last attempt responds in any case.
        return try await self.responseFromOriginal(to: query, isLast: true)!
    }

    // MARK: Variants

    /// The response after loading the original from the store or its origin.
    /// - Parameter isLast: Whether to respond even if the original was replaced during the render.
    /// - Returns: `nil` if the original was replaced during the render.
    private func responseFromOriginal(to query: PosterQuery, isLast: Bool) async throws -> PosterResponse? {
        let retrieval = try await self.library.original(query.request.id, level: query.level)
        let original = retrieval.original
        var provenance = self.library.provenance(of: retrieval)
        provenance.isShared = retrieval.wasFetched && retrieval.isShared
        provenance.timings.fetch = retrieval.fetchNanoseconds
        provenance.validationStatus = retrieval.validationStatus
        switch query.request.rendition {
        case .original:
            provenance.isStored = retrieval.stored.isStored
            let tag = EntityTag(hexadecimal: original.digest.description)
            return query.isCurrent(tag) ? .notModified(tag, provenance) : .original(original, tag, provenance)
        case .variant(let target):
            return try await self.variantResponse(to: query, target, of: original, provenance, isLast: isLast)
        }
    }

    /// The response without opening the original, if that is fresh and its planes are in memory or the variant may be
    /// stored.
    /// - Returns: `nil` otherwise, or if the original was replaced during the render.
    /// - Throws: ``OriginalBytes/Unreadable`` if the planes or the variant are gone and the original was replaced.
    private func responseWithoutOriginal(to query: PosterQuery) async throws -> PosterResponse? {
        let request = query.request
        guard self.planes.byteBudget > 0 || self.stored != nil, case .variant(let target) = request.rendition,
            let (facts, state, staleness) = self.library.known(request.id), staleness == nil
        else { return nil }
        if self.planes.planes(of: facts.digest)?.serves(target) != true {
            let choice = try VariantChoice(target, request, facts)
            guard self.mayBeStored(choice.preferred?.key) || self.mayBeStored(choice.key) else { return nil }
        }
        return try await self.variantResponse(
            to: query, target, of: .unopened(request.id, facts),
            Provenance(reach: .cache, staleness: nil, original: state), isLast: false)
    }

    /// The response with a variant from the variant store, from memory, or rendered, in this order.
    /// - Parameters:
    ///   - target: The target of the query's request.
    ///   - provenance: The provenance of the original.
    ///   - isLast: Whether to respond even if the original was replaced during the render.
    /// - Returns: `nil` if the original was replaced during the render.
    private func variantResponse(
        to query: PosterQuery, _ target: RenderTarget, of original: Original, _ provenance: Provenance, isLast: Bool
    ) async throws -> PosterResponse? {
        let choice = try VariantChoice(target, query.request, original.facts)
        if let stored = try await self.storedPreference(for: query, from: choice, of: original, provenance) {
            return stored
        }
        let cached = self.cachedResponse(
            to: query, from: choice, provenance, awaitsStored: false, comparesPossibleTags: true)
        if let cached { return cached }
        let (rendered, isShared) = try await self.render(original, as: target, key: choice.key, level: query.level)
        guard isLast || rendered.isCurrent else {
            self.counters.count(.discarded)
            return nil
        }
        var provenance = provenance
        let awaited = choice.awaited(by: self.reencoder)
        provenance.isProvisional = awaited != nil
        // The request is the variant's first use.
        if query.level == .interactive, rendered.isCached {
            self.reencoder?.note(
                hits: 0, awaited ?? VariantChoice.refinement(of: rendered.poster, choice.key, target))
        }
        provenance.add(rendered, isShared: isShared)
        return .variant(rendered.poster, provenance)
    }
}
