import FoundationEssentials
import GRDB
import PosterPipeline
import RebuildableDatabase

/// An SQLite table of the stored originals: freshness, validators, lengths, last uses.
///
/// All but freshness and last uses can be rebuilt from the files, so the index may be lost at any time. Calls block,
/// and throw `DatabaseError`.
struct OriginalIndex {
    /// The number of originals, and their space on disk in bytes.
    struct Totals: Hashable {
        var count: Int64 = 0
        var bytes: Int64 = 0
    }

    /// Timeout for locks of another process, in seconds.
    private static let busySeconds = 2.0
    private static let readerCount = 3

    /// A database with ``schema``.
    let database: any DatabaseWriter
    /// Records damaged rows, which are deleted, and restored from the files.
    let damage: DamagedRecords

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "originals"
        configuration.maximumReaderCount = Self.readerCount
        configuration.busyMode = .timeout(Self.busySeconds)
        return configuration
    }

    /// Version 1; older stores consist of files only.
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

    private static let keyLength = 32

    private typealias Arguments = StatementArguments

    /// The row of a key; `nil` if there is none, or it is damaged, which deletes it.
    func row(_ key: Digest) throws -> OriginalRow? {
        try self.rows("SELECT \(Self.columns) FROM original WHERE key = ?", [Data(key.bytes)]).rows.first
    }

    /// The rows of a query, and the number of damaged rows that were deleted.
    private func rows(_ sql: String, _ arguments: Arguments) throws -> (rows: [OriginalRow], deletedCount: Int) {
        let (rows, damaged) = try self.database.read { db in
            var damaged: [(key: DatabaseValue, DamagedRow)] = []
            var rows: [OriginalRow] = []
            let cursor = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
            while let row = try cursor.next() {
                do throws(DamagedRow) {
                    rows.append(try OriginalRow(row))
                } catch {
                    damaged.append((try row.checked("key"), error))
                }
            }
            return (rows, damaged)
        }
        let deletedCount = try damaged.reduce(0) { try $0 + self.drop($1.key, because: $1.1) }
        return (rows, deletedCount)
    }

    /// Deletes a damaged row. If its key is not a digest, deletes all rows with such keys: GRDB cannot bind an empty
    /// blob, nor every text as it was stored.
    /// - Parameter key: The key as stored.
    /// - Returns: The number of deleted rows.
    @discardableResult
    private func drop(_ key: DatabaseValue, because damage: DamagedRow) throws -> Int {
        self.damage.record("original", because: damage.description)
        return try self.database.write { db in
            if let key = Self.digest(key) {
                try db.execute(sql: "DELETE FROM original WHERE key = ?", arguments: [Data(key.bytes)])
            } else {
                try db.execute(
                    sql: "DELETE FROM original WHERE typeof(key) <> 'blob' OR length(key) <> ?",
                    arguments: [Self.keyLength])
            }
            return db.changesCount
        }
    }

    /// `nil` if the key is damaged.
    private static func digest(_ key: DatabaseValue) -> Digest? {
        guard case .blob(let data) = key.storage else { return nil }
        return Digest(bytes: Array(data))
    }

    /// Adds a row, or replaces the one with the same key.
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
            return try self.totals(db)
        }
    }

    func delete(_ key: Digest) throws -> (wasThere: Bool, totals: Totals) {
        try self.database.write { db in
            try db.cachedStatement(sql: "DELETE FROM original WHERE key = ?").execute(
                arguments: [Data(key.bytes)])
            return (db.changesCount > 0, try self.totals(db))
        }
    }

    /// Deletes the row of a key, unless it has this digest.
    func retire(_ key: Digest, unless digest: Digest) throws {
        try self.database.write { db in
            try db.cachedStatement(sql: "DELETE FROM original WHERE key = ? AND digest <> ?").execute(
                arguments: [Data(key.bytes), Data(digest.bytes)])
        }
    }

    /// Updates only freshness and validators, if the row has this digest.
    /// - Returns: Whether there was such a row.
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

    /// Records last uses. Also corrects validations later than `now`, from a clock that has been set back, to `now`.
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
        while true {
            let sql = "SELECT \(Self.columns) FROM original ORDER BY lastUsed LIMIT ?"
            let (rows, deletedCount) = try self.rows(sql, [limit])
            // After a batch of damaged rows, which have been deleted, there may be others.
            if !rows.isEmpty || deletedCount == 0 { return rows }
        }
    }

    /// The keys that begin with a byte, which share a folder.
    func keys(beginningWith byte: UInt8) throws -> Set<Digest> {
        let stored = try self.database.read { db in
            let end = byte == .max ? Data(repeating: .max, count: 33) : Data([byte + 1])
            return try DatabaseValue.fetchAll(
                db.cachedStatement(sql: "SELECT key FROM original WHERE key >= ? AND key < ?"),
                arguments: [Data([byte]), end])
        }
        var keys: Set<Digest> = []
        for value in stored {
            if let key = Self.digest(value) {
                keys.insert(key)
            } else {
                try self.drop(value, because: DamagedRow("key is not a digest"))
            }
        }
        return keys
    }

    /// The stored totals; counts all rows if they are damaged.
    func totals() throws -> Totals {
        if let totals = try self.database.read({ try Self.storedTotals($0) }) { return totals }
        return try self.database.write { try self.totals($0) }
    }

    /// Counts all rows, and corrects totals that have drifted; blocks other writers meanwhile.
    func recount() throws -> Totals {
        let isRight = try self.database.read { db in
            try Bool.fetchOne(db, sql: "SELECT (count, bytes) = (\(Self.counts)) FROM total") ?? false
        }
        guard !isRight else { return try self.totals() }
        return try self.database.write { try self.counted($0) }
    }

    /// The latest of all uses; `nil` without rows.
    func lastUse() throws -> Int64? {
        try self.database.read { try Int64.fetchOne($0, sql: "SELECT max(lastUsed) FROM original") }
    }

    // Not `sum`, which fails beyond 64 bits.
    private static let counts = "SELECT count(*), CAST(total(space) AS INTEGER) FROM original"
    private static let plausibleSpace = 0...Int64(1) << 40
    private static let plausibleTotals = 0...Int64(1) << 60

    /// Call it in a writing transaction.
    private func totals(_ db: Database) throws -> Totals {
        try Self.storedTotals(db) ?? self.counted(db)
    }

    /// `nil` if they are damaged.
    private static func storedTotals(_ db: Database) throws -> Totals? {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT count, bytes FROM total")),
            let count = try? row.checked("count", in: Self.plausibleTotals),
            let bytes = try? row.checked("bytes", in: Self.plausibleTotals)
        else { return nil }
        return Totals(count: count, bytes: bytes)
    }

    private func counted(_ db: Database) throws -> Totals {
        // First, so that no trigger computes with a damaged number.
        try db.execute(sql: "DELETE FROM total")
        let (least, most) = (Self.plausibleSpace.lowerBound, Self.plausibleSpace.upperBound)
        try db.execute(
            sql: "DELETE FROM original WHERE typeof(space) <> 'integer' OR space NOT BETWEEN \(least) AND \(most)")
        if db.changesCount > 0 {
            self.damage.record("original", count: db.changesCount, because: "space is out of range")
        }
        try db.execute(sql: "INSERT INTO total (only, count, bytes) SELECT 1, * FROM (\(Self.counts))")
        guard let totals = try Self.storedTotals(db) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the space of a row is out of range")
        }
        return totals
    }
}
