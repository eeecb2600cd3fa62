import GRDB
import PosterPipeline

/// What is known of the stored originals beside their files, in SQLite: freshness, validators, lengths, last uses.
///
/// Everything in it but freshness and last uses can be made anew from the files, so it may be lost at any time.
/// Calls block.
final class OriginalIndex: Sendable {
    /// Made by a version of OneSheet that this one does not know.
    struct NewerVersion: Error {
        let version: Int
    }

    /// How many originals there are, and what they take of the disk, in bytes.
    struct Totals: Hashable {
        var count: Int64 = 0
        var bytes: Int64 = 0
    }

    /// What `PRAGMA user_version` says. Before 1 there were only files.
    static let version = 1
    /// How long another process that looks into the database may hold it up, in seconds.
    private static let busySeconds = 2.0
    private static let readerCount = 3

    let pool: DatabasePool

    /// Opens the database, which is created when it is missing. Takes the same time however many rows there are.
    ///
    /// - Throws: ``NewerVersion``, `DatabaseError`.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.label = "originals"
        configuration.maximumReaderCount = Self.readerCount
        configuration.busyMode = .timeout(Self.busySeconds)
        // With a write-ahead log and `synchronous` normal, which is GRDB's choice, power that fails takes the last
        // changes at most; the files are synchronised by themselves.
        self.pool = try DatabasePool(path: path, configuration: configuration)
        do {
            try self.pool.write { db in
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                guard version <= Self.version else { throw NewerVersion(version: version) }
                if version < 1 { try db.execute(sql: Self.schema + "PRAGMA user_version = 1;") }
                // Fails now rather than at each use if the tables are not what they are called.
                _ = try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM original, total LIMIT 1")
            }
        } catch {
            try self.pool.close()
            throw error
        }
    }

    /// Writes what is in the log into the database, and ends.
    ///
    /// - Throws: `DatabaseError`.
    func close() throws {
        let outcome = Result {
            try self.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        }
        try self.pool.close()
        try outcome.get()
    }

    /// Ends a database that is damaged, as far as it can be ended.
    ///
    /// - Throws: `DatabaseError`.
    func abandon() throws {
        try self.pool.close()
    }

    static let columns = """
        key, id, location, etag, lastModified, digest, length, format, width, height, fetchedAt, validatedAt, lifetime, \
        lastUsed
        """

    // The totals are kept by triggers, so that nothing has to be counted at a start.
    private static let schema = """
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
}
