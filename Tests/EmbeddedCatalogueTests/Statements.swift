import Synchronization

/// How many statements a database was asked.
final class Statements: Sendable {
    private let counted = Atomic<Int>(0)

    func count() { self.counted.add(1, ordering: .relaxed) }

    /// What was counted since the last time.
    func take() -> Int { self.counted.exchange(0, ordering: .relaxed) }
}
