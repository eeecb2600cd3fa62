import FoundationEssentials
import GRDB
package import Logging
package import MovieDomain
import RebuildableDatabase
import Synchronization

/// Decisions about posters in an SQLite file, which may be deleted at any time, as they can be made again.
///
/// A damaged file, or one of another version, is replaced by an empty one. Its faults do not fail requests: an
/// unreadable decision counts as missing, and a failed write is logged.
package final class SQLitePosterDecisions: PosterDecisionRepository {
    /// Maximum number of decisions, some 2 KB each, `100,000` by default; the oldest are evicted.
    package static let defaultLimit = 100_000
    /// The reciprocal of the fraction of decisions evicted at once: 1/100.
    private static let batch = 100

    private let database: RebuildableDatabase
    private let limit: Int
    private let logger: Logger
    private let faults: FaultLog
    private var damage: DamagedRecords { self.database.damage }
    /// Decisions written since the last count.
    private let writtenCount: Mutex<Int>

    /// Opens the file, and creates it if it is missing; stores nothing if that fails.
    ///
    /// - Parameter path: `nil` for a store in memory.
    package init(path: String? = nil, limit: Int = SQLitePosterDecisions.defaultLimit, logger: Logger) {
        self.limit = max(1, limit)
        self.logger = logger
        // The initial value makes the first write count the decisions of a file.
        self.writtenCount = Mutex(path == nil ? 0 : self.limit)
        self.faults = FaultLog(
            "Poster decisions cannot be stored", logger: logger, quietSeconds: 0, secondsSince1970: { 0 })
        self.database = RebuildableDatabase(
            path: path, schema: Self.schema, store: "posters", logger: logger,
            rebuildMessage: "The poster decisions are damaged or of another version, and are replaced")
        do { try self.database.open() } catch { self.faults.begin(error) }
    }

    private static let schema = DatabaseSchema(
        migrations: [
            { db in
                try db.create(table: "posterDecision") { table in
                    table.column("film", .text).notNull().unique(onConflict: .replace)
                    table.column("decision", .blob).notNull()
                    table.column("expiresAt", .integer).notNull()
                }
            },
            // Deletes decisions that did not link films: new ones do.
            { db in try db.execute(sql: "DELETE FROM posterDecision") },
            // Makes the table strict, and keeps the rows that conform.
            { db in
                try db.execute(
                    sql: """
                        ALTER TABLE posterDecision RENAME TO oldDecision;
                        CREATE TABLE posterDecision (
                            film TEXT NOT NULL UNIQUE ON CONFLICT REPLACE, decision BLOB NOT NULL,
                            expiresAt INTEGER NOT NULL
                        ) STRICT;
                        INSERT INTO posterDecision SELECT film, decision, expiresAt FROM oldDecision
                            WHERE typeof(film) = 'text' AND typeof(decision) = 'blob'
                                AND typeof(expiresAt) = 'integer' ORDER BY rowid;
                        DROP TABLE oldDecision;
                        """)
            },
        ],
        check: { db in
            _ = try Row.fetchOne(db, sql: "SELECT film, decision, expiresAt, rowid FROM posterDecision LIMIT 1")
        })

    package func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision? {
        let bytes = try await self.attempt { database in
            try await database.read { db in
                try self.damage.firstRow(
                    db.cachedStatement(
                        sql: "SELECT decision FROM posterDecision WHERE film = ? AND expiresAt > ?"),
                    [id.description, now.secondsSince1970], of: "posterDecision"
                ) { row in try row.checked("decision", as: Data.self) }
            }
        }
        guard let bytes = bytes ?? nil else { return nil }
        do {
            return try JSONDecoder().decode(PosterDecisionRecord.self, from: bytes).decision
        } catch {
            // The decision is made again, and replaces this one.
            self.damage.record("posterDecision", because: "the decision cannot be read")
            return nil
        }
    }

    package func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws {
        let bytes: Data
        do {
            bytes = try JSONEncoder().encode(PosterDecisionRecord(decision))
        } catch {
            self.logger.warning("A poster decision cannot be written", metadata: ["error.message": "\(error)"])
            return
        }
        let isCounted = self.writtenCount.withLock { count in
            count += 1
            guard count > self.limit / Self.batch else { return false }
            count = 0
            return true
        }
        let limit = self.limit
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "INSERT INTO posterDecision (film, decision, expiresAt) VALUES (?, ?, ?)",
                    arguments: [id.description, bytes, expiresAt.secondsSince1970])
                if isCounted { try Self.evict(db, limit: limit) }
            }
        }
    }

    /// Has no effect if there is no decision.
    package func forget(_ id: MovieID) async throws {
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(sql: "DELETE FROM posterDecision WHERE film = ?", arguments: [id.description])
            }
        }
    }

    /// Writes the log back into the file, and closes it; later decisions are not stored.
    package func close() {
        do {
            try self.database.close()
        } catch {
            self.logger.debug(
                "The write-ahead log of poster decisions was not checkpointed",
                metadata: ["error.message": "\(error)"])
        }
    }

    /// Evicts the oldest decisions. A new decision about a film has a new row, so rows are ordered by time.
    private static func evict(_ db: Database, limit: Int) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM posterDecision") ?? 0
        guard count > limit else { return }
        try db.execute(
            sql: """
                DELETE FROM posterDecision WHERE rowid IN (SELECT rowid FROM posterDecision ORDER BY rowid LIMIT ?)
                """,
            arguments: [count - limit + limit / Self.batch])
    }

    /// Performs an operation on the database.
    ///
    /// - Returns: `nil` if it fails; a lasting fault is logged once.
    /// - Throws: Errors of `body` other than `DatabaseError`.
    @discardableResult
    private func attempt<Value: Sendable>(
        _ body: @Sendable (any DatabaseWriter) async throws -> Value
    ) async throws -> Value? {
        do {
            let value = try await self.database.perform(body)
            self.faults.end()
            return value
        } catch is DatabaseNotOpen {
            return nil
        } catch let error as DatabaseError {
            self.faults.begin(error)
            return nil
        }
    }
}
