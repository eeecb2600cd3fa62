import Flights
import Synchronization
import Tracing

/// The properties of a call to the database.
struct PostgresCall: Sendable {
    /// Determines how long the caller waits.
    enum Need {
        /// For a request that has no response without the result.
        case essential
        /// For a request that has a response without the result.
        case supplementary
    }

    let need: Need
    let isWrite: Bool
    /// Records the call's statements; `nil` without a tracer.
    var trace: PostgresTrace?
}

/// The parent span of statements.
struct PostgresTrace: Sendable {
    let tracer: any Tracer
    let context: ServiceContext

    /// Records a statement; its text contains no values.
    func statement<Value>(
        _ sql: String, _ body: () throws(PostgresFailure) -> Value
    ) throws(PostgresFailure) -> Value {
        let span = self.tracer.startSpan("statement", context: self.context, ofKind: .client)
        defer { span.end() }
        span.attributes["db.query.text"] = sql
        do {
            return try body()
        } catch {
            span.recordError(error)
            throw error
        }
    }
}

/// A caller that waits for the result of a thread's work. Safe to use from any thread.
final class PostgresCaller<Value: Sendable>: Sendable {
    private enum State {
        case begun
        case waiting(Waiter<Value>)
        case finished(Result<Value, any Error>)
        case left
    }

    private let state = Mutex(State.begun)

    /// Whether the caller still waits for the result.
    var isWanted: Bool {
        self.state.withLock { if case .left = $0 { false } else { true } }
    }

    func finish(_ outcome: Result<Value, any Error>) {
        let waiter = self.state.withLock { state -> Waiter<Value>? in
            switch state {
            case .waiting(let waiter):
                state = .finished(outcome)
                return waiter
            case .begun: state = .finished(outcome)
            case .finished, .left: break
            }
            return nil
        }
        waiter?.resume(with: outcome)
    }

    /// - Parameter leave: Called when the caller is cancelled.
    /// - Throws: `CancellationError` in this case; the error of the outcome.
    func wait(onCancel leave: @escaping @Sendable () -> Void) async throws -> Value {
        do {
            return try await withWaiter { (waiter: Waiter<Value>) in
                let outcome = self.state.withLock { state -> Result<Value, any Error>? in
                    switch state {
                    case .begun:
                        state = .waiting(waiter)
                        return nil
                    case .finished(let outcome): return outcome
                    case .waiting, .left: return .failure(CancellationError())
                    }
                }
                if let outcome { waiter.resume(with: outcome) }
            } cancel: { _ in
                self.leave()
                leave()
            }
        } catch {
            // Also if the task was cancelled before it waited.
            if error is CancellationError {
                self.leave()
                leave()
            }
            throw error
        }
    }

    private func leave() {
        let waiter = self.state.withLock { state -> Waiter<Value>? in
            switch state {
            case .waiting(let waiter):
                state = .left
                return waiter
            case .begun: state = .left
            case .finished, .left: break
            }
            return nil
        }
        waiter?.resume(throwing: CancellationError())
    }
}
