import Synchronization

/// A value that is replaced as a whole while it is in use; readers keep the value they read.
public final class ReloadableValue<Value: Sendable>: Sendable {
    private let current: Mutex<Value>

    package init(_ value: Value) {
        self.current = Mutex(value)
    }

    package var value: Value {
        self.current.withLock { $0 }
    }

    package func replace(_ value: Value) {
        // The old value is released outside the lock.
        var value = value
        self.current.withLock { swap(&$0, &value) }
    }
}
