import Synchronization

/// Counts what happened, from any thread.
public final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// Zero.
    public init() {}

    /// One more.
    public func increment() {
        self.count.add(1, ordering: .sequentiallyConsistent)
    }

    /// How often it was incremented.
    public var value: Int { self.count.load(ordering: .sequentiallyConsistent) }
}
