package import GRDB

/// Rows of strict tables with values that are invalid for their columns, as in a damaged page.
///
/// SQLite verifies the types of a whole row when any of its columns is updated, so a statement that touches such a row
/// fails.
package enum MistypedRows {
    private static let storageClasses = [
        "INTEGER": "integer", "INT": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob",
    ]

    /// Whether a mistyped row made a statement fail.
    package static func areCause(of error: any Error) -> Bool {
        switch (error as? DatabaseError)?.extendedResultCode {
        case .SQLITE_CONSTRAINT_DATATYPE?, .SQLITE_CONSTRAINT_NOTNULL?: true
        default: false
        }
    }

    /// Deletes mistyped rows from all tables.
    /// - Parameter db: A connection in a write transaction.
    package static func delete(from db: Database, _ damage: DamagedRecords) throws {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict")
        for table in tables {
            let columns = try Row.fetchAll(
                db, sql: "SELECT name, type, \"notnull\" AS isRequired FROM pragma_table_info(?)", arguments: [table])
            let conditions = try columns.compactMap { row -> String? in
                guard let storageClass = Self.storageClasses[try row.checked("type")] else { return nil }
                let classes = try "'\(storageClass)'" + (row.checked("isRequired") ? "" : ", 'null'")
                return "typeof(\"\(try row.checked("name", as: String.self))\") NOT IN (\(classes))"
            }
            guard !conditions.isEmpty else { continue }
            try db.execute(sql: "DELETE FROM \(table) WHERE \(conditions.joined(separator: " OR "))")
            damage.record(table, count: db.changesCount, because: "a column has the wrong type")
        }
    }
}
