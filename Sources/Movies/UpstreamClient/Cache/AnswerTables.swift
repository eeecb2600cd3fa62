import GRDB

/// The tables of an ``AnswerStore``.
enum AnswerTables {
    /// The file is of another version of the program.
    struct OtherVersion: Error {}

    /// Of the tables, and of what is in them.
    private static let version = 1

    /// Makes the tables where there are none.
    ///
    /// - Throws: ``OtherVersion``; `DatabaseError`.
    static func prepared(_ database: any DatabaseWriter) throws -> any DatabaseWriter {
        try database.write { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if version == Self.version { return }
            guard version == 0, try db.tableExists("answer") == false else { throw OtherVersion() }
            try Self.make(db)
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
        }
        return database
    }

    private static func make(_ db: Database) throws {
        try db.create(table: "answer") { table in
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
        // With the sizes in it, no body is read to find out what is to go.
        try db.create(index: "answerUse", on: "answer", columns: ["usedAt", "byteCount"])
        try db.create(index: "answerAge", on: "answer", columns: ["source", "keptAt"])
        try db.create(table: "spent") { table in
            table.primaryKey("source", .text)
            table.column("day", .integer).notNull()
            table.column("requests", .integer).notNull()
        }
    }
}
