import PosterCodec
import PosterPipeline

/// A disk with originals: visible once committed, durable later. Evicts and damages files, refuses drafts, and loses
/// at a crash files that are not durable. Used on one thread only.
final class SimulatedOriginalStore: OriginalStore, @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    private struct Entry {
        let file: SimulatedFile
        let location: OriginalLocation
        var stored: StoredOriginal
        /// From when on a crash leaves the file, in nanoseconds.
        let durableFrom: UInt64
    }

    private let machine: SimulatedMachine
    private let verifier = OriginalVerifier()
    private var entries: [PosterID: Entry] = [:]
    /// Files that a removal has made invisible, and that a crash would bring back.
    private var unremoved: [PosterID: Entry] = [:]
    /// Probability that an operation fails.
    var failureShare = 0.0
    /// The number of commits and removals in progress: a crash meanwhile may leave either state.
    private(set) var changeCount = 0
    /// Whether the machine of this store has crashed: nothing changes any more.
    private var isDead = false

    init(machine: SimulatedMachine) {
        self.machine = machine
    }

    /// The store after a crash of this one.
    func crash() -> SimulatedOriginalStore {
        self.isDead = true
        let next = SimulatedOriginalStore(machine: self.machine)
        next.entries = self.entries.filter { $0.value.durableFrom <= self.machine.nanoseconds }
        for (id, entry) in self.unremoved where next.entries[id] == nil { next.entries[id] = entry }
        for (id, entry) in next.entries { next.removesWhenUnreadable(entry.file, id) }
        return next
    }

    private func removesWhenUnreadable(_ file: SimulatedFile, _ id: PosterID) {
        file.whenUnreadable = { [weak self, weak file] in
            guard let self, let file, self.entries[id]?.file === file else { return }
            self.entries[id] = nil
        }
    }

    func evict(_ id: PosterID) {
        self.entries[id] = nil
    }

    /// Makes the file unreadable from now on.
    func damage(_ id: PosterID) {
        self.entries[id]?.file.isDamaged = true
    }

    // MARK: Port

    func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        await self.machine.pause()
        try self.failAtRandom()
        guard let entry = self.entries[id], entry.location == location else { return nil }
        let stored = entry.stored
        self.machine.note("the disk reads \(stored.validators.etag ?? "")")
        // The file was read by now; what happens to it meanwhile is not seen.
        await self.machine.pause()
        return stored
    }

    func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        await self.machine.pause()
        try self.failAtRandom()
        return Draft(self, id, location)
    }

    func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        await self.machine.pause()
        guard !self.isDead, let stored = self.entries[id]?.stored, stored.original.digest == digest else { return }
        self.entries[id]?.stored = StoredOriginal(
            original: stored.original, validators: validators, freshness: freshness, storedAt: stored.storedAt)
        await self.machine.pause()
    }

    func remove(_ id: PosterID, digest: Digest) async {
        await self.machine.pause()
        guard self.entries[id]?.stored.original.digest == digest else { return }
        await self.take(id)
    }

    func purge(_ id: PosterID) async throws -> Bool {
        await self.machine.pause()
        try self.failAtRandom()
        return await self.take(id)
    }

    @discardableResult
    private func take(_ id: PosterID) async -> Bool {
        guard !self.isDead else { return false }
        self.changeCount += 1
        defer { self.changeCount -= 1 }
        let entry = self.entries.removeValue(forKey: id)
        self.machine.note("the disk removes \(id.key)")
        if let entry, entry.durableFrom <= self.machine.nanoseconds { self.unremoved[id] = entry }
        await self.machine.pause()
        if !self.isDead { self.unremoved[id] = nil }
        return entry != nil
    }

    private func failAtRandom() throws {
        if self.machine.chance(self.failureShare) { throw PosterError.storageFailed(reason: "simulated") }
    }

    private final class Draft: OriginalDraft, @unchecked Sendable {
        private let store: SimulatedOriginalStore
        private let id: PosterID
        private let location: OriginalLocation
        private var bytes: [UInt8] = []

        init(_ store: SimulatedOriginalStore, _ id: PosterID, _ location: OriginalLocation) {
            self.store = store
            self.id = id
            self.location = location
        }

        func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
            self.bytes.append(contentsOf: bytes)
            return !self.store.machine.chance(self.store.failureShare / 4)
        }

        func restart() -> Bool {
            self.bytes = []
            return true
        }

        func commit(
            validators: Validators, freshness: Freshness, declaredLength: Int?
        ) async throws -> StoredOriginal {
            await self.store.machine.pause()
            try Task.checkCancellation()
            try self.store.failAtRandom()
            return try await self.store.commit(
                self.bytes, self.id, self.location, validators, freshness, declaredLength)
        }

        func discard() async {
            // Without time: the caller reads the clock afterwards.
            await withCheckedContinuation { $0.resume() }
            self.bytes = []
        }
    }

    private func commit(
        _ bytes: [UInt8], _ id: PosterID, _ location: OriginalLocation, _ validators: Validators,
        _ freshness: Freshness, _ declaredLength: Int?
    ) async throws -> StoredOriginal {
        if let declaredLength, declaredLength != bytes.count {
            throw PosterError.badOriginal(reason: "it declared \(declaredLength) bytes and sent \(bytes.count)")
        }
        let file = SimulatedFile(bytes, machine: self.machine)
        self.removesWhenUnreadable(file, id)
        let original = Original(
            id: id, digest: bytes.withUnsafeBytes { Digest(of: $0) }, header: try self.verifier.verify(file.loaded),
            bytes: .stored(file))
        let stored = StoredOriginal(
            original: original, validators: validators, freshness: freshness, storedAt: freshness.validatedAt)
        guard !self.isDead else { throw CancellationError() }
        self.changeCount += 1
        defer { self.changeCount -= 1 }
        let delay = self.machine.chance(0.5) ? 0 : self.machine.number(0..<2000)
        let durableFrom = self.machine.nanoseconds + UInt64(delay) * 1_000_000
        self.entries[id] = Entry(file: file, location: location, stored: stored, durableFrom: durableFrom)
        self.unremoved[id] = nil
        self.machine.note("the disk stores \(validators.etag ?? "")")
        await self.machine.pause()
        return stored
    }
}
