import GRDB
import HTTPSemantics
package import Logging
package import MovieDomain
import RebuildableDatabase
import Synchronization

package struct StoredResponse: Sendable, Hashable {
    /// 200, or 404 for a missing resource, whatever the upstream's status was.
    package var status: Int
    /// The entity tag with its quotes; `nil` also if it cannot be sent back.
    package var etag: String?
    /// The time of receipt or of the last revalidation.
    package var storedAt: Instant
    package var freshUntil: Instant
    /// Empty for a 404.
    package var body: [UInt8]

    package init(status: Int, etag: String?, storedAt: Instant, freshUntil: Instant, body: [UInt8]) {
        self.status = status
        self.etag = etag.flatMap(ReceivedValidator.entityTag)
        self.storedAt = storedAt
        self.freshUntil = freshUntil
        self.body = body
    }

    var response: UpstreamResponse { UpstreamResponse(status: self.status, etag: self.etag, body: self.body) }
}

/// Stores responses of upstreams and their daily request counts in an SQLite file. The file can be deleted at any time:
/// responses are then requested again.
///
/// A damaged file, or a file of another version, is replaced by an empty one. It contains no secrets: the keys of
/// responses are paths and parameters without API keys and sessions.
package final class ResponseStore: Sendable {
    /// The size limits of a store.
    package struct Limits: Sendable, Hashable {
        /// The size limit of all responses in bytes, `64 MiB` by default; the least recently used are evicted in
        /// batches.
        package var bytes = 64 << 20
        /// The size limit of one response in bytes, `4 MiB` by default; larger ones are not stored.
        package var responseBytes = 4 << 20

        package init() {}
    }

    package let limits: Limits
    let database: RebuildableDatabase
    /// Damaged rows, which are deleted when found.
    var damage: DamagedRecords { self.database.damage }
    /// Bytes stored since the total size was last computed. Starts at the limit for a file, so that the first response
    /// computes the total.
    let addedBytes: Mutex<Int>

    /// Opens the file; creates it if it is missing.
    ///
    /// - Parameter path: `nil` for a store in memory.
    package init(
        path: String? = nil, limits: Limits = Limits(), logger: Logger = Logger(label: "onesheet")
    ) throws {
        self.limits = limits
        self.addedBytes = Mutex(path == nil ? 0 : limits.bytes)
        self.database = RebuildableDatabase(
            path: path, schema: Self.schema, store: "answers", logger: logger,
            rebuildMessage: "The stored upstream responses are damaged or of another version, and are replaced")
        try self.database.open()
    }

    /// Checkpoints the write-ahead log and closes the file; later calls throw.
    package func close() throws { try self.database.close() }

    private static let schema = DatabaseSchema(migrations: [
        { db in try ResponseStore.createTables(db) },
        // Strict tables, with the rows that conform to them.
        { db in
            for name in ["answer", "spent"] { try db.rename(table: name, to: "old_\(name)") }
            for name in ["answerUse", "answerAge"] { try db.drop(index: name) }
            try ResponseStore.createTables(db, options: .strict)
            try db.execute(
                sql: """
                    INSERT INTO answer SELECT * FROM old_answer
                    WHERE typeof(source) = 'text' AND typeof(key) = 'text' AND typeof(status) = 'integer'
                        AND typeof(etag) IN ('text', 'null') AND typeof(keptAt) = 'integer'
                        AND typeof(freshUntil) = 'integer' AND typeof(usedAt) = 'integer'
                        AND typeof(byteCount) = 'integer' AND typeof(body) = 'blob' ORDER BY rowid;
                    INSERT INTO spent SELECT * FROM old_spent
                    WHERE typeof(source) = 'text' AND typeof(day) = 'integer' AND typeof(requests) = 'integer';
                    DROP TABLE old_answer; DROP TABLE old_spent;
                    """)
        },
    ])

    private static func createTables(_ db: Database, options: TableOptions = []) throws {
        try db.create(table: "answer", options: options) { table in
            table.column("source", .text).notNull()
            table.column("key", .text).notNull()
            table.column("status", .integer).notNull()
            table.column("etag", .text)
            table.column("keptAt", .integer).notNull()
            table.column("freshUntil", .integer).notNull()
            table.column("usedAt", .integer).notNull()
            table.column("byteCount", .integer).notNull()
            table.column("body", .blob).notNull()
            table.primaryKey(["source", "key"])
        }
        // Includes the sizes, so that eviction reads no bodies.
        try db.create(index: "answerUse", on: "answer", columns: ["usedAt", "byteCount"])
        try db.create(index: "answerAge", on: "answer", columns: ["source", "keptAt"])
        try db.create(table: "spent", options: options) { table in
            table.primaryKey("source", .text)
            table.column("day", .integer).notNull()
            table.column("requests", .integer).notNull()
        }
    }
}
