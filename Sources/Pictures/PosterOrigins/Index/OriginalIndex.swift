import FoundationEssentials
import GRDB
import Logging
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// The rows of the stored originals beside their files, in SQLite: freshness, validators, lengths, last uses.
///
/// Everything in it but freshness and last uses can be rebuilt from the files, so it may be lost at any time.
/// Calls block, and throw `DatabaseError`.
struct OriginalIndex {
    /// How many originals there are, and what they take of the disk, in bytes.
    struct Totals: Hashable {
        var count: Int64 = 0
        var bytes: Int64 = 0
    }

    /// For another process that holds the database, in seconds.
    private static let busySeconds = 2.0
    private static let readerCount = 3

    /// Of ``schema``.
    let database: any DatabaseWriter

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "originals"
        configuration.maximumReaderCount = Self.readerCount
        configuration.busyMode = .timeout(Self.busySeconds)
        return configuration
    }

    /// Version 1; before it there were only files.
    static let schema = DatabaseSchema(
        migrations: [{ db in try db.execute(sql: Self.tables) }], newerVersions: .refuse
    ) { db in
        _ = try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM original, total LIMIT 1")
    }

    static let columns = """
        key, id, location, etag, lastModified, digest, length, format, width, height, fetchedAt, validatedAt, lifetime, \
        lastUsed
        """

    // Triggers maintain the totals, so that opening counts no rows.
    private static let tables = """
        CREATE TABLE original (
            key BLOB PRIMARY KEY NOT NULL, id TEXT NOT NULL, location TEXT NOT NULL, etag TEXT, lastModified TEXT,
            digest BLOB NOT NULL, length INTEGER NOT NULL, space INTEGER NOT NULL, format TEXT, width INTEGER,
            height INTEGER, fetchedAt INTEGER NOT NULL, validatedAt INTEGER NOT NULL, lifetime INTEGER NOT NULL,
            lastUsed INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX originalByUse ON original (lastUsed);
        CREATE TABLE total (
            only INTEGER PRIMARY KEY CHECK (only = 1), count INTEGER NOT NULL, bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO total VALUES (1, 0, 0);
        CREATE TRIGGER originalAdded AFTER INSERT ON original BEGIN
            UPDATE total SET count = count + 1, bytes = bytes + NEW.space;
        END;
        CREATE TRIGGER originalReplaced AFTER UPDATE OF space ON original BEGIN
            UPDATE total SET bytes = bytes + NEW.space - OLD.space;
        END;
        CREATE TRIGGER originalRemoved AFTER DELETE ON original BEGIN
            UPDATE total SET count = count - 1, bytes = bytes - OLD.space;
        END;
        """

    private typealias Arguments = StatementArguments

    func row(_ key: Digest) throws -> OriginalRow? {
        try self.database.read { db in
            let sql = "SELECT \(Self.columns) FROM original WHERE key = ?"
            return try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [Data(key.bytes)]).map(OriginalRow.init)
        }
    }

    /// Adds a row, or puts it in the place of the one with the same key.
    func put(_ row: OriginalRow) throws -> Totals {
        try self.database.write { db in
            let names = Self.columns.split(separator: ", ")
            let changes = (names.dropFirst() + ["space"]).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
            let sql = """
                INSERT INTO original (\(Self.columns), space)
                VALUES (\(names.map { _ in "?" }.joined(separator: ", ")), ?)
                ON CONFLICT (key) DO UPDATE SET \(changes)
                """
            let arguments: Arguments = [
                Data(row.key.bytes), row.id, row.location, row.etag, row.lastModified,
                Data(row.digest.bytes), row.length, row.format, row.width, row.height, row.fetchedAt,
                row.freshness.validatedAt, row.freshness.lifetime, row.lastUsed, row.space,
            ]
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
            return try Self.totals(db)
        }
    }

    func delete(_ key: Digest) throws -> (wasThere: Bool, totals: Totals) {
        try self.database.write { db in
            try db.cachedStatement(sql: "DELETE FROM original WHERE key = ?").execute(
                arguments: [Data(key.bytes)])
            return (db.changesCount > 0, try Self.totals(db))
        }
    }

    /// Deletes the row of a key, unless it is of that digest.
    func retire(_ key: Digest, unless digest: Digest) throws {
        try self.database.write { db in
            try db.cachedStatement(sql: "DELETE FROM original WHERE key = ? AND digest <> ?").execute(
                arguments: [Data(key.bytes), Data(digest.bytes)])
        }
    }

    /// Changes nothing but freshness and validators, and these only of an original of that digest.
    /// - Returns: Whether there was one.
    func refresh(_ key: Digest, digest: Digest, validators: Validators, freshness: Freshness) throws -> Bool {
        try self.database.write { db in
            let sql = """
                UPDATE original SET etag = ?, lastModified = ?, validatedAt = ?, lifetime = ?
                WHERE key = ? AND digest = ?
                """
            let arguments: Arguments = [
                validators.etag, validators.lastModified, freshness.validatedAt, freshness.lifetime, Data(key.bytes),
                Data(digest.bytes),
            ]
            try db.cachedStatement(sql: sql).execute(arguments: arguments)
            return db.changesCount > 0
        }
    }

    /// Notes last uses. What was validated "in the future" of `now`, by a clock that has been set back, counts as
    /// validated now from here on.
    func note(_ uses: ArraySlice<AccessTimes.Use>, now: Int64) throws {
        try self.database.write { db in
            let statement = try db.cachedStatement(
                sql: """
                    UPDATE original SET lastUsed = max(lastUsed, ?), validatedAt = min(validatedAt, ?) WHERE key = ?
                    """)
            for use in uses { try statement.execute(arguments: [use.moment, now, Data(use.key.bytes)]) }
        }
    }

    /// The least recently used rows, oldest first.
    func leastRecentlyUsed(limit: Int) throws -> [OriginalRow] {
        try self.database.read { db in
            let sql = "SELECT \(Self.columns) FROM original ORDER BY lastUsed LIMIT ?"
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [limit]).map(OriginalRow.init)
        }
    }

    /// The keys that begin with a byte: those of one folder.
    func keys(beginningWith byte: UInt8) throws -> Set<Digest> {
        try self.database.read { db in
            let end = byte == .max ? Data(repeating: .max, count: 33) : Data([byte + 1])
            let keys = try Data.fetchAll(
                db.cachedStatement(sql: "SELECT key FROM original WHERE key >= ? AND key < ?"),
                arguments: [Data([byte]), end])
            return Set(keys.compactMap { Digest(bytes: Array($0)) })
        }
    }

    func totals() throws -> Totals {
        try self.database.read { try Self.totals($0) }
    }

    /// Counts all rows, and corrects totals that have drifted; blocks other writers meanwhile.
    func recount() throws -> Totals {
        let counts = "SELECT count(*), coalesce(sum(space), 0) FROM original"
        let isRight = try self.database.read { db in
            try Bool.fetchOne(db, sql: "SELECT (count, bytes) = (\(counts)) FROM total") ?? false
        }
        guard !isRight else { return try self.totals() }
        return try self.database.write { db in
            try db.execute(sql: "UPDATE total SET (count, bytes) = (\(counts))")
            return try Self.totals(db)
        }
    }

    /// The last of all uses; nil when there is none.
    func lastUse() throws -> Int64? {
        try self.database.read { try Int64.fetchOne($0, sql: "SELECT max(lastUsed) FROM original") }
    }

    private static func totals(_ db: Database) throws -> Totals {
        let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT count, bytes FROM total"))
        guard let count = row.flatMap({ Int64.fromDatabaseValue($0["count"]) }),
            let bytes = row.flatMap({ Int64.fromDatabaseValue($0["bytes"]) })
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the totals are no numbers") }
        return Totals(count: count, bytes: bytes)
    }
}

/// The index of originals, rebuilt from the files when it is damaged and done without while it cannot be used.
///
/// No request fails because of it: a use that is not possible returns nil, and the caller uses the files alone.
final class RebuildableIndex: Sendable {
    private struct State {
        /// Whether rows may be missing.
        var isIncomplete = true
        /// Of the database, at the last call of ``takeIncompleteness()``.
        var rebuildCount = 0
    }

    private let database: RebuildableDatabase
    private let faults: FaultLog
    private let state = Mutex(State())

    /// Opens the index, or creates it. When that fails for want of space, it is opened by a later ``reopenIfNeeded()``.
    /// - Throws: ``DataDirectory/Failure`` when it is of a newer version, or may not be written.
    init(
        path: String, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64
    ) throws(DataDirectory.Failure) {
        self.database = RebuildableDatabase(
            path: path, configuration: OriginalIndex.configuration, schema: OriginalIndex.schema, logger: logger,
            rebuildMessage: "The index of originals is damaged and is made anew from the files")
        self.faults = FaultLog(
            "The index of originals cannot be used; the files are used without it", logger: logger,
            secondsSince1970: secondsSince1970)
        do {
            try self.database.open()
        } catch let newer as DatabaseSchema.NewerVersion {
            throw .newer(path: path, version: newer.version, newestKnown: OriginalIndex.schema.version)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM].contains(error.resultCode.primaryResultCode)
        {
            throw .unusableIndex(path: path, reason: error.message ?? "\(error.resultCode)")
        } catch {
            self.faults.begin(error)
        }
    }

    /// Whether rows may be missing; false from then on, until some may be missing again.
    func takeIncompleteness() -> Bool {
        self.state.withLock { state in
            let rebuildCount = self.database.rebuildCount
            defer { state = State(isIncomplete: false, rebuildCount: rebuildCount) }
            return state.isIncomplete || state.rebuildCount != rebuildCount
        }
    }

    /// Schedules another comparison of files and index.
    func markIncomplete() {
        self.state.withLock { $0.isIncomplete = true }
    }

    /// Uses the index.
    /// - Returns: nil when that was not possible, which was logged.
    func attempt<Value>(_ body: (OriginalIndex) throws -> Value) -> Value? {
        do {
            let value = try self.database.perform { writer in try body(OriginalIndex(database: writer)) }
            self.faults.end()
            return value
        } catch is DatabaseNotOpen {
            // Logged when it could not be opened.
        } catch {
            self.faults.begin(error)
        }
        self.markIncomplete()
        return nil
    }

    /// Tries again to open an index that could not be opened.
    func reopenIfNeeded() {
        do {
            if try self.database.open() { self.markIncomplete() }
        } catch {
            self.faults.begin(error)
        }
    }

    /// Writes its log back into the file, and closes it for good.
    func close() {
        do {
            try self.database.close()
        } catch {
            self.faults.begin(error)
        }
    }
}
