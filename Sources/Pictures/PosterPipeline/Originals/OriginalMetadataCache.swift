import BoundedCache
import Synchronization

/// Caches metadata of recently used originals, so that a response's entity tag is known without disk access. Safe from
/// any thread.
///
/// Sharded, because every response from memory reads it. It also records forgotten originals, so that work which began
/// earlier does not restore them.
final class OriginalMetadataCache: Sendable {
    struct Entry: Sendable {
        var facts: OriginalFacts
        var freshness: Freshness
        /// When the bytes last changed, in seconds since 1970.
        var modifiedAt: Int64?
        var isDateExact: Bool
        /// The facts of the previous bytes; their variants may serve until there are new ones.
        var previous: OriginalFacts?
    }

    /// A point in the sequence of ``forget(_:)`` and ``requireValidation(since:)`` calls.
    struct Epoch: Sendable {
        fileprivate let count: UInt64
    }

    private struct State {
        var entries: LRUMap<PosterID, Entry>
        /// The epoch at which each original was last forgotten.
        var forgotten = LRUMap<PosterID, UInt64>(countLimit: OriginalMetadataCache.forgottenLimit)
        /// Sources without cached metadata.
        var withdrawn: Set<String> = []
        /// The current epoch.
        var count: UInt64 = 0
        /// The latest epoch dropped from ``forgotten`` or set by ``requireValidation(since:)``; the latter may be later
        /// than that of an original in ``forgotten``.
        var floor: UInt64 = 0

        /// Whether an original was forgotten since `epoch`; also true if that is no longer recorded.
        mutating func isForgotten(_ id: PosterID, since epoch: Epoch) -> Bool {
            max(self.forgotten.value(for: id) ?? 0, self.floor) > epoch.count
        }
    }

    private final class Part: Sendable {
        let state: Mutex<State>

        init(limit: Int) {
            self.state = Mutex(State(entries: LRUMap(countLimit: limit)))
        }
    }

    private static let partCount = 16
    /// Maximum number of forgotten originals recorded per part. Beyond it, work that began before the oldest of them
    /// was forgotten is repeated, to be safe.
    private static let forgottenLimit = 1024

    private let parts: [Part]
    /// The latest `moment` passed to ``requireValidation(since:)``.
    private let validationFloor = Atomic<Int64>(.min)
    private let whenRemoved: @Sendable (PosterID, Digest) -> Void

    /// - Parameter whenRemoved: Called after a cached original was forgotten, withdrawn or replaced by other bytes, with
    ///   its id and digest; not after an eviction or ``requireValidation(since:)``. Must not block.
    init(limit: Int, whenRemoved: @escaping @Sendable (PosterID, Digest) -> Void = { _, _ in }) {
        self.whenRemoved = whenRemoved
        let limit = max(1, limit / Self.partCount)
        self.parts = (0..<Self.partCount).map { _ in Part(limit: limit) }
    }

    /// Removes all entries, and caches only originals that their origin has confirmed after `moment`, in seconds since
    /// 1970, or that never change. Work that began earlier does not restore any.
    func requireValidation(since moment: Int64) {
        // Before the removal: a concurrent insertion sees either the floor or the removal.
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

    /// Whether the origin must confirm an original before it is used.
    func needsValidation(_ freshness: Freshness) -> Bool {
        freshness.validatedAt <= self.validationFloor.load(ordering: .relaxed) && !freshness.isUnlimited
    }

    func entry(for id: PosterID) -> Entry? {
        self.part(of: id).state.withLock { $0.entries.value(for: id) }
    }

    /// The current epoch; read it before work that ends in ``insert(_:for:since:)``.
    func epoch(of id: PosterID) -> Epoch {
        Epoch(count: self.part(of: id).state.withLock { $0.count })
    }

    /// Caches the metadata of an original, unless it was forgotten since `epoch`.
    /// - Returns: Whether it was not forgotten. Also true for an original of a withdrawn source, and for one that needs
    ///   validation, which are not cached.
    @discardableResult
    func insert(_ stored: StoredOriginal, for id: PosterID, since epoch: Epoch) -> Bool {
        let facts = stored.original.facts
        let (modifiedAt, isDateExact) = (stored.modifiedAt, stored.isDateExact)
        let (isNoted, before, dropped) = self.part(of: id).state.withLock { state -> (Bool, OriginalFacts?, [Entry]) in
            guard !state.isForgotten(id, since: epoch) else { return (false, nil, []) }
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
        if let before { self.whenRemoved(id, before.digest) }
        return withExtendedLifetime(dropped) { isNoted }
    }

    /// Whether results of work on an original since `epoch` may be cached: it is not withdrawn and was not forgotten.
    func isKept(_ id: PosterID, since epoch: Epoch) -> Bool {
        self.part(of: id).state.withLock { state in
            !state.withdrawn.contains(id.source) && !state.isForgotten(id, since: epoch)
        }
    }

    /// Whether an original was forgotten since `epoch`; also true if that is no longer recorded.
    func isForgotten(_ id: PosterID, since epoch: Epoch) -> Bool {
        self.part(of: id).state.withLock { $0.isForgotten(id, since: epoch) }
    }

    /// Removes an original; work that began earlier does not restore it.
    func forget(_ id: PosterID) {
        let dropped = self.part(of: id).state.withLock { state in
            state.count += 1
            _ = state.forgotten.remove(id)
            for lost in state.forgotten.insert(state.count, for: id) {
                state.floor = max(state.floor, lost)
            }
            return state.entries.remove(id)
        }
        if let dropped { self.whenRemoved(id, dropped.facts.digest) }
    }

    /// Removes all originals of these sources, and caches none of them until a later call omits them: requests in
    /// progress are answered, and leave no entry.
    func withdraw(_ sources: Set<String>) {
        for part in self.parts {
            let dropped = part.state.withLock { state in
                state.withdrawn = sources
                let ids = sources.isEmpty ? [] : state.entries.keys.filter { sources.contains($0.source) }
                return ids.compactMap { id in state.entries.remove(id).map { (id, $0) } }
            }
            for (id, entry) in dropped { self.whenRemoved(id, entry.facts.digest) }
        }
    }

    /// As ``forget(_:)``, if the original has this digest.
    func forget(_ id: PosterID, digest: Digest) {
        let isIt = self.part(of: id).state.withLock { $0.entries.value(for: id)?.facts.digest == digest }
        if isIt { self.forget(id) }
    }

    private func part(of id: PosterID) -> Part {
        self.parts[Int(UInt(bitPattern: id.hashValue) % UInt(Self.partCount))]
    }
}

extension OriginalMetadataCache.Entry {
    /// The state of the original in a response at `now`.
    func state(at now: Int64) -> OriginalState {
        OriginalState(
            digest: self.facts.digest, age: self.freshness.age(at: now), modifiedAt: self.modifiedAt,
            isDateExact: self.isDateExact)
    }
}
