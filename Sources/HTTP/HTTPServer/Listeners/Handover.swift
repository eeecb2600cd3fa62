import NIOCore
import Synchronization

/// What was set up for somebody to serve.
///
/// Whoever takes connections off a sequence may be cancelled, or may never begin; the sequence then drops what it holds.
/// An exchange that is dropped ends the process, for its writer was never finished: here it is ended in order instead.
final class Handover<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>
    private let end: @Sendable (Value) -> Void

    /// - Parameter end: Called when nobody has taken `value` before this was dropped.
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

    /// - Returns: nil for whoever is not the first; to the first the value belongs.
    func take() -> Value? {
        self.value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

extension Handover {
    /// A connection's or stream's exchange.
    convenience init<Inbound: Sendable, Outbound: Sendable>(_ exchange: Value)
    where Value == NIOAsyncChannel<Inbound, Outbound> {
        self.init(exchange) { $0.endUnserved() }
    }
}

extension NIOAsyncChannel {
    /// Finishes the writer and closes the channel, for whoever cannot wait.
    func endUnserved() {
        Task {
            // A channel that has closed already is closed: there is nothing to be told.
            try? await self.executeThenClose { _, _ in }
        }
    }
}
