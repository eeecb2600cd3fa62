import PosterCodec
import PosterPipeline

/// A disk with variants, written in the background; a crash loses writes that are not durable. Used on one thread only.
final class SimulatedVariantStore: VariantStore, @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    private struct Entry {
        let variant: StoredVariant
        /// From when on a crash leaves the file, in nanoseconds.
        let durableFrom: UInt64
    }

    private let machine: SimulatedMachine
    private var entries: [VariantKey: Entry] = [:]
    /// Removed files that a crash would bring back.
    private var unremoved: [VariantKey: Entry] = [:]
    private let countLimit: Int
    private var isDead = false

    init(countLimit: Int, machine: SimulatedMachine) {
        self.countLimit = countLimit
        self.machine = machine
    }

    /// The store after a crash of this one.
    func crash() -> SimulatedVariantStore {
        self.isDead = true
        let next = SimulatedVariantStore(countLimit: self.countLimit, machine: self.machine)
        next.entries = self.entries.filter { $0.value.durableFrom <= self.machine.nanoseconds }
            .merging(self.unremoved) { kept, _ in kept }
        return next
    }

    func mayContain(_ key: VariantKey) -> Bool { self.entries[key] != nil }

    func poster(for key: VariantKey) async -> StoredVariant? {
        await self.machine.pause()
        let variant = self.entries[key]?.variant
        await self.machine.pause()
        return Task.isCancelled ? nil : variant
    }

    func store(_ poster: Poster, for key: VariantKey, cpuNanoseconds: UInt64, encoding: EncodingEffort) {
        self.machine.preempt()
        guard !self.isDead, self.entries.count < self.countLimit,
            self.entries[key]?.variant.encoding != .refined || encoding == .refined
        else { return }
        self.entries[key] = Entry(
            variant: StoredVariant(poster: poster, cpuNanoseconds: cpuNanoseconds, encoding: encoding),
            durableFrom: self.machine.nanoseconds + UInt64(self.machine.number(0..<2000)) * 1_000_000)
        self.machine.preempt()
    }

    func removeAll(of id: PosterID) async {
        await self.machine.pause()
        self.remove { $0.id == id }
        await self.machine.pause()
        self.forgetRemoved { $0.id == id }
    }

    func removeAll(of id: PosterID, digest: Digest) {
        self.remove { $0.id == id && $0.digest == digest }
        self.forgetRemoved { $0.id == id && $0.digest == digest }
    }

    func removeAll(of sources: Set<String>) {
        self.remove { sources.contains($0.id.source) }
    }

    func removeAllHere() async {
        await self.machine.pause()
        self.remove { _ in true }
        await self.machine.pause()
        self.forgetRemoved { _ in true }
    }

    private func remove(where isUnwanted: (VariantKey) -> Bool) {
        guard !self.isDead else { return }
        for (key, entry) in self.entries where isUnwanted(key) {
            self.entries[key] = nil
            if entry.durableFrom <= self.machine.nanoseconds { self.unremoved[key] = entry }
        }
    }

    private func forgetRemoved(where isRemoved: (VariantKey) -> Bool) {
        guard !self.isDead else { return }
        self.unremoved = self.unremoved.filter { !isRemoved($0.key) }
    }
}
