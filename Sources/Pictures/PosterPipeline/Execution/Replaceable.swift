import Synchronization

/// A value that is replaced as a whole while it is in use; a reader keeps the value that it read.
public final class Replaceable<Value: Sendable>: Sendable {
    private let current: Mutex<Value>

    /// - Parameter value: In force until the first exchange.
    public init(_ value: Value) {
        self.current = Mutex(value)
    }

    /// What is in force.
    public var value: Value {
        self.current.withLock { $0 }
    }

    /// Values read before stay as they are.
    public func replace(_ value: Value) {
        // The old value ends outside the lock.
        var value = value
        self.current.withLock { swap(&$0, &value) }
    }
}
