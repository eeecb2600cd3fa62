package import GRDB

/// Rows of strict tables with values that their columns cannot have, as a damaged page may hold them: of other types, or NULL.
///
/// SQLite verifies the types of a whole row when any of its columns is updated, and what triggers compute from its values,
/// so that a statement fails that meets one.
package enum MistypedRows {
    private static let storageClasses = [
        "INTEGER": "integer", "INT": "integer", "REAL": "real", "TEXT": "text", "BLOB": "blob",
    ]

    /// Whether a statement failed because of one.
    package static func areCause(of error: any Error) -> Bool {
        guard let code = (error as? DatabaseError)?.extendedResultCode else { return false }
        return [.SQLITE_CONSTRAINT_DATATYPE, .SQLITE_CONSTRAINT_NOTNULL].contains(code)
    }

    /// Deletes those of all tables.
    /// - Parameter db: In a writing transaction.
    package static func delete(from db: Database, _ damage: DamagedRecords) throws {
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict")
        for table in tables {
            let columns = try Row.fetchAll(db, sql: "SELECT * FROM pragma_table_info(?)", arguments: [table])
            let conditions = try columns.compactMap { row -> String? in
                guard let storageClass = Self.storageClasses[try row.checked("type")] else { return nil }
                let allowed = try row.checked("notnull", as: Bool.self) ? "" : ", 'null'"
                let column = try row.checked("name", as: String.self)
                return "typeof(\"\(column)\") NOT IN ('\(storageClass)'\(allowed))"
            }
            guard !conditions.isEmpty else { continue }
            try db.execute(sql: "DELETE FROM \(table) WHERE \(conditions.joined(separator: " OR "))")
            damage.record(table, count: db.changesCount, because: "a column has another type")
        }
    }
}
