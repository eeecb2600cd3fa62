import Synchronization

/// How much memory originals may take that the disk does not take.
final class UnstoredBudget: Sendable {
    private let limit: Int
    private let used = Mutex(0)

    /// - Parameter limit: In bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether there were as many bytes left; they are taken then.
    func take(_ count: Int) -> Bool {
        self.used.withLock { used in
            guard count <= self.limit - used else { return false }
            used += count
            return true
        }
    }

    func giveBack(_ count: Int) {
        self.used.withLock { $0 -= count }
    }
}
