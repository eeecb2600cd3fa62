import FoundationEssentials
import GRDB

/// A value of a column.
package enum LibraryValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// A value of SQLite; what users keep has no fractions.
    init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .integer(number)
        case .double(let number): self = .integer(Int64(number))
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
    /// Rows of a table in order, each with its sequence before its columns.
    ///
    /// - Parameter sequence: Of the row before the first.
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func rows(
        of table: LibraryTable, after sequence: Int64, limit: Int
    ) async throws -> [[LibraryValue]] {
        let columns = table.columns.map(\.sqlite).joined(separator: ", ")
        return try await self.read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT sequence, \(columns) FROM \(table.sqlite) WHERE sequence > ? ORDER BY sequence LIMIT ?",
                arguments: [sequence, limit]
            ).map { row in row.databaseValues.map(LibraryValue.init) }
        }
    }

    /// Inserts rows, without their sequences. One that is there already stays as it is.
    ///
    /// - Returns: How many are new.
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func insert(_ rows: [[LibraryValue]], into table: LibraryTable) async throws -> Int {
        let columns = table.columns.map(\.sqlite)
        // Not OR IGNORE: the tables have rules of their own for conflicts, which would replace what is there.
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
