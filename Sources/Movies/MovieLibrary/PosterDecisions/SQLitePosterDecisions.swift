import FoundationEssentials
import GRDB
public import Logging
public import MovieDomain
import Synchronization

/// Decisions about posters in a SQLite file of their own, which may be deleted at any time: they are made again then.
///
/// A damaged file, or one of another version, is made anew. Nothing fails because of it: what cannot be read was never decided, and what
/// cannot be written is decided again, which the log tells.
///
/// Under the lock: the database in use.
public final class SQLitePosterDecisions: PosterDecisionRepository {
    /// The most decisions, some 2 KB each; the oldest make room.
    public static let defaultLimit = 100_000
    /// How many go at once when there are too many, as a part of all.
    private static let batch = 100

    private struct State {
        /// nil when there is none that could be used.
        var database: (any DatabaseWriter)?
        /// Decisions written since they were counted.
        var written = 0
        /// Whether it was told that they cannot be kept.
        var isTroubled = false
    }

    private let path: String?
    private let limit: Int
    private let logger: Logger
    private let state: Mutex<State>

    /// Opens the file, or makes it; without one that can be used nothing is remembered.
    public init(path: String, limit: Int = SQLitePosterDecisions.defaultLimit, logger: Logger) {
        self.path = path
        self.limit = max(1, limit)
        self.logger = logger
        self.state = Mutex(State())
        self.reopen(because: nil)
        // As if much had been written: the first one has them counted.
        self.state.withLock { $0.written = self.limit }
    }

    /// Some in memory.
    ///
    /// - Throws: `DatabaseError`.
    public init(limit: Int = SQLitePosterDecisions.defaultLimit, logger: Logger) throws {
        self.path = nil
        self.limit = max(1, limit)
        self.logger = logger
        self.state = Mutex(State(database: try PosterDecisionTables.prepared(DatabaseQueue())))
    }

    /// nil when nothing was decided, or too long ago for `now`.
    ///
    /// - Throws: `CancellationError`.
    public func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision? {
        let bytes = try await self.attempt { database in
            try await database.read { db in
                try Data.fetchOne(
                    db, sql: "SELECT decision FROM posterDecision WHERE film = ? AND expiresAt > ?",
                    arguments: [id.description, now.secondsSince1970])
            }
        }
        guard let bytes = bytes ?? nil else { return nil }
        do {
            return try JSONDecoder().decode(PosterDecisionRecord.self, from: bytes).decision
        } catch {
            self.logger.debug(
                "A decision about a poster cannot be read",
                metadata: ["movie.id": "\(id)", "error.message": "\(error)"])
            return nil
        }
    }

    /// Keeps a decision in place of the one before.
    ///
    /// - Throws: `CancellationError`.
    public func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws {
        let bytes: Data
        do {
            bytes = try JSONEncoder().encode(PosterDecisionRecord(decision))
        } catch {
            self.logger.warning("A decision about a poster cannot be written", metadata: ["error.message": "\(error)"])
            return
        }
        let isCounted = self.state.withLock { state in
            state.written += 1
            guard state.written > self.limit / Self.batch else { return false }
            state.written = 0
            return true
        }
        let limit = self.limit
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(
                    sql: "INSERT INTO posterDecision (film, decision, expiresAt) VALUES (?, ?, ?)",
                    arguments: [id.description, bytes, expiresAt.secondsSince1970])
                if isCounted { try Self.makeRoom(db, limit: limit) }
            }
        }
    }

    /// Of no effect when there is none.
    ///
    /// - Throws: `CancellationError`.
    public func forget(_ id: MovieID) async throws {
        try await self.attempt { database in
            try await database.write { db in
                try db.execute(sql: "DELETE FROM posterDecision WHERE film = ?", arguments: [id.description])
            }
        }
    }

    /// Writes what is in the log into the database, and ends; nothing is remembered from then on.
    public func close() {
        let database = self.state.withLock { $0.database.take() }
        do {
            guard let database else { return }
            try database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try database.close()
        } catch {
            self.logger.debug("The decisions' log was not written back", metadata: ["error.message": "\(error)"])
        }
    }

    /// A new decision of a film has a new row, so the rows are in the order of time.
    private static func makeRoom(_ db: Database, limit: Int) throws {
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM posterDecision") ?? 0
        guard count > limit else { return }
        try db.execute(
            sql: """
                DELETE FROM posterDecision WHERE rowid IN (SELECT rowid FROM posterDecision ORDER BY rowid LIMIT ?)
                """,
            arguments: [count - limit + limit / Self.batch])
    }
}

// MARK: Damage

extension SQLitePosterDecisions {
    /// Uses the database; once more, when it was damaged and is made anew.
    ///
    /// - Returns: nil when that was not possible, which has been told of.
    @discardableResult
    private func attempt<Value: Sendable>(
        _ body: @Sendable (any DatabaseWriter) async throws -> Value
    ) async throws -> Value? {
        for _ in 0..<2 {
            guard let database = self.state.withLock({ $0.database }) else { return nil }
            do {
                let value = try await body(database)
                self.state.withLock { $0.isTroubled = false }
                return value
            } catch let error as DatabaseError {
                guard Self.isDamage(error) else {
                    self.tell(error)
                    return nil
                }
                self.replace(database, because: error)
            }
        }
        return nil
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        // An error of the SQL, which is always the same, means that the tables are not what they were.
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode.primaryResultCode)
            || error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    }

    private func replace(_ damaged: any DatabaseWriter, because error: DatabaseError) {
        let isFirst = self.state.withLock { state in
            // Somebody else may have met the same damage.
            guard state.database === damaged else { return false }
            state.database = nil
            return true
        }
        guard isFirst else { return }
        do {
            try damaged.close()
        } catch {
            // Its last connection ends with its last user; SQLite leaves the new files alone then.
            self.logger.debug("Damaged decisions not closed", metadata: ["error.message": "\(error)"])
        }
        self.reopen(because: error)
    }

    /// - Parameter damage: nil to open what is there, if it can be used.
    private func reopen(because damage: DatabaseError?) {
        guard let path = self.path else { return }
        do {
            var opened: (any DatabaseWriter)?
            if damage == nil {
                do {
                    opened = try PosterDecisionTables.prepared(DatabasePool(path: path))
                } catch let error as DatabaseError where !Self.isDamage(error) {
                    throw error
                } catch {
                    self.discard(path, because: error)
                }
            } else if let damage {
                self.discard(path, because: damage)
            }
            let database = try opened ?? PosterDecisionTables.prepared(DatabasePool(path: path))
            self.state.withLock { $0.database = database }
        } catch {
            self.tell(error)
        }
    }

    private func discard(_ path: String, because error: any Error) {
        self.logger.warning(
            "The decisions about posters are damaged, or another version's, and are made anew",
            metadata: ["error.message": "\(error)"])
        for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
            do {
                try FileManager.default.removeItem(atPath: file)
            } catch {
                self.tell(error)
            }
        }
    }

    /// Once, until it works again.
    private func tell(_ error: any Error) {
        let isNew = self.state.withLock { state in
            defer { state.isTroubled = true }
            return !state.isTroubled
        }
        guard isNew else { return }
        self.logger.warning("Decisions about posters cannot be kept", metadata: ["error.message": "\(error)"])
    }
}
