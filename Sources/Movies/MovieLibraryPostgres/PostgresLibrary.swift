import Flights
package import Logging
package import MovieDomain
package import MovieLibrary
import Synchronization

/// What users keep, decisions about posters and links between films in a PostgreSQL database that several nodes share.
///
/// Without the database its repositories throw `StorageFailure`, at once while it is not tried again; nothing else does. The
/// embedded films stay in the node's own file.
package final class PostgresLibrary: Sendable {
    /// Whose patience a call has.
    enum Need {
        /// A request that has no response without it.
        case essential
        /// A request that has one.
        case supplementary
    }

    private let pool: PostgresPool
    private let health: LibraryHealth
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
        return LibraryDatabase.State(
            isReadable: self.health.works(.reading), isWritable: self.health.works(.writing))
    }

    /// Connections that are used, and calls that wait for one.
    package var usage: (used: Int, waiting: Int) { self.pool.usage }

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

    /// All of it or nothing, and nothing when the task is cancelled before its end.
    func write<Value: Sendable>(
        _ need: Need = .essential, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await self.run(.writing, need, body)
    }

    private func run<Value: Sendable>(
        _ operation: LibraryHealth.Operation, _ need: Need,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let limits = self.pool.limits
        let milliseconds = need == .essential ? limits.patienceMilliseconds : limits.shortPatienceMilliseconds
        let start = Uptime.nanoseconds()
        var outcome = PostgresMetrics.Outcome.failed
        defer { self.pool.metrics.record(outcome, nanoseconds: Uptime.nanoseconds() &- start) }
        do {
            let value = try await self.pool.run(patience: .milliseconds(milliseconds), body)
            outcome = .succeeded
            self.health.succeeded(operation)
            if operation == .writing { self.health.succeeded(.reading) }
            return value
        } catch let failure as PostgresFailure {
            self.health.failed(operation, failure)
            throw StorageFailure(reason: "\(failure)")
        } catch {
            outcome = error is CancellationError ? .cancelled : .succeeded
            throw error
        }
    }
}
