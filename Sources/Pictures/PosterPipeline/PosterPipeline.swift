import BoundedCache
package import CoreMetrics
package import Flights
package import HTTPSemantics
package import Logging
import PosterCodec

/// Answers requests for posters from memory, disk or origin, in this order.
///
/// Equal work is shared: one flight per original, one per variant. A flight is cancelled with its last waiter.
public final class PosterPipeline: Sendable {
    /// Settings of a pipeline.
    public struct Policies: Sendable {
        package var freshness = FreshnessPolicy()
        /// For how long an original that does not exist or is no usable picture, or a render that took too much CPU
        /// time, is not tried again.
        package var failureDuration = PosterPipeline.defaultFailureDuration

        package init() {}
    }

    let library: OriginalLibrary
    let variants: VariantCache
    private let renderer: VariantRenderer
    let renders = SingleFlight<VariantKey, RenderedPoster>()
    let describer: OriginalDescriber
    let counters: PipelineCounters

    package static let defaultFailureDuration = Duration.seconds(30)

    package init(
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
        var renderer = renderer
        renderer.failures = NegativeCache(
            countLimit: VariantRenderer.failureLimit, timeToLive: policies.failureDuration, now: now)
        self.renderer = renderer
        self.variants = variants
        self.describer = OriginalDescriber(library: self.library, renderer: renderer)
    }

    /// The response from memory; synchronous, for any thread. A stale original is revalidated in the background (RFC
    /// 5861).
    ///
    /// - Parameter isCurrent: Whether the client holds what this tag names.
    /// - Returns: nil when there is something to fetch, read or render.
    package func cachedResponse(
        to request: PosterRequest, isCurrent: (EntityTag) -> Bool
    ) throws(PosterError) -> PosterResponse? {
        guard let (facts, state, staleness) = self.library.known(request.id) else {
            if let failure = self.library.failures.value(for: request.id) { throw failure }
            return nil
        }
        let provenance = Provenance(reach: .cache, staleness: staleness, original: state)
        switch request.rendition {
        case .original:
            let tag = EntityTag(hexadecimal: facts.digest.description)
            return isCurrent(tag) ? .notModified(tag, provenance) : nil
        case .variant(let target):
            let key = try VariantKey(id: request.id, facts: facts, target: target)
            if let cached = self.cached(key, provenance: provenance, isCurrent: isCurrent) { return cached }
            let tag = key.entityTag
            return isCurrent(tag) ? .notModified(tag, provenance.unstored) : nil
        }
    }

    /// The response, after fetching, reading and rendering as needed.
    /// - Parameter isCurrent: Whether the client holds what this tag names.
    package func response(
        to request: PosterRequest, level: Urgency.Level = .interactive, isCurrent: @Sendable (EntityTag) -> Bool
    ) async throws -> PosterResponse {
        do {
            do {
                if let response = try await self.currentResponse(
                    to: request, level: level, isCurrent: isCurrent, isLast: false)
                {
                    return response
                }
                // The original was replaced during the render: one more attempt, whose result is served in any case.
                self.counters.count(.discarded)
            } catch is OriginalBytes.Unreadable {
                // The store has dropped it: once more, from its origin.
            }
            return try await self.currentResponse(to: request, level: level, isCurrent: isCurrent, isLast: true)!
        } catch is OriginalBytes.Unreadable {
            throw PosterError.unreadableOriginal
        } catch let error as PosterError {
            guard case .overloaded = error else { throw error }
            self.counters.count(.overloaded)
            guard let response = self.staleVariant(for: request, isCurrent: isCurrent) else { throw error }
            return response
        }
    }

    // MARK: Variants

    /// - Parameter isLast: Whether to respond even if the original was replaced during the render.
    /// - Returns: nil when the original was replaced during the render.
    private func currentResponse(
        to request: PosterRequest, level: Urgency.Level, isCurrent: @Sendable (EntityTag) -> Bool, isLast: Bool
    ) async throws -> PosterResponse? {
        let retrieval = try await self.library.original(request.id, level: level)
        let original = retrieval.original
        var provenance = self.library.provenance(of: retrieval)
        provenance.isShared = retrieval.wasFetched && retrieval.isShared
        provenance.timings.fetch = retrieval.fetchNanoseconds
        provenance.validationStatus = retrieval.validationStatus
        switch request.rendition {
        case .original:
            provenance.isStored = retrieval.stored.isStored
            let tag = EntityTag(hexadecimal: original.digest.description)
            return isCurrent(tag) ? .notModified(tag, provenance) : .original(original, tag, provenance)
        case .variant(let target):
            let key = try VariantKey(id: request.id, facts: original.facts, target: target)
            if let cached = self.cached(key, provenance: provenance, isCurrent: isCurrent) { return cached }
            let tag = key.entityTag
            if isCurrent(tag) { return .notModified(tag, provenance.unstored) }
            let rendered = try await self.render(original, as: target, key: key, tag: tag, level: level)
            guard isLast || rendered.value.isCurrent else { return nil }
            provenance.add(rendered)
            return .variant(rendered.value.poster, provenance)
        }
    }

    private func cached(
        _ key: VariantKey, provenance: Provenance, isCurrent: (EntityTag) -> Bool
    ) -> PosterResponse? {
        guard let poster = self.variants.poster(for: key) else { return nil }
        self.counters.count(provenance.staleness == nil ? .hit : .staleHit)
        return isCurrent(poster.entityTag)
            ? .notModified(poster.entityTag, provenance) : .variant(poster, provenance)
    }

    /// The fallback under overload: a cached variant of an original that is too stale otherwise, or of the previous
    /// bytes.
    private func staleVariant(for request: PosterRequest, isCurrent: (EntityTag) -> Bool) -> PosterResponse? {
        guard case .variant(let target) = request.rendition, let known = self.library.lastKnown(request.id) else {
            return nil
        }
        // When the previous bytes were changed is not recorded any more.
        let before = known.previous.map { OriginalState(digest: $0.digest, age: known.state.age) }
        for (facts, state, seconds) in [
            (known.facts, known.state, known.staleSeconds), (known.previous, before, 0),
        ] {
            guard let facts, let key = try? VariantKey(id: request.id, facts: facts, target: target) else { continue }
            let provenance = Provenance(
                reach: .cache, staleness: Staleness(seconds: seconds, reason: .overloaded), original: state)
            if let cached = self.cached(key, provenance: provenance, isCurrent: isCurrent) { return cached }
        }
        return nil
    }

    /// Renders a variant, in one flight for all requests with the same key.
    private func render(
        _ original: Original, as target: RenderTarget, key: VariantKey, tag: EntityTag, level: Urgency.Level
    ) async throws -> SingleFlight<VariantKey, RenderedPoster>.SharedValue {
        self.counters.count(.missed)
        let shared = try await self.renders.value(for: key, level: level) { urgency in
            // Another flight may have ended between the miss and the joining.
            if let poster = self.variants.poster(for: key) {
                return RenderedPoster(
                    poster: poster, timings: .init(), isStored: true, isCurrent: self.library.isCurrent(original))
            }
            do {
                var rendered = try await self.renderer.render(original, as: target, tag: tag, urgency: urgency)
                self.counters.count(.rendered)
                self.store(&rendered, of: original, for: key, target: target)
                return rendered
            } catch let error as CancellationError {
                self.counters.count(.cancelled)
                throw error
            } catch let error as CodecError {
                await self.library.reject(original, because: error)
                throw PosterError(error)
            }
        }
        if shared.hasJoined { self.counters.count(.coalesced) }
        return shared
    }

    /// Caches a variant in place of the one of the bytes before, unless other bytes have taken the original's place.
    private func store(
        _ rendered: inout RenderedPoster, of original: Original, for key: VariantKey, target: RenderTarget
    ) {
        let known = self.library.metadata.entry(for: original.id)
        rendered.isCurrent = known == nil || known?.facts.digest == original.digest
        guard rendered.isCurrent else { return }
        rendered.isStored = self.variants.insert(rendered.poster, for: key)
        guard let previous = known?.previous,
            let old = try? VariantKey(id: original.id, facts: previous, target: target)
        else { return }
        self.variants.remove(old)
    }
}

extension Provenance {
    /// Of a response that is not cached.
    fileprivate var unstored: Provenance {
        var provenance = self
        provenance.isStored = false
        return provenance
    }

    fileprivate mutating func add(_ rendered: SingleFlight<VariantKey, RenderedPoster>.SharedValue) {
        if self.reach == .cache { self.reach = .disk }
        self.isShared = self.isShared || rendered.hasJoined
        self.isStored = rendered.value.isStored
        self.timings.decode = rendered.value.timings.decode + rendered.value.timings.resample
        self.timings.encode = rendered.value.timings.encode
    }
}
