public import CoreMetrics
public import Flights
public import HTTPSemantics
public import Logging
public import PosterCodec

/// Walks a request through memory, disk and origin.
///
/// Two flights keep equal work from being done twice: one per original, one per variant. Each ends when the last
/// request that waits for it has been cancelled.
public final class PosterPipeline: Sendable {
    /// What a pipeline decides by.
    public struct Policies: Sendable {
        /// How long originals are used without asking.
        public var freshness = FreshnessPolicy()
        /// For how long an original that does not exist or is no usable picture, or a render that took too much CPU time, is
        /// not tried again.
        public var failureDuration = PosterPipeline.defaultFailureDuration

        /// The defaults.
        public init() {}
    }

    let library: OriginalLibrary
    let variants: VariantCache
    private let renderer: VariantRenderer
    private let renders = SingleFlight<VariantKey, RenderedPoster>()
    let describer: OriginalDescriber
    let descriptions: DescriptionsBehind
    private let placeholders: Placeholders
    let counters: PipelineCounters

    /// How long a picture that could not be used is not tried again, unless configured otherwise.
    public static let defaultFailureDuration = Duration.seconds(30)

    /// - Parameters:
    ///   - now: A monotonic time in nanoseconds.
    ///   - secondsSince1970: The time of day, which freshness is counted in; see ``AnchoredClock``.
    ///   - metrics: Where is counted what happens.
    public init(
        locator: any PosterLocator, store: any OriginalStore, source: any OriginalSource, renderer: VariantRenderer,
        variants: VariantCache, policies: Policies = Policies(), logger: Logger, now: @escaping @Sendable () -> UInt64,
        secondsSince1970: @escaping @Sendable () -> Int64 = AnchoredClock.make(),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.counters = PipelineCounters(metrics: metrics)
        self.library = OriginalLibrary(
            locator: locator, store: store, source: source, freshness: policies.freshness,
            failureDuration: policies.failureDuration, logger: logger, now: now, secondsSince1970: secondsSince1970,
            counters: self.counters)
        let renderer = renderer.remembering(for: policies.failureDuration, now: now)
        self.renderer = renderer
        self.variants = variants
        let describer = OriginalDescriber(library: self.library, renderer: renderer)
        self.describer = describer
        self.descriptions = DescriptionsBehind(library: self.library, describer: describer)
        self.placeholders = Placeholders(renderer: renderer)
    }

    /// Cancels what goes on behind answers. Answers that are under way end with their clients.
    public func close() {
        self.descriptions.close()
        self.library.close()
    }

    /// How many requests wait for an original.
    public func originalWaiterCount(for id: PosterID) -> Int {
        self.library.waiterCount(for: id)
    }

    /// How many requests wait for a render.
    public var renderWaiterCount: Int { self.renders.waiterCount }

    /// How many renders have been finished since the start.
    public var renderCount: Int { self.counters.value(of: .rendered) }

    /// The answer that needs no work: synchronous, without a task, for any thread. An original that turns out to be stale
    /// is asked for behind.
    ///
    /// - Parameter isCurrent: Whether the client holds what this tag names.
    /// - Returns: nil when there is something to fetch, read or render.
    /// - Throws: ``PosterError``.
    public func knownAnswer(
        to request: PosterRequest, isCurrent: (EntityTag) -> Bool
    ) throws(PosterError) -> PosterAnswer? {
        guard let (facts, state, staleness) = self.library.known(request.id) else {
            if let failure = self.library.failure(of: request.id) { throw failure }
            return nil
        }
        let provenance = Provenance(reach: .cache, staleness: staleness, original: state)
        switch request.rendition {
        case .original:
            let tag = EntityTag(hexadecimal: facts.digest.description)
            return isCurrent(tag) ? .notModified(tag, provenance) : nil
        case .variant(let target):
            let key = try VariantKey.of(request.id, facts, target)
            return self.cached(key, provenance: provenance, isCurrent: isCurrent)
        }
    }

    /// The answer, with whatever work it takes.
    ///
    /// - Parameters:
    ///   - level: How soon it is wanted.
    ///   - isCurrent: Whether the client holds what this tag names.
    /// - Throws: ``PosterError``, or `CancellationError` when the caller was cancelled.
    public func answer(
        to request: PosterRequest, level: Urgency.Level = .interactive, isCurrent: @Sendable (EntityTag) -> Bool
    ) async throws -> PosterAnswer {
        do {
            do {
                if let answer = try await self.currentAnswer(
                    to: request, level: level, isCurrent: isCurrent, isLast: false)
                {
                    return answer
                }
                // Other bytes took the place of those that were rendered. Once more, and then it is what it is.
                self.counters.count(.discarded)
            } catch is OriginalBytes.Unreadable {
                // The store has dropped it: once more, from its origin.
            }
            return try await self.currentAnswer(to: request, level: level, isCurrent: isCurrent, isLast: true)!
        } catch is OriginalBytes.Unreadable {
            throw PosterError.unreadableOriginal
        } catch let error as PosterError {
            guard case .overloaded = error else { throw error }
            self.counters.count(.overloaded)
            guard let answer = self.staleVariant(for: request, isCurrent: isCurrent) else { throw error }
            return answer
        }
    }

    /// What is told of a poster's original.
    ///
    /// - Throws: ``PosterError``, or `CancellationError` when the caller was cancelled.
    public func info(for id: PosterID) async throws -> PictureInfo {
        try await self.description(of: id).info
    }

    /// The same, with what else is known of it.
    ///
    /// - Throws: As ``info(for:)``.
    public func description(of id: PosterID) async throws -> PosterDescription {
        try await self.describer.description(of: id)
    }

    /// A picture of at most 32 pixels a side and about a kilobyte, made of a poster's hash.
    ///
    /// - Parameter format: Not JPEG, whose tables alone take most of that.
    /// - Throws: As ``description(of:)``.
    public func placeholder(of description: PosterDescription, format: OutputFormat) async throws -> Poster {
        try await self.placeholders.placeholder(of: description, format: format)
    }

    /// Forgets a poster: its original, its variants, and that it could not be had.
    ///
    /// - Returns: Whether an original was stored.
    /// - Throws: ``PosterError/storageFailed(reason:)``, `CancellationError`.
    @discardableResult
    public func purge(_ id: PosterID) async throws -> Bool {
        let digest = self.library.lastKnown(id)?.facts.digest
        let wasStored = try await self.library.purge(id)
        if let digest { self.describer.forget(digest) }
        self.variants.removeAll(of: id)
        return wasStored
    }

    /// Answers nothing from memory any more that is of these sources; what is on disk stays there.
    ///
    /// - Parameter sources: All that are gone, in place of those of the last call. To be called when the locator knows them
    ///   no more.
    public func forget(sources: Set<String>) {
        self.library.directory.withdraw(sources)
        self.variants.removeAll(of: sources)
    }
}

// MARK: Variants

extension PosterPipeline {
    /// - Parameter isLast: Whether to answer with what was rendered even if it has a successor by now.
    /// - Returns: nil when what was rendered has a successor.
    private func currentAnswer(
        to request: PosterRequest, level: Urgency.Level, isCurrent: @Sendable (EntityTag) -> Bool, isLast: Bool
    ) async throws -> PosterAnswer? {
        let arrival = try await self.library.original(request.id, level: level)
        var provenance = Provenance(
            reach: arrival.wasFetched ? .origin : .cache, isShared: arrival.wasFetched && arrival.isShared,
            staleness: arrival.staleness, original: self.library.state(of: arrival))
        provenance.timings.fetch = arrival.fetchNanoseconds
        provenance.validationStatus = arrival.validationStatus
        let original = arrival.original
        switch request.rendition {
        case .original:
            provenance.isStored = arrival.isStored
            let tag = EntityTag(hexadecimal: original.digest.description)
            return isCurrent(tag) ? .notModified(tag, provenance) : .original(original, tag, provenance)
        case .variant(let target):
            let key = try VariantKey.of(request.id, original.facts, target)
            if let answer = self.cached(key, provenance: provenance, isCurrent: isCurrent) { return answer }
            let answer = try await self.render(original, as: target, key: key, level: level, provenance: provenance)
            return isLast || self.library.isCurrent(original) ? answer : nil
        }
    }

    /// - Parameter provenance: How far the request went to get here.
    private func cached(
        _ key: VariantKey, provenance: Provenance, isCurrent: (EntityTag) -> Bool
    ) -> PosterAnswer? {
        if let poster = self.variants.poster(for: key) {
            self.counters.count(provenance.staleness == nil ? .hit : .staleHit)
            if isCurrent(poster.entityTag) { return .notModified(poster.entityTag, provenance) }
            return .variant(poster, provenance)
        }
        var provenance = provenance
        provenance.isStored = false
        let tag = key.entityTag
        return isCurrent(tag) ? .notModified(tag, provenance) : nil
    }

    /// What can be shown when there is no room for making what is current: the variant of the same request of an original
    /// that is too old to be shown otherwise, or that has a successor.
    private func staleVariant(for request: PosterRequest, isCurrent: (EntityTag) -> Bool) -> PosterAnswer? {
        guard case .variant(let target) = request.rendition, let known = self.library.lastKnown(request.id) else {
            return nil
        }
        // Of the bytes before, nobody knows any more when they were changed.
        let before = known.previous.map { OriginalState(digest: $0.digest, age: known.state.age) }
        for (facts, state, seconds) in [
            (known.facts, known.state, known.staleSeconds), (known.previous, before, 0),
        ] {
            guard let facts, let key = try? VariantKey.of(request.id, facts, target),
                let poster = self.variants.poster(for: key)
            else { continue }
            let provenance = Provenance(
                reach: .cache, staleness: Staleness(seconds: seconds, reason: .overloaded), original: state)
            self.counters.count(.staleHit)
            return isCurrent(poster.entityTag)
                ? .notModified(poster.entityTag, provenance) : .variant(poster, provenance)
        }
        return nil
    }

    private func render(
        _ original: Original, as target: RenderTarget, key: VariantKey, level: Urgency.Level, provenance: Provenance
    ) async throws -> PosterAnswer {
        self.counters.count(.missed)
        let landing = try await self.renders.value(for: key, level: level) { urgency in
            // Another flight may have landed between the miss and the joining.
            if let poster = self.variants.poster(for: key) { return RenderedPoster(poster: poster, timings: .init()) }
            do {
                let rendered = try await self.renderer.render(original, as: target, key: key, urgency: urgency)
                self.counters.count(.rendered)
                self.keep(rendered.poster, of: original, for: key, target: target)
                return rendered
            } catch let error as CancellationError {
                self.counters.count(.cancelled)
                throw error
            } catch let error as CodecError {
                await self.library.reject(original, because: error)
                throw PosterError(error)
            }
        }
        if landing.hasJoined { self.counters.count(.coalesced) }
        var provenance = provenance
        if provenance.reach == .cache { provenance.reach = .disk }
        provenance.isShared = provenance.isShared || landing.hasJoined
        provenance.isStored = self.variants.contains(key)
        provenance.timings.decode = landing.value.timings.decode + landing.value.timings.resample
        provenance.timings.encode = landing.value.timings.encode
        return .variant(landing.value.poster, provenance)
    }

    /// Keeps a variant in place of the one of the bytes before; what has a successor itself by now is not kept.
    private func keep(_ poster: Poster, of original: Original, for key: VariantKey, target: RenderTarget) {
        guard self.library.isCurrent(original) else { return }
        self.variants.insert(poster, for: key)
        guard let previous = self.library.lastKnown(original.id)?.previous,
            let old = try? VariantKey.of(original.id, previous, target)
        else { return }
        self.variants.remove(old)
    }
}

extension VariantKey {
    /// - Throws: ``PosterError/tooLarge(reason:)``.
    static func of(_ id: PosterID, _ facts: OriginalFacts, _ target: RenderTarget) throws(PosterError) -> VariantKey {
        do { return try VariantKey(id: id, facts: facts, target: target) } catch { throw PosterError(error) }
    }
}
