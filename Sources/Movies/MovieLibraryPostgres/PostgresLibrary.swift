import Flights
package import Logging
package import MovieDomain
package import MovieLibrary
package import RebuildableDatabase
import Synchronization
import Tracing

/// What users keep, decisions about posters and links between films in a PostgreSQL database that several nodes share.
///
/// Without the database its repositories throw `StorageFailure`, at once while it is not tried again; nothing else does. The
/// embedded films stay in the node's own file.
package final class PostgresLibrary: Sendable {
    typealias Need = PostgresCall.Need

    /// How the server is doing.
    package struct ServerState: Hashable, Sendable {
        /// `closed`, `open` after failures, `half-open` while one call finds out whether the server works again.
        package let breaker: String
        /// Seconds until the next attempt; nil while the breaker is closed.
        package let retryAfter: Int?
        /// Why the latest call that failed has: `unreachable`, `slow`, `full` or `refused`; nil while reads and writes succeed.
        package let fault: String?
        /// Connections that are used.
        package let used: Int
        /// Calls that wait for one.
        package let waiting: Int
    }

    private let pool: PostgresPool
    private let health: LibraryHealth
    private let lastFault = Mutex<String?>(nil)
    private let now: @Sendable () -> Instant
    let logger: Logger

    /// Does not connect yet.
    /// - Parameters:
    ///   - url: A connection string of libpq, such as `postgres://user@host/database?sslmode=verify-full`.
    ///   - now: The time of day.
    package init(
        url: String, limits: PostgresLimits = PostgresLimits(), logger: Logger, metrics: PostgresMetrics,
        now: @escaping @Sendable () -> Instant = LibraryDatabase.timeOfDay
    ) {
        self.pool = PostgresPool(url: url, limits: limits, metrics: metrics, now: Uptime.nanoseconds)
        self.health = LibraryHealth(logger: logger, now: now)
        self.logger = logger
        self.now = now
    }

    /// How the latest calls went, without waiting.
    ///
    /// While one of them failed, this starts a probe, at most every ten seconds.
    package var state: LibraryDatabase.State {
        if self.health.isProbeDue() {
            Task {
                // These record the outcome.
                try? await self.read { _ = try $0.execute("SELECT 1 FROM session LIMIT 1") }
                try? await self.write { _ = try $0.execute("DELETE FROM approval_request WHERE sequence = 0") }
            }
        }
        // What was not tried since the server failed does not work either.
        let isReachable = self.pool.breaker.state == "closed"
        return LibraryDatabase.State(
            isReadable: isReachable && self.health.works(.reading),
            isWritable: isReachable && self.health.works(.writing))
    }

    /// nil while it works.
    package var fault: FaultLog.Fault? { self.health.fault }

    package var serverState: ServerState {
        let (breaker, usage) = (self.pool.breaker, self.pool.usage)
        let isFaulty = breaker.state != "closed" || !self.health.works(.reading) || !self.health.works(.writing)
        return ServerState(
            breaker: breaker.state, retryAfter: breaker.retryAfter,
            fault: isFaulty ? self.lastFault.withLock(\.self) : nil, used: usage.used, waiting: usage.waiting)
    }

    /// Connects, and makes or updates the tables.
    /// - Throws: `StorageFailure`, which is logged; `CancellationError`.
    package func connect() async throws {
        try await self.read { _ = try $0.execute("SELECT 1") }
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

    /// In a transaction: all of it or nothing, and nothing when the task is cancelled before its end.
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
            // A short wait in vain says little about a server.
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
