import Synchronization

/// What happened, in order. Safe from any thread.
public final class EventRecorder: Sendable {
    private let names = Mutex<[String]>([])

    /// Nothing yet.
    public init() {}

    /// Notes that this happened now.
    public func add(_ name: String) {
        self.names.withLock { $0.append(name) }
    }

    /// All of it.
    public var all: [String] { self.names.withLock { $0 } }
}
