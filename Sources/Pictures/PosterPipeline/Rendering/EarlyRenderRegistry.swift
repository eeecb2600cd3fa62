import PosterCodec
import Synchronization

/// The originals that are decoded while they arrive, each for waiting requests. Safe from any thread.
final class EarlyRenderRegistry: Sendable {
    let renderer: VariantRenderer
    let table: SharedRenderTable
    let counters: PipelineCounters
    let budget: EarlyBudget
    let now: @Sendable () -> UInt64
    private let planes: PlaneCache
    private let targets: FrequentRenderTargets
    /// The latest render of each poster, until a job takes it or its last waiter leaves.
    private let renders = Mutex<[PosterID: EarlyRender]>([:])

    /// - Parameter byteLimit: Total memory in bytes; 0 disables early decoding.
    init(_ context: RenderContext, byteLimit: Int, now: @escaping @Sendable () -> UInt64) {
        self.renderer = context.renderer
        self.table = context.table
        self.planes = context.planes
        self.targets = context.targets
        self.counters = context.counters
        self.budget = EarlyBudget(
            countLimit: EarlyBudget.placesPerThread * context.renderer.threads.count, byteLimit: byteLimit)
        self.now = now
    }

    /// The decode with retained planes, and memory for these; `nil` if none are to be retained.
    func retaining(_ decode: DecodeSharing.Decode) -> (decode: DecodeSharing.Decode, pool: PlaneMemoryPool)? {
        guard let costFactor = self.planes.costFactor(for: nil) else { return nil }
        let retaining = decode.retaining(
            ladder: self.targets.ladder, byteLimit: self.planes.entryLimit, costFactor: costFactor,
            limits: self.renderer.limits)
        return retaining.job.retention == nil ? nil : (retaining, self.planes.pool)
    }

    /// Wraps a draft so that its bytes are decoded while they are appended.
    func observing(_ draft: any OriginalDraft, of id: PosterID) -> any OriginalDraft {
        self.budget.byteLimit > 0 ? ObservedDraft(draft, of: id, registry: self) : draft
    }

    /// Begins to store an original's bytes.
    /// - Parameter byteCount: The length declared by the origin.
    /// - Returns: `nil` if the original is too small or too large, no request waits for it, or there is no memory.
    fileprivate func begin(_ id: PosterID, byteCount: Int) -> EarlyRender? {
        guard byteCount >= EarlyRender.leastByteCount,
            byteCount <= min(self.renderer.limits.maxBytes, self.budget.byteLimit), self.table.isWanted(id),
            let (bytes, memory) = self.renderer.decoder.arrivingBytes(declaredCount: byteCount)
        else { return nil }
        let render = EarlyRender(id, bytes, in: memory, byteCount: byteCount, registry: self)
        guard self.budget.take(byteCount, for: render, at: self.now()) else { return nil }
        self.renders.withLock { $0.updateValue(render, forKey: id) }?.end()
        return render
    }

    /// A decode that belongs to a job; its memory stays charged until the render is ended.
    struct Taken {
        let render: EarlyRender
        let decode: EarlyRender.Decode
    }

    /// Hands the early decode of an original over to a job.
    func take(_ id: PosterID, digest: Digest) -> Taken? {
        // The digest excludes a poster that is being fetched again while its stored original is served.
        self.renders.withLock { renders in
            guard let render = renders[id], let decode = render.take(digest) else { return nil }
            renders[id] = nil
            return Taken(render: render, decode: decode)
        }
    }

    fileprivate func end(_ render: EarlyRender) {
        self.renders.withLock { if $0[render.id] === render { $0[render.id] = nil } }
        render.end()
    }

    func endUnwanted(_ id: PosterID) {
        guard let render = self.renders.withLock({ $0[id] }), !self.table.isWanted(id) else { return }
        self.end(render)
    }
}

/// A draft that also decodes its bytes, if the origin declares their number.
private final class ObservedDraft: OriginalDraft {
    private let draft: any OriginalDraft
    private let id: PosterID
    private let registry: EarlyRenderRegistry
    private let render = Mutex<EarlyRender?>(nil)

    init(_ draft: any OriginalDraft, of id: PosterID, registry: EarlyRenderRegistry) {
        self.draft = draft
        self.id = id
        self.registry = registry
    }

    func expect(byteCount: Int) {
        self.draft.expect(byteCount: byteCount)
        self.end()
        let render = self.registry.begin(self.id, byteCount: byteCount)
        self.render.withLock { $0 = render }
    }

    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // An original that cannot be stored is not served.
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
            if !render.confirm(stored.original) { self.registry.end(render) }
            // The last waiter may have left while the render began.
            self.registry.endUnwanted(self.id)
        }
        return stored
    }

    func discard() async {
        self.end()
        await self.draft.discard()
    }

    private func end() {
        if let render = self.render.withLock({ $0.take() }) { self.registry.end(render) }
    }
}
