package import MovieLibrary

/// The source or destination of a copy; rows are copied in order, in batches.
package enum LibraryEnd: Sendable {
    case file(LibraryDatabase)
    case server(PostgresLibrary)

    /// Maximum number of rows in memory.
    static let batch = 500

    /// - Parameter sequence: The sequence of the last row read.
    /// - Returns: At most ``batch`` rows, with their sequences before their columns.
    func rows(of table: LibraryTable, after sequence: Int64) async throws -> [[LibraryValue]] {
        switch self {
        case .file(let database): try await database.rows(of: table, after: sequence, limit: Self.batch)
        case .server(let library): try await library.rows(of: table, after: sequence, limit: Self.batch)
        }
    }

    /// Inserts rows without their sequences; existing rows are unchanged.
    /// - Returns: The number of inserted rows.
    func insert(_ rows: [[LibraryValue]], into table: LibraryTable) async throws -> Int {
        switch self {
        case .file(let database): try await database.insert(rows, into: table)
        case .server(let library): try await library.insert(rows, into: table)
        }
    }
}

/// The copied rows of a table.
package struct LibraryCopyCount: Hashable, Sendable {
    /// The table's name for messages.
    package let table: String
    package let copied: Int
    /// The number of rows that already existed.
    package let present: Int
}

/// Copies users' data from one library to another. Existing rows are unchanged, so that a copy can be repeated.
///
/// - Parameter report: Called for each table.
/// - Throws: `StorageFailure`, `CancellationError`; written batches are kept.
package func copyLibrary(
    from source: LibraryEnd, to destination: LibraryEnd, report: (LibraryCopyCount) -> Void
) async throws {
    for table in LibraryTable.all {
        var (sequence, copied, count) = (Int64.min, 0, 0)
        while true {
            let rows = try await source.rows(of: table, after: sequence)
            guard case .integer(let end)? = rows.last?.first else { break }
            sequence = end
            count += rows.count
            copied += try await destination.insert(rows.map { Array($0.dropFirst()) }, into: table)
        }
        report(LibraryCopyCount(table: table.name, copied: copied, present: count - copied))
    }
}

extension PostgresLibrary {
    fileprivate func rows(
        of table: LibraryTable, after sequence: Int64, limit: Int
    ) async throws -> [[LibraryValue]] {
        let columns = table.columns.map(\.postgres).joined(separator: ", ")
        return try await self.read { connection in
            try connection.execute(
                "SELECT sequence, \(columns) FROM \(table.postgres) WHERE sequence > $1 ORDER BY sequence LIMIT $2",
                [.integer(sequence), .integer(Int64(limit))]
            ).rows.map(\.values)
        }
    }

    fileprivate func insert(_ rows: [[LibraryValue]], into table: LibraryTable) async throws -> Int {
        let columns = table.columns.map(\.postgres)
        let sql = """
            INSERT INTO \(table.postgres) (\(columns.joined(separator: ", ")))
            VALUES (\(columns.indices.map { "$\($0 + 1)" }.joined(separator: ", "))) ON CONFLICT DO NOTHING
            """
        return try await self.write { connection in
            var count = 0
            for row in rows { count += try connection.execute(sql, row).changeCount }
            return count
        }
    }
}
