import Flights
public import Logging
import PosterCodec
import Synchronization

/// Walks a request through memory, disk and origin.
///
/// Two flights keep equal work from being done twice: one per original, one per variant. Each ends when the last
/// request that waits for it has been cancelled.
public final class PosterPipeline: Sendable {
    private let library: OriginalLibrary
    private let renderer: VariantRenderer
    private let variants: VariantCache
    private let renders = SingleFlight<VariantKey, RenderedPoster>()
    private let describer: OriginalDescriber
    private let finishedRenders = Atomic<Int>(0)

    /// How long a picture that could not be used is not tried again, unless configured otherwise.
    public static let defaultFailureDuration = Duration.seconds(30)

    /// - Parameters:
    ///   - failureDuration: For how long an original that is no usable picture, or a render that took too much CPU
    ///     time, is not tried again.
    ///   - now: A monotonic time in nanoseconds.
    public init(
        locator: any PosterLocator, store: any OriginalStore, source: any OriginalSource, renderer: VariantRenderer,
        variants: VariantCache, failureDuration: Duration = PosterPipeline.defaultFailureDuration, logger: Logger,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.library = OriginalLibrary(
            locator: locator, store: store, source: source, failureDuration: failureDuration, logger: logger, now: now)
        let renderer = renderer.remembering(for: failureDuration, now: now)
        self.renderer = renderer
        self.variants = variants
        self.describer = OriginalDescriber(library: self.library, renderer: renderer)
    }

    /// How many requests wait for an original.
    public func originalWaiterCount(for id: PosterID) -> Int {
        self.library.waiterCount(for: id)
    }

    /// How many requests wait for a render.
    public var renderWaiterCount: Int { self.renders.waiterCount }

    /// How many renders have been finished since the start.
    public var renderCount: Int { self.finishedRenders.load(ordering: .relaxed) }

    /// The answer that needs no work: synchronous, without a task, for any thread.
    ///
    /// - Parameter isCurrent: Whether the client holds what this tag names.
    /// - Returns: nil when there is something to fetch, read or render.
    /// - Throws: ``PosterError``.
    public func knownAnswer(
        to request: PosterRequest, isCurrent: (EntityTag) -> Bool
    ) throws(PosterError) -> PosterAnswer? {
        guard let facts = self.library.facts(for: request.id) else {
            if let failure = self.library.failure(of: request.id) { throw failure }
            return nil
        }
        switch request.rendition {
        case .original:
            let tag = EntityTag(original: facts.digest)
            return isCurrent(tag) ? .notModified(tag, Provenance(reach: .cache)) : nil
        case .variant(let target):
            let key = try self.key(for: request.id, facts: facts, target: target)
            return self.cached(key, provenance: Provenance(reach: .cache), isCurrent: isCurrent)
        }
    }

    /// The answer, with whatever work it takes.
    ///
    /// - Parameter isCurrent: Whether the client holds what this tag names.
    /// - Throws: ``PosterError``, or `CancellationError` when the caller was cancelled.
    public func answer(
        to request: PosterRequest, isCurrent: @Sendable (EntityTag) -> Bool
    ) async throws -> PosterAnswer {
        let arrival = try await self.library.original(request.id)
        var provenance = Provenance(
            reach: arrival.wasFetched ? .origin : .cache, isShared: arrival.wasFetched && arrival.isShared)
        provenance.timings.fetch = arrival.fetchNanoseconds
        let original = arrival.original
        switch request.rendition {
        case .original:
            let tag = EntityTag(original: original.digest)
            return isCurrent(tag) ? .notModified(tag, provenance) : .original(original, tag, provenance)
        case .variant(let target):
            let key = try self.key(for: request.id, facts: original.facts, target: target)
            if let answer = self.cached(key, provenance: provenance, isCurrent: isCurrent) { return answer }
            return try await self.render(original, as: target, key: key, provenance: provenance)
        }
    }

    /// What is told of a poster's original.
    ///
    /// - Throws: ``PosterError``, or `CancellationError` when the caller was cancelled.
    public func info(for id: PosterID) async throws -> PictureInfo {
        try await self.describer.info(for: id)
    }

    private func key(
        for id: PosterID, facts: OriginalFacts, target: RenderTarget
    ) throws(PosterError) -> VariantKey {
        do { return try VariantKey(id: id, facts: facts, target: target) } catch { throw PosterError(error) }
    }

    /// - Parameter provenance: How far the request went to get here.
    private func cached(
        _ key: VariantKey, provenance: Provenance, isCurrent: (EntityTag) -> Bool
    ) -> PosterAnswer? {
        if let poster = self.variants.poster(for: key) {
            if isCurrent(poster.entityTag) { return .notModified(poster.entityTag, provenance) }
            return .variant(poster, provenance)
        }
        var provenance = provenance
        provenance.isStored = false
        let tag = key.entityTag
        return isCurrent(tag) ? .notModified(tag, provenance) : nil
    }

    private func render(
        _ original: Original, as target: RenderTarget, key: VariantKey, provenance: Provenance
    ) async throws -> PosterAnswer {
        let landing = try await self.renders.value(for: key) {
            // Another flight may have landed between the miss and the joining.
            if let poster = self.variants.poster(for: key) { return RenderedPoster(poster: poster, timings: .init()) }
            do {
                let rendered = try await self.renderer.render(original, as: target, key: key)
                self.finishedRenders.add(1, ordering: .relaxed)
                self.variants.insert(rendered.poster, for: key)
                return rendered
            } catch let error as CodecError {
                await self.library.reject(original, because: error)
                throw PosterError(error)
            }
        }
        var provenance = provenance
        if provenance.reach == .cache { provenance.reach = .disk }
        provenance.isShared = provenance.isShared || landing.hasJoined
        provenance.isStored = self.variants.contains(key)
        provenance.timings.decode = landing.value.timings.decode + landing.value.timings.resample
        provenance.timings.encode = landing.value.timings.encode
        return .variant(landing.value.poster, provenance)
    }
}
