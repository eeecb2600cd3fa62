import PosterCodec
import Synchronization

/// The originals that are decoded while they arrive, each for requests that wait for it. Safe from any thread.
final class EarlyRenders: Sendable {
    let renderer: VariantRenderer
    let wanted: WantedTargets
    let counters: PipelineCounters
    let budget: EarlyBudget
    let now: @Sendable () -> UInt64
    private let planes: PlaneCache
    private let targets: FrequentRenderTargets
    /// The last of each poster, from its first byte until a job takes it or its last waiter has left.
    private let renders = Mutex<[PosterID: EarlyRender]>([:])

    /// - Parameters:
    ///   - planes: Gets what stays of the decodes.
    ///   - targets: What is often requested of posters.
    ///   - byteLimit: Of all together; 0 decodes no original before it is there.
    init(
        renderer: VariantRenderer, wanted: WantedTargets, planes: PlaneCache, targets: FrequentRenderTargets,
        counters: PipelineCounters, byteLimit: Int, now: @escaping @Sendable () -> UInt64
    ) {
        self.planes = planes
        self.targets = targets
        self.renderer = renderer
        self.wanted = wanted
        self.counters = counters
        self.budget = EarlyBudget(
            countLimit: EarlyBudget.placesPerThread * renderer.threads.count, byteLimit: byteLimit)
        self.now = now
    }

    /// The decode of which planes stay, and memory for these; nil when none do.
    func retaining(_ decode: DecodeSharing.Decode) -> (decode: DecodeSharing.Decode, pool: PlaneMemoryPool)? {
        guard let costFactor = self.planes.costFactor(for: nil) else { return nil }
        let retaining = decode.retaining(
            ladder: self.targets.ladder, byteLimit: self.planes.entryLimit, costFactor: costFactor,
            limits: self.renderer.limits)
        return retaining.job.retention == nil ? nil : (retaining, self.planes.pool)
    }

    /// A draft of a poster whose bytes are decoded while they are appended.
    func observing(_ draft: any OriginalDraft, of id: PosterID) -> any OriginalDraft {
        self.budget.byteLimit > 0 ? ObservedDraft(draft, of: id, renders: self) : draft
    }

    /// Begins to keep an original's bytes.
    /// - Parameter byteCount: What its origin has declared.
    /// - Returns: nil when it has no waiter, is too small, or there is no memory.
    fileprivate func begin(_ id: PosterID, byteCount: Int) -> EarlyRender? {
        guard byteCount >= EarlyRender.leastByteCount,
            byteCount <= min(self.renderer.limits.maxBytes, self.budget.byteLimit), self.wanted.isWanted(id),
            let (bytes, memory) = self.renderer.arrivingBytes(declaredCount: byteCount)
        else { return nil }
        let render = EarlyRender(id, bytes, in: memory, byteCount: byteCount, renders: self)
        guard self.budget.take(byteCount, for: render, at: self.now()) else { return nil }
        self.renders.withLock { $0.updateValue(render, forKey: id) }?.end()
        return render
    }

    /// A decode that belongs to a job; its memory stays in the budget until the render is ended.
    struct Taken {
        let render: EarlyRender
        let decode: EarlyRender.Decode
    }

    /// What was decoded of an original while it arrived, for one job.
    func take(_ id: PosterID, digest: Digest) -> Taken? {
        // Not of one that is arriving again while what is stored is served.
        self.renders.withLock { renders in
            guard let render = renders[id], let decode = render.take(digest) else { return nil }
            renders[id] = nil
            return Taken(render: render, decode: decode)
        }
    }

    /// Ends a render.
    fileprivate func end(_ render: EarlyRender) {
        self.renders.withLock { if $0[render.id] === render { $0[render.id] = nil } }
        render.end()
    }

    /// Ends what is decoded of a poster without waiters.
    func endUnwanted(_ id: PosterID) {
        guard let render = self.renders.withLock({ $0[id] }), !self.wanted.isWanted(id) else { return }
        self.end(render)
    }
}

/// A draft whose bytes are also decoded, when their origin declares how many there are.
private final class ObservedDraft: OriginalDraft {
    private let draft: any OriginalDraft
    private let id: PosterID
    private let renders: EarlyRenders
    private let render = Mutex<EarlyRender?>(nil)

    init(_ draft: any OriginalDraft, of id: PosterID, renders: EarlyRenders) {
        self.draft = draft
        self.id = id
        self.renders = renders
    }

    func expect(byteCount: Int) {
        self.draft.expect(byteCount: byteCount)
        self.end()
        let render = self.renders.begin(self.id, byteCount: byteCount)
        self.render.withLock { $0 = render }
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Without its draft an original is not served.
        guard self.draft.append(bytes) else {
            self.end()
            return false
        }
        self.render.withLock { $0 }?.append(bytes)
        return true
    }

    func restart() -> Bool {
        self.end()
        return self.draft.restart()
    }

    func commit(
        validators: Validators, freshness: Freshness, declaredLength: Int?
    ) async throws -> StoredOriginal {
        let stored = try await self.draft.commit(
            validators: validators, freshness: freshness, declaredLength: declaredLength)
        let render = self.render.withLock { $0.take() }
        if let render {
            if !render.confirm(stored.original) { self.renders.end(render) }
            // Who waited may have left just when it began.
            self.renders.endUnwanted(self.id)
        }
        return stored
    }

    func discard() async {
        self.end()
        await self.draft.discard()
    }

    private func end() {
        if let render = self.render.withLock({ $0.take() }) { self.renders.end(render) }
    }
}
