import Flights
package import Logging
package import MovieDomain
package import MovieLibrary
package import RebuildableDatabase
import Synchronization
import Tracing

/// Users' data, decisions about posters and links between films in a PostgreSQL database shared by several nodes.
///
/// Without the database, the repositories of users' data and links throw `StorageFailure`, at once while no attempt is
/// due; everything else works. The embedded films stay in the node's own file.
package final class PostgresLibrary: Sendable {
    typealias Need = PostgresCall.Need

    /// The state of the server.
    package struct ServerState: Hashable, Sendable {
        /// `closed`, `open` after failures, or `half-open` during a trial.
        package let breaker: String
        /// Seconds until the next attempt; `nil` while the breaker is closed.
        package let retryAfter: Int?
        /// The fault of the latest failed call: `unreachable`, `slow`, `full` or `refused`; `nil` while calls succeed.
        package let fault: String?
        package let used: Int
        package let waiting: Int
    }

    private let pool: PostgresPool
    private let health: LibraryHealth
    private let lastFault = Mutex<String?>(nil)
    let logger: Logger

    /// Does not connect.
    ///
    /// - Parameter url: A connection string of libpq, such as `postgres://user@host/database?sslmode=verify-full`.
    package init(
        url: String, limits: PostgresLimits = PostgresLimits(), logger: Logger, metrics: PostgresMetrics,
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay
    ) {
        self.pool = PostgresPool(url: url, limits: limits, metrics: metrics, now: Uptime.nanoseconds)
        self.health = LibraryHealth(logger: logger, now: now)
        self.logger = logger
    }

    /// The outcome of the latest calls, without waiting.
    ///
    /// After a failure, this starts a probe, at most every ten seconds.
    package var state: LibraryDatabase.State {
        if self.health.isProbeDue() {
            Task {
                // Both calls record their outcome.
                try? await self.read { _ = try $0.execute("SELECT 1 FROM session LIMIT 1") }
                try? await self.write { _ = try $0.execute("DELETE FROM approval_request WHERE sequence = 0") }
            }
        }
        // Calls that were not tried since the server failed would fail as well.
        let isReachable = self.pool.breaker.state == "closed"
        return LibraryDatabase.State(
            isReadable: isReachable && self.health.works(.reading),
            isWritable: isReachable && self.health.works(.writing))
    }

    /// `nil` while the library works.
    package var fault: FaultLog.Fault? { self.health.fault }

    package var serverState: ServerState {
        let (breaker, usage) = (self.pool.breaker, self.pool.usage)
        let isFaulty = breaker.state != "closed" || !self.health.works(.reading) || !self.health.works(.writing)
        return ServerState(
            breaker: breaker.state, retryAfter: breaker.retryAfter,
            fault: isFaulty ? self.lastFault.withLock(\.self) : nil, used: usage.used, waiting: usage.waiting)
    }

    /// Connects, and creates or migrates the tables.
    ///
    /// - Throws: `StorageFailure`, which is logged; `CancellationError`.
    package func connect() async throws {
        try await self.read { _ = try $0.execute("SELECT 1") }
    }

    /// Connects once, without creating or migrating tables. Blocks for at most `limits.connectMilliseconds`.
    ///
    /// - Throws: `StorageFailure`.
    package static func probe(url: String, limits: PostgresLimits = PostgresLimits()) throws(StorageFailure) {
        do throws(PostgresFailure) {
            let deadline = Uptime.nanoseconds() + UInt64(limits.connectMilliseconds) * 1_000_000
            _ = try PostgresHost.connect(
                to: url, statementMilliseconds: limits.statementMilliseconds, deadline: deadline)
        } catch {
            throw StorageFailure(reason: "\(error)")
        }
    }

    package func close() {
        self.health.close()
        self.pool.close()
    }

    func read<Value: Sendable>(
        _ need: Need = .essential, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await self.run(.reading, need, body)
    }

    /// Executes a write transaction atomically; changes nothing if the task is cancelled before its end.
    func write<Value: Sendable>(
        _ need: Need = .essential, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await self.run(.writing, need, body)
    }

    private func run<Value: Sendable>(
        _ operation: LibraryHealth.Operation, _ need: Need,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let start = Uptime.nanoseconds()
        var outcome = PostgresMetrics.succeeded
        defer { self.pool.metrics.record(outcome, nanoseconds: Uptime.nanoseconds() &- start) }
        do {
            let isWrite = operation == .writing
            let value = try await withSpan("library", ofKind: .client) { span in
                var call = PostgresCall(need: need, isWrite: isWrite)
                if span.isRecording {
                    span.attributes["db.system.name"] = "postgresql"
                    span.attributes["db.operation.name"] = isWrite ? "write" : "read"
                    call.trace = PostgresTrace(tracer: InstrumentationSystem.tracer, context: span.context)
                }
                return try await self.pool.run(call, body)
            }
            self.health.succeeded(operation)
            if isWrite { self.health.succeeded(.reading) }
            return value
        } catch let failure as PostgresFailure {
            outcome = failure.fault ?? PostgresMetrics.suspended
            if let fault = failure.fault { self.lastFault.withLock { $0 = fault } }
            // A timeout of a supplementary call says little about a server.
            if case .tooSlow = failure, need == .supplementary {} else { self.health.failed(operation, failure) }
            throw StorageFailure(reason: "\(failure)")
        } catch let failure as StorageFailure {
            self.health.failed(.adding, failure)
            throw failure
        } catch {
            if error is CancellationError { outcome = PostgresMetrics.cancelled }
            throw error
        }
    }
}
