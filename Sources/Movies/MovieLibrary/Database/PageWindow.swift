package import GRDB
package import MovieDomain
package import RebuildableDatabase

/// The OFFSET and LIMIT of a page.
package struct PageWindow {
    /// From 1.
    package let number: Int
    /// Rows per page, at least 1.
    package let size: Int

    package init(number: Int, size: Int) {
        self.number = max(1, number)
        self.size = max(1, size)
    }

    /// The page's rows without damaged ones, and the total number of rows.
    ///
    /// - Parameters:
    ///   - damage: Records damaged rows with the name of the table.
    ///   - count: A statement for the total number.
    ///   - select: A statement for all rows, in order.
    ///   - decode: Throws ``DamagedRow``.
    package func rows<Record>(
        _ db: Database, count: String, select: String, arguments: StatementArguments, of table: String,
        _ damage: DamagedRecords, decode: (Row) throws -> Record
    ) throws -> (records: [Record], total: Int) {
        let total = try Int.fetchOne(db.cachedStatement(sql: count), arguments: arguments) ?? 0
        let (offset, overflows) = (self.number - 1).multipliedReportingOverflow(by: self.size)
        guard !overflows else { return ([], total) }
        let statement = try db.cachedStatement(sql: "\(select) LIMIT ? OFFSET ?")
        return (try damage.rows(statement, arguments + [self.size, offset], of: table, decode), total)
    }

    package func page<Element>(_ results: [Element], of total: Int) -> Page<Element> {
        Page(
            number: self.number, results: results, totalPages: total / self.size + (total % self.size > 0 ? 1 : 0),
            totalResults: total)
    }
}
