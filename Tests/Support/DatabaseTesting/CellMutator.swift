import FoundationEssentials
package import GRDB

/// Overwrites cells with values that their columns do not allow, as damaged pages and other programs may.
///
/// The same seed gives the same mutations in every run.
package struct CellMutator {
    /// Mutations per test, set by `ONESHEET_MUTATIONS`; 40 by default, about 200 in the tests of all database files
    /// together.
    package static let count =
        ProcessInfo.processInfo.environment["ONESHEET_MUTATIONS"].flatMap { Int($0) } ?? 40

    /// The values as SQL expressions.
    private static let values = [
        "NULL", "-9223372036854775808", "9223372036854775807", "-1", "0", "1", "20000", "4503599627370497", "0.5",
        "1e300", "-1e300", "9e999", "-9e999", "''", "'NaN'", "'abc'", "'18446744073709551615'", "X''", "X'00'",
        "X'FFFE41'", "CAST(X'FFFE41' AS TEXT)", "CAST(X'C0' AS TEXT)", "CAST(X'410042' AS TEXT)", "zeroblob(100000)",
        "hex(zeroblob(50000))", "'film-1'", "'tmdb:1'", "'2026-02-30'", "'{}'", "'[]'",
        """
        '{"title":"A","year":-9223372036854775808,"score":{"average":1e308,"count":9223372036854775807},
        "poster":{"url":"https://a.test/1","width":9223372036854775807,"height":9223372036854775807}}'
        """,
    ]

    private struct Table {
        let name: String
        let sql: String
        let key: String
        let columns: [String]
    }

    private let tables: Set<String>?
    private var state: UInt64

    /// - Parameter tables: Tables to mutate; `nil` for all.
    package init(seed: Int, tables: Set<String>? = nil) {
        self.tables = tables
        self.state = UInt64(truncatingIfNeeded: seed)
    }

    /// Overwrites one cell, outside a transaction; at least one of the tables must have a row.
    ///
    /// Suspends STRICT, NOT NULL and checks of the table meanwhile: SQLite verifies them only when a value is written.
    ///
    /// - Returns: The cell and the SQL of its value.
    @discardableResult
    package mutating func mutate(_ db: Database) throws -> String {
        let tables = try Self.tables(db).filter { self.tables?.contains($0.name) ?? true }
        while true {
            let table = tables[self.random(below: tables.count)]
            let column = table.columns[self.random(below: table.columns.count)]
            let value = Self.values[self.random(below: Self.values.count)]
            let rowCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table.name)\"") ?? 0
            guard rowCount > 0 else { continue }
            let row = self.random(below: rowCount)
            do {
                try Self.withoutConstraints(of: table, db) {
                    try db.execute(
                        sql: """
                            UPDATE OR IGNORE "\(table.name)" SET "\(column)" = \(value) WHERE "\(table.key)" =
                                (SELECT "\(table.key)" FROM "\(table.name)" LIMIT 1 OFFSET \(row))
                            """)
                }
            } catch let error as DatabaseError
                where [.SQLITE_MISMATCH, .SQLITE_CONSTRAINT].contains(error.resultCode)
            {
                // A row id must be an integer, and triggers may reject a value.
                continue
            }
            return "\(table.name).\(column) of row \(row) = \(value)"
        }
    }

    private static func tables(_ db: Database) throws -> [Table] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT tables.name, tables.sql, group_concat(columns.name) AS columns
                FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.name <> 'grdb_migrations'
                GROUP BY tables.name
                """)
        return try Row.fetchAll(statement).map { row in
            let (name, sql, columns): (String, String, String) = (row["name"], row["sql"], row["columns"])
            let names = columns.split(separator: ",").map { String($0) }
            return Table(name: name, sql: sql, key: sql.contains("WITHOUT ROWID") ? names[0] : "rowid", columns: names)
        }
    }

    private static func withoutConstraints(of table: Table, _ db: Database, _ body: () throws -> Void) throws {
        let loose = table.sql.replacing("STRICT, ", with: "").replacing("STRICT", with: "")
            .replacing("NOT NULL", with: "")
        try db.execute(
            sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; PRAGMA writable_schema = ON")
        defer {
            do {
                try db.execute(
                    sql: """
                        PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF; PRAGMA writable_schema = OFF
                        """)
            } catch {
                preconditionFailure("constraints stay suspended: \(error)")
            }
        }
        try Self.replaceSchema(of: table, loose, db)
        let result = Result { try body() }
        try Self.replaceSchema(of: table, table.sql, db)
        try result.get()
    }

    private static func replaceSchema(of table: Table, _ sql: String, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", arguments: [sql, table.name])
        // A new schema version makes every connection read the schema again.
        let version = try Int.fetchOne(db, sql: "PRAGMA schema_version") ?? 0
        try db.execute(sql: "PRAGMA schema_version = \(version + 1)")
        try db.execute(sql: "PRAGMA writable_schema = RESET; PRAGMA writable_schema = ON")
    }

    /// SplitMix64 (Steele et al. 2014).
    private mutating func random(below limit: Int) -> Int {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }
}
