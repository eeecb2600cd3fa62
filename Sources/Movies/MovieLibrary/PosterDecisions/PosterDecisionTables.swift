import GRDB

/// The tables of ``SQLitePosterDecisions``.
enum PosterDecisionTables {
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
            if version == Self.version {
                // Fails now rather than at each use if the table is not what it is called.
                _ = try Row.fetchOne(db, sql: "SELECT film, decision, expiresAt, rowid FROM posterDecision LIMIT 1")
                return
            }
            guard version == 0, try db.tableExists("posterDecision") == false else { throw OtherVersion() }
            try db.create(table: "posterDecision") { table in
                table.column("film", .text).notNull().unique(onConflict: .replace)
                table.column("decision", .blob).notNull()
                table.column("expiresAt", .integer).notNull()
            }
            try db.execute(sql: "PRAGMA user_version = \(Self.version)")
        }
        return database
    }
}
