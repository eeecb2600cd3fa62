import Synchronization

/// A counter. Safe to use from any thread.
public final class Counter: Sendable {
    private let count = AwaitedState(0)

    /// Creates a counter at zero.
    public init() {}

    /// Adds one.
    public func increment() {
        self.count.change { $0 += 1 }
    }

    /// The current count.
    public var value: Int { self.count.value }

    /// Returns once the count has been increased to at least `value`.
    ///
    /// - Throws: `CancellationError`.
    package func reached(_ value: Int) async throws {
        try await self.count.wait { $0 >= value }
    }
}

/// Records events in order. Safe to use from any thread.
public final class EventRecorder: Sendable {
    private let names = Mutex<[String]>([])

    /// An empty record.
    public init() {}

    /// Records an event.
    public func add(_ name: String) {
        self.names.withLock { $0.append(name) }
    }

    /// All events so far.
    public var all: [String] { self.names.withLock { $0 } }
}
