import Flights
import Synchronization

/// What one task waits for; finished once. Safe to use from any thread.
final class PendingResult<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(Waiter<Value>)
        case finished
    }

    private let state = Mutex(State.new)

    /// Whether the task still waits for it.
    var isWaiting: Bool {
        self.state.withLock { state in
            if case .waiting = state { true } else { false }
        }
    }

    /// Suspends the task until it is finished.
    /// - Parameter begin: Called once, when it can be finished.
    /// - Throws: What it is finished with; `CancellationError`.
    func value(begin: () -> Void, whenCancelled: @escaping @Sendable () -> Void = {}) async throws -> Value {
        try await withWaiter { (waiter: Waiter<Value>) in
            self.state.withLock { $0 = .waiting(waiter) }
            begin()
        } cancel: { _ in
            if self.finish(.failure(CancellationError())) { whenCancelled() }
        }
    }

    /// - Returns: false when it was not waited for any more, or not yet.
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
