import Flights
import Synchronization

/// A result that one task awaits; finished once. Thread-safe.
final class PendingResult<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(Waiter<Value>)
        case finished
    }

    private let state = Mutex(State.new)

    var isWaiting: Bool {
        self.state.withLock { state in
            if case .waiting = state { true } else { false }
        }
    }

    /// Suspends the task until the result is finished.
    /// - Parameters:
    ///   - begin: Called once, as soon as the result can be finished.
    ///   - whenCancelled: Called if cancellation of the task finishes the result.
    /// - Throws: The failure that the result is finished with; `CancellationError`.
    func value(begin: () -> Void, whenCancelled: @escaping @Sendable () -> Void = {}) async throws -> Value {
        try await withWaiter { (waiter: Waiter<Value>) in
            self.state.withLock { $0 = .waiting(waiter) }
            begin()
        } cancel: { _ in
            if self.finish(.failure(CancellationError())) { whenCancelled() }
        }
    }

    /// - Returns: false if no task is waiting: before ``value(begin:whenCancelled:)``, or after the first call.
    @discardableResult
    func finish(_ outcome: Result<Value, any Error>) -> Bool {
        let waiter = self.state.withLock { state -> Waiter<Value>? in
            guard case .waiting(let waiter) = state else { return nil }
            state = .finished
            return waiter
        }
        waiter?.resume(with: outcome)
        return waiter != nil
    }
}
