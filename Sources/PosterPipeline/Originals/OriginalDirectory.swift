import Synchronization

/// What is known of the originals used lately, so that an answer's name is known without touching the disk.
/// Safe from any thread.
final class OriginalDirectory: Sendable {
    /// What is known of one.
    struct Entry: Sendable {
        var facts: OriginalFacts
        var freshness: Freshness
        /// Of the bytes before these, whose variants may serve until there are new ones.
        var previous: OriginalFacts?
    }

    private let limit: Int
    private let state = Mutex(LRUState<PosterID, Entry>())

    /// - Parameter limit: The most originals remembered.
    init(limit: Int) {
        self.limit = limit
    }

    func entry(for id: PosterID) -> Entry? {
        self.state.withLock { $0.touch(id) }
    }

    /// Notes what is current.
    func insert(_ facts: OriginalFacts, freshness: Freshness, for id: PosterID) {
        let dropped = self.state.withLock { state in
            let known = state.touch(id)
            let before = known.flatMap { $0.facts.digest == facts.digest ? nil : $0.facts }
            let entry = Entry(facts: facts, freshness: freshness, previous: before ?? known?.previous)
            return state.insert(entry, for: id, cost: 1, limit: self.limit)
        }
        withExtendedLifetime(dropped) {}
    }

    func remove(_ id: PosterID) {
        let dropped = self.state.withLock { $0.remove(id) }
        withExtendedLifetime(dropped) {}
    }
}
