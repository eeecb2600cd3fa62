import GRDB
import PosterPipeline
import RebuildableDatabase

/// The rows of the stored originals beside their files, in SQLite: freshness, validators, lengths, last uses.
///
/// Everything in it but freshness and last uses can be rebuilt from the files, so it may be lost at any time.
/// Calls block.
struct OriginalIndex {
    /// How many originals there are, and what they take of the disk, in bytes.
    struct Totals: Hashable {
        var count: Int64 = 0
        var bytes: Int64 = 0
    }

    /// For another process that holds the database, in seconds.
    private static let busySeconds = 2.0
    private static let readerCount = 3

    let database: any DatabaseWriter

    /// Uses a database of ``schema``.
    init(_ database: any DatabaseWriter) {
        self.database = database
    }

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
}
