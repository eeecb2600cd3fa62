import Synchronization

/// A value that is exchanged as a whole while others use it: who has read it keeps what was read.
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

    /// What has read ``value`` before is not told.
    public func replace(_ value: Value) {
        // The old value ends outside the lock.
        var value = value
        self.current.withLock { swap(&$0, &value) }
    }
}
