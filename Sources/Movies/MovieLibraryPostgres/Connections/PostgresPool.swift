import Dispatch
import Flights
import MovieDomain
import Synchronization

/// A few connections to a server, made when they are needed, and threads that wait for it: a bounded queue before them, and a
/// deadline for everything.
///
/// Under the lock: idle connections and the back-off; every operation is O(1), and none waits.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var backOff = PostgresBackOff()
        var isMigrated = false
        var isClosed = false
    }

    let limits: PostgresLimits
    private let url: String
    private let semaphore: WeightedSemaphore
    private let threads = DispatchQueue(label: "onesheet.library", attributes: .concurrent)
    private let state = Mutex(State())
    private let now: @Sendable () -> UInt64
    let metrics: PostgresMetrics

    /// - Parameters:
    ///   - url: A connection string of libpq.
    ///   - now: A monotonic time in nanoseconds, for the back-off.
    init(url: String, limits: PostgresLimits, metrics: PostgresMetrics, now: @escaping @Sendable () -> UInt64) {
        self.url = url
        self.limits = limits
        self.metrics = metrics
        self.now = now
        self.semaphore = WeightedSemaphore(
            WeightedSemaphore.Limits(count: limits.connections, queue: limits.queue), now: Uptime.nanoseconds)
    }

    /// Connections that are used, and calls that wait for one.
    var usage: (used: Int, waiting: Int) {
        let usage = self.semaphore.usage
        return (usage.held, usage.waitingCount)
    }

    /// Closes connections that are idle, and the others after their use; later calls fail.
    func close() {
        let idle = self.state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    /// Runs `body` with a connection in a transaction, on a thread that may block.
    ///
    /// A caller that is cancelled, or has waited for `patience`, leaves at once. What the server does by then ends by the limits
    /// of time, is rolled back, and does not cost the connection, as closing it would. `PQcancel` waits without a deadline for a
    /// server that hangs, and is not used.
    ///
    /// - Throws: ``PostgresFailure``; `CancellationError`; what `body` throws.
    func run<Value: Sendable>(
        patience: Duration, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let now = self.now()
        let isTrial: Bool
        switch self.state.withLock({ $0.backOff.admit(at: now) }) {
        case .refused(let refusal): throw refusal
        case .trial: isTrial = true
        case .admitted: isTrial = false
        }
        let call = PostgresCall<Value>()
        // Unstructured: it goes on without the caller, within the limits of time.
        let task = Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(
                    try await self.semaphore.withPermit(urgency: Urgency(.interactive)) {
                        try await self.onThread { try self.use(call, isTrial: isTrial, body) }
                    })
            } catch is WeightedSemaphore.QueueFull {
                outcome = .failure(PostgresFailure.unreachable("too many requests wait for a connection"))
            } catch {
                outcome = .failure(error)
            }
            call.finish(outcome)
        }
        return try await withTimeout(patience, throwing: PostgresFailure.tooSlow) {
            try await call.wait { task.cancel() }
        }
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            self.threads.async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// How often a transaction is repeated that was in conflict with another one.
    private static let conflictLimit = 3

    private func use<Value: Sendable>(
        _ call: PostgresCall<Value>, isTrial: Bool, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        var conflicts = 0
        while true {
            guard call.isWanted else { throw CancellationError() }
            let connection = try self.connection(isTrial: isTrial)
            connection.deadline = Self.end(after: self.limits.callMilliseconds)
            do {
                let value = try connection.transaction(isWanted: { call.isWanted }, body)
                self.succeeded(connection)
                return value
            } catch let failure as PostgresFailure where failure.isOutage {
                self.failed(failure)
                throw failure
            } catch let failure as PostgresFailure where failure.isConflict && conflicts < Self.conflictLimit {
                conflicts += 1
                self.succeeded(connection)
            } catch {
                // The server works, though the statement does not, or the caller has left.
                self.succeeded(connection)
                throw error
            }
        }
    }

    /// A connection that works: an idle one, or a new one.
    private func connection(isTrial: Bool) throws -> PostgresConnection {
        while let idle = self.state.withLock({ $0.idle.popLast() }) {
            // Else it has ended with a restart of the server, say.
            if idle.isUsable { return idle }
        }
        let (refusal, isClosed) = self.state.withLock { ($0.backOff.refusal, $0.isClosed) }
        if let refusal, !isTrial { throw refusal }
        guard !isClosed else { throw PostgresFailure.unreachable("the service ends") }
        do {
            let connection = try PostgresConnection(
                url: self.url, statementMilliseconds: self.limits.statementMilliseconds,
                deadline: Self.end(after: self.limits.connectMilliseconds))
            self.metrics.countConnection()
            if !self.state.withLock({ $0.isMigrated }) {
                connection.deadline = Self.end(after: self.limits.migrationMilliseconds)
                try PostgresSchema.migrate(connection, milliseconds: self.limits.migrationMilliseconds)
                self.state.withLock { $0.isMigrated = true }
            }
            return connection
        } catch let failure as PostgresFailure {
            // Whatever it is, the next attempt is likely to fail in the same way.
            self.failed(failure)
            throw PostgresFailure.unreachable(failure.reason)
        }
    }

    private func succeeded(_ connection: PostgresConnection) {
        self.state.withLock { $0.backOff.succeeded() }
        guard connection.isUsable else { return }
        self.state.withLock { state in
            if !state.isClosed { state.idle.append(connection) }
        }
    }

    private func failed(_ failure: PostgresFailure) {
        let now = self.now()
        // Idle ones are likely to have ended, too; each would be found out by a request.
        let idle = self.state.withLock { state in
            state.backOff.failed(failure.reason, at: now)
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    private static func end(after milliseconds: Int) -> UInt64 {
        Uptime.nanoseconds() + UInt64(milliseconds) * 1_000_000
    }
}

/// A caller that waits for what a thread does. Safe from any thread.
private final class PostgresCall<Value: Sendable>: Sendable {
    private enum State {
        case begun
        case waiting(Waiter<Value>)
        case finished(Result<Value, any Error>)
        case left
    }

    private let state = Mutex(State.begun)

    /// Whether the caller has not left.
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
    /// - Throws: `CancellationError` then; the error of the outcome.
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
            // Also when it was cancelled before it waited.
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
