import FoundationEssentials
import GRDB
import RebuildableDatabase

/// A value of a column.
package enum LibraryValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// Converts a value of SQLite. A fraction is damage: users' data contains none.
    init(_ value: DatabaseValue) throws(DamagedRow) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double: throw DamagedRow("a number is not an integer")
        case .string(let text): self = .text(text)
        case .blob(let data): self = .bytes(Array(data))
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}

extension LibraryDatabase {
    /// Rows of a table in the order of its column `sequence`, without damaged ones. The first value of a row is its
    /// `sequence`; the table's other columns follow.
    ///
    /// - Parameter sequence: Exclusive lower bound of the rows' `sequence`.
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func rows(
        of table: LibraryTable, after sequence: Int64, limit: Int
    ) async throws -> [[LibraryValue]] {
        let columns = table.columns.map(\.sqlite).joined(separator: ", ")
        return try await self.read { db in
            var last = sequence
            while true {
                let statement = try db.cachedStatement(
                    sql: """
                        SELECT sequence, \(columns) FROM \(table.sqlite) WHERE sequence > ? ORDER BY sequence LIMIT ?
                        """)
                var count = 0
                let rows = try self.damage.rows(statement, [last, limit], of: table.sqlite) { row in
                    count += 1
                    last = try row.checked("sequence")
                    return try row.databaseValues.map { try LibraryValue($0) }
                }
                // More rows may follow a batch of damaged ones.
                if !rows.isEmpty || count < limit { return rows }
            }
        }
    }

    /// Inserts rows without their sequences. Existing rows are unchanged.
    ///
    /// - Returns: The number of inserted rows.
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func insert(_ rows: [[LibraryValue]], into table: LibraryTable) async throws -> Int {
        let columns = table.columns.map(\.sqlite)
        // Not OR IGNORE: the tables have their own conflict rules, which would replace existing rows.
        let sql = """
            INSERT INTO \(table.sqlite) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT DO NOTHING
            """
        return try await self.write { db in
            var count = 0
            for row in rows {
                try db.execute(sql: sql, arguments: StatementArguments(row.map(\.databaseValue)))
                count += db.changesCount
            }
            return count
        }
    }
}
