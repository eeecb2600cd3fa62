import Synchronization

/// The digests and headers of the originals used lately, so that an answer's name is known without touching the disk.
/// Safe from any thread.
final class OriginalDirectory: Sendable {
    private let limit: Int
    private let state = Mutex(LRUState<PosterID, OriginalFacts>())

    /// - Parameter limit: The most originals remembered.
    init(limit: Int) {
        self.limit = limit
    }

    func facts(for id: PosterID) -> OriginalFacts? {
        self.state.withLock { $0.touch(id) }
    }

    func insert(_ facts: OriginalFacts, for id: PosterID) {
        let dropped = self.state.withLock { $0.insert(facts, for: id, cost: 1, limit: self.limit) }
        withExtendedLifetime(dropped) {}
    }

    func remove(_ id: PosterID) {
        let dropped = self.state.withLock { $0.remove(id) }
        withExtendedLifetime(dropped) {}
    }
}
