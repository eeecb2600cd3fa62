import BoundedCache
import Synchronization

/// Caches metadata of the originals used lately, so that a response's entity tag is known without touching the disk.
/// Safe from any thread.
///
/// Sharded, since every response from memory looks here. It also remembers which originals were forgotten, so that work
/// which began before does not bring them back.
final class OriginalMetadataCache: Sendable {
    /// The metadata of one original.
    struct Entry: Sendable {
        var facts: OriginalFacts
        var freshness: Freshness
        /// When the bytes changed last, in seconds since 1970.
        var modifiedAt: Int64?
        var isDateExact: Bool
        /// Of the previous bytes, whose variants may serve until there are new ones.
        var previous: OriginalFacts?
    }

    /// A point in the order of calls of ``forget(_:)``.
    struct Epoch: Sendable {
        fileprivate let count: UInt64
    }

    private struct State {
        var entries: LRUMap<PosterID, Entry>
        /// When each was forgotten last.
        var forgotten = LRUMap<PosterID, UInt64>(countLimit: OriginalMetadataCache.forgottenLimit)
        /// Sources whose originals are not cached.
        var withdrawn: Set<String> = []
        /// The number of calls of ``forget(_:)``.
        var count: UInt64 = 0
        /// The latest epoch among those that were dropped from ``forgotten``.
        var floor: UInt64 = 0
    }

    private final class Part: Sendable {
        let state: Mutex<State>

        init(limit: Int) {
            self.state = Mutex(State(entries: LRUMap(countLimit: limit)))
        }
    }

    private static let partCount = 16
    /// The most originals per part that are remembered as forgotten. Beyond it, work that began before the oldest of
    /// them was is done once more, to be sure.
    private static let forgottenLimit = 1024

    private let parts: [Part]
    /// The latest moment of ``requireValidation(since:)``.
    private let validationFloor = Atomic<Int64>(.min)
    private let whenGone: @Sendable (PosterID, Digest) -> Void

    /// - Parameter whenGone: Called with the id and the digest of an original that was cached and is forgotten, withdrawn
    ///   or replaced by other bytes, after that; not when it makes room for others. Must not block.
    init(limit: Int, whenGone: @escaping @Sendable (PosterID, Digest) -> Void = { _, _ in }) {
        self.whenGone = whenGone
        let limit = max(1, limit / Self.partCount)
        self.parts = (0..<Self.partCount).map { _ in Part(limit: limit) }
    }

    /// Removes all originals, and caches none that its origin has not confirmed after `moment`, in seconds since 1970. Work that
    /// began before does not bring any back.
    func requireValidation(since moment: Int64) {
        // Before the entries go: an insertion sees one or the other.
        self.validationFloor.max(moment, ordering: .sequentiallyConsistent)
        for part in self.parts {
            let dropped = part.state.withLock { state in
                state.count += 1
                state.floor = state.count
                let ids = Array(state.entries.keys)
                return ids.compactMap { state.entries.remove($0) }
            }
            withExtendedLifetime(dropped) {}
        }
    }

    /// Whether an original is not used before its origin has confirmed it.
    func needsValidation(_ freshness: Freshness) -> Bool {
        freshness.validatedAt <= self.validationFloor.load(ordering: .relaxed) && !freshness.isUnlimited
    }

    func entry(for id: PosterID) -> Entry? {
        self.part(of: id).state.withLock { $0.entries.value(for: id) }
    }

    /// To be read before work begins that ends in ``insert(_:for:since:)``.
    func epoch(of id: PosterID) -> Epoch {
        Epoch(count: self.part(of: id).state.withLock { $0.count })
    }

    /// Caches the metadata of an original, unless it was forgotten since `epoch`.
    /// - Returns: false when it was forgotten; true also for a withdrawn source, and for an original that needs validation, of
    ///   which nothing is cached.
    @discardableResult
    func insert(_ stored: StoredOriginal, for id: PosterID, since epoch: Epoch) -> Bool {
        let facts = stored.original.facts
        let (modifiedAt, isDateExact) = (stored.modifiedAt, stored.isDateExact)
        let (isNoted, before, dropped) = self.part(of: id).state.withLock { state -> (Bool, OriginalFacts?, [Entry]) in
            let forgotten = state.forgotten.value(for: id) ?? state.floor
            guard forgotten <= epoch.count else { return (false, nil, []) }
            guard !state.withdrawn.contains(id.source), !self.needsValidation(stored.freshness) else {
                return (true, nil, [])
            }
            let known = state.entries.value(for: id)
            let before = known.flatMap { $0.facts.digest == facts.digest ? nil : $0.facts }
            let entry = Entry(
                facts: facts, freshness: stored.freshness, modifiedAt: modifiedAt, isDateExact: isDateExact,
                previous: before ?? known?.previous)
            return (true, before, state.entries.insert(entry, for: id))
        }
        if let before { self.whenGone(id, before.digest) }
        return withExtendedLifetime(dropped) { isNoted }
    }

    /// Whether what is made of an original since `epoch` may be kept: it is not withdrawn and was not forgotten.
    func isKept(_ id: PosterID, since epoch: Epoch) -> Bool {
        self.part(of: id).state.withLock { state in
            !state.withdrawn.contains(id.source) && (state.forgotten.value(for: id) ?? state.floor) <= epoch.count
        }
    }

    /// Whether an original was forgotten since `epoch`; true also when that is not known any more.
    func isForgotten(_ id: PosterID, since epoch: Epoch) -> Bool {
        self.part(of: id).state.withLock { ($0.forgotten.value(for: id) ?? $0.floor) > epoch.count }
    }

    /// Removes an original; work that began before does not bring it back.
    func forget(_ id: PosterID) {
        let dropped = self.part(of: id).state.withLock { state in
            state.count += 1
            _ = state.forgotten.remove(id)
            for lost in state.forgotten.insert(state.count, for: id) {
                state.floor = max(state.floor, lost)
            }
            return state.entries.remove(id)
        }
        if let dropped { self.whenGone(id, dropped.facts.digest) }
    }

    /// Removes all originals of these sources, and caches none of them until it is called without them: requests under
    /// way are answered, and leave no entry.
    func withdraw(_ sources: Set<String>) {
        for part in self.parts {
            let dropped = part.state.withLock { state in
                state.withdrawn = sources
                let ids = sources.isEmpty ? [] : state.entries.keys.filter { sources.contains($0.source) }
                return ids.compactMap { id in state.entries.remove(id).map { (id, $0) } }
            }
            for (id, entry) in dropped { self.whenGone(id, entry.facts.digest) }
        }
    }

    /// As ``forget(_:)``, if its bytes are these.
    func forget(_ id: PosterID, digest: Digest) {
        let isIt = self.part(of: id).state.withLock { $0.entries.value(for: id)?.facts.digest == digest }
        if isIt { self.forget(id) }
    }

    private func part(of id: PosterID) -> Part {
        self.parts[Int(UInt(bitPattern: id.hashValue) % UInt(Self.partCount))]
    }
}

extension OriginalMetadataCache.Entry {
    /// What a response given at `now` may say of it.
    func state(at now: Int64) -> OriginalState {
        OriginalState(
            digest: self.facts.digest, age: self.freshness.age(at: now), modifiedAt: self.modifiedAt,
            isDateExact: self.isDateExact)
    }
}
