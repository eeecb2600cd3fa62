import Dispatch
import Flights
import MovieDomain
import Synchronization

/// A pool of connections to a server, opened on demand, and of threads that wait for it, with a bounded queue and
/// deadlines for all operations.
///
/// The lock protects the idle connections and the back-off; every operation under it is O(1), and none waits.
final class PostgresPool: Sendable {
    private struct State {
        var idle: [PostgresConnection] = []
        var backOff = PostgresBackOff()
        /// Whether the tables were checked since the latest failure: the server may return with other tables.
        var isMigrated = false
        /// Whether a supplementary call has timed out, and no call has succeeded since.
        var isSlow = false
        var isClosed = false

        /// Supplementary calls neither make trials nor wait for a slow server.
        mutating func admit(_ need: PostgresCall.Need, at now: UInt64) -> PostgresBackOff.Admission {
            guard need == .supplementary else { return self.backOff.admit(at: now) }
            if self.isSlow { return .refused(.suspended(PostgresFailure.tooSlow.reason)) }
            return self.backOff.admit(at: now, mayTry: false)
        }
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
    ///   - now: A monotonic clock in nanoseconds, for the back-off.
    init(url: String, limits: PostgresLimits, metrics: PostgresMetrics, now: @escaping @Sendable () -> UInt64) {
        self.url = url
        self.limits = limits
        self.metrics = metrics
        self.now = now
        self.semaphore = WeightedSemaphore(
            WeightedSemaphore.Limits(count: limits.connections, queue: limits.queue), now: Uptime.nanoseconds)
    }

    var usage: (used: Int, waiting: Int) {
        let usage = self.semaphore.usage
        return (usage.held, usage.waitingCount)
    }

    /// The state of the back-off, and the seconds until the next attempt unless it is `closed`.
    var breaker: (state: String, retryAfter: Int?) {
        let now = self.now()
        return self.state.withLock { state in
            (state.backOff.breaker, state.backOff.delay(at: now).map { Int(($0 + 999_999_999) / 1_000_000_000) })
        }
    }

    /// Closes idle connections, and the others after their use; later calls fail.
    func close() {
        let idle = self.state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    /// Executes `body` with a connection, on a thread that may block.
    ///
    /// A caller that is cancelled, or exceeds its waiting time, returns at once. The server's work then ends within its
    /// time limits and is rolled back; the connection stays usable, which closing would prevent. `PQcancel` is not
    /// used, as it waits without a deadline for a server that hangs.
    ///
    /// - Throws: ``PostgresFailure``; `CancellationError`; errors of `body`.
    func run<Value: Sendable>(
        _ call: PostgresCall, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let now = self.now()
        let isTrial: Bool
        switch self.state.withLock({ $0.admit(call.need, at: now) }) {
        case .refused(let refusal): throw refusal
        case .trial: isTrial = true
        case .admitted: isTrial = false
        }
        do {
            return try await self.wait(for: call, isTrial: isTrial, body)
        } catch PostgresFailure.tooSlow where call.need == .supplementary {
            // The next calls would wait as long, without success.
            self.state.withLock { $0.isSlow = true }
            throw PostgresFailure.tooSlow
        }
    }

    private func wait<Value: Sendable>(
        for kind: PostgresCall, isTrial: Bool, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let call = PostgresCaller<Value>()
        // Unstructured: the work continues without the caller, within the time limits.
        let task = Task {
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(
                    try await self.semaphore.withPermit(urgency: Urgency(.interactive)) {
                        try await self.onThread { try self.use(kind, for: call, isTrial: isTrial, body) }
                    })
            } catch is WeightedSemaphore.QueueFull {
                outcome = .failure(PostgresFailure.unreachable("too many requests wait for a connection"))
            } catch {
                outcome = .failure(error)
            }
            call.finish(outcome)
        }
        let patience =
            kind.need == .essential ? self.limits.patienceMilliseconds : self.limits.shortPatienceMilliseconds
        return try await withTimeout(.milliseconds(patience), throwing: PostgresFailure.tooSlow) {
            try await call.wait { task.cancel() }
        }
    }

    private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            self.threads.async { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Maximum number of repetitions of a transaction after conflicts.
    private static let conflictLimit = 3

    private func use<Value: Sendable>(
        _ call: PostgresCall, for caller: PostgresCaller<Value>, isTrial: Bool,
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        var conflicts = 0
        while true {
            guard caller.isWanted else { throw CancellationError() }
            let connection = try self.connection(isTrial: isTrial)
            connection.deadline = Self.end(after: self.limits.callMilliseconds)
            connection.trace = call.trace
            do {
                // Read-only statements need no transaction, which would cost two more round trips.
                let value =
                    call.isWrite
                    ? try connection.transaction(isWanted: { caller.isWanted }, body) : try body(connection)
                self.succeeded(connection)
                return value
            } catch let failure as PostgresFailure where failure.isOutage {
                self.failed(failure)
                throw failure
            } catch let failure as PostgresFailure where failure.isConflict && conflicts < Self.conflictLimit {
                conflicts += 1
                self.succeeded(connection)
            } catch let failure as PostgresFailure where failure.isOfConnection && conflicts < Self.conflictLimit {
                conflicts += 1
                self.forgetConnections()
            } catch {
                // The server works, but the statement has failed, or the caller has left.
                self.succeeded(connection)
                throw error
            }
        }
    }

    /// A usable connection: an idle one, or a new one.
    private func connection(isTrial: Bool) throws -> PostgresConnection {
        while let idle = self.state.withLock({ $0.idle.popLast() }) {
            // Discards an ended connection, for example after a restart of the server.
            if idle.isUsable { return idle }
        }
        let (refusal, isClosed) = self.state.withLock { ($0.backOff.refusal, $0.isClosed) }
        if let refusal, !isTrial { throw refusal }
        guard !isClosed else { throw PostgresFailure.unreachable("the service is shutting down") }
        do {
            let connection = try PostgresHost.connect(
                to: self.url, statementMilliseconds: self.limits.statementMilliseconds,
                deadline: Self.end(after: self.limits.connectMilliseconds))
            self.metrics.countConnection()
            if !self.state.withLock({ $0.isMigrated }) {
                connection.deadline = Self.end(after: self.limits.migrationMilliseconds)
                try PostgresSchema.migrate(connection, milliseconds: self.limits.migrationMilliseconds)
                self.state.withLock { $0.isMigrated = true }
            }
            return connection
        } catch let failure as PostgresFailure {
            // The next attempt is likely to fail in the same way, whatever the failure.
            self.failed(failure)
            throw PostgresFailure.unreachable(failure.reason)
        }
    }

    private func succeeded(_ connection: PostgresConnection) {
        self.state.withLock { state in
            state.backOff.succeeded()
            state.isSlow = false
        }
        connection.trace = nil
        guard connection.isUsable else { return }
        self.state.withLock { state in
            if !state.isClosed { state.idle.append(connection) }
        }
    }

    private func failed(_ failure: PostgresFailure) {
        let now = self.now()
        // Idle connections have probably ended as well; otherwise a request would discover each.
        self.state.withLock { $0.backOff.failed(failure.reason, at: now) }
        self.forgetConnections()
    }

    /// Closes idle connections, and makes the next connection check the tables.
    private func forgetConnections() {
        let idle = self.state.withLock { state in
            state.isMigrated = false
            defer { state.idle = [] }
            return state.idle
        }
        withExtendedLifetime(idle) {}
    }

    private static func end(after milliseconds: Int) -> UInt64 {
        Uptime.nanoseconds() + UInt64(milliseconds) * 1_000_000
    }
}
