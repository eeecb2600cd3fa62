import NIOCore
import Synchronization

/// Ownership of a connection that was set up, passed to the first task that takes it.
///
/// The consumer of a sequence of connections may be cancelled, or may never begin; the sequence then drops what it
/// holds. A dropped exchange would end the process, as its writer was never finished: here it is ended gracefully
/// instead.
final class ConnectionHandoff<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>
    private let end: @Sendable (Value) -> Void

    /// - Parameter end: Called when `value` was not taken before this is released.
    init(_ value: Value, end: @escaping @Sendable (Value) -> Void) {
        self.value = Mutex(value)
        self.end = end
    }

    /// Nothing to serve.
    init() {
        self.value = Mutex(nil)
        self.end = { _ in }
    }

    deinit {
        if let value = self.take() { self.end(value) }
    }

    /// - Returns: The value to the first caller, which owns it from then on; nil to others.
    func take() -> Value? {
        self.value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

extension ConnectionHandoff {
    /// A connection's or stream's exchange.
    convenience init<Inbound: Sendable, Outbound: Sendable>(_ exchange: Value)
    where Value == NIOAsyncChannel<Inbound, Outbound> {
        self.init(exchange) { $0.endUnserved() }
    }
}

extension NIOAsyncChannel {
    /// Finishes the writer and closes the channel, in a task of its own.
    func endUnserved() {
        Task {
            // It throws when the channel has closed already.
            try? await self.executeThenClose { _, _ in }
        }
    }
}
