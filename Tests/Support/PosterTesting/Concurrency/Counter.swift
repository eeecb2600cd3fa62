import Synchronization

/// A counter. Safe to use from any thread.
public final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// Zero.
    public init() {}

    /// Adds one.
    public func increment() {
        self.count.add(1, ordering: .sequentiallyConsistent)
    }

    /// The count.
    public var value: Int { self.count.load(ordering: .sequentiallyConsistent) }
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
