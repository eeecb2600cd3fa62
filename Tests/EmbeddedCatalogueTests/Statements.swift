import Synchronization

/// Counts a database's statements.
final class Statements: Sendable {
    private let counted = Atomic<Int>(0)

    func count() { self.counted.add(1, ordering: .relaxed) }

    /// Returns the count since the last call.
    func take() -> Int { self.counted.exchange(0, ordering: .relaxed) }
}
