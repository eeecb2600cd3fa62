package import GRDB
package import MovieDomain

/// The rows of a page: OFFSET and LIMIT.
package struct PageWindow {
    /// From 1.
    package let number: Int
    /// Of a page, at least 1.
    package let size: Int

    package init(number: Int, size: Int) {
        self.number = max(1, number)
        self.size = max(1, size)
    }

    /// The page's rows, and the number of all.
    ///
    /// - Parameters:
    ///   - count: Selects that number.
    ///   - select: Selects all rows, in order.
    ///   - arguments: Of both statements.
    package func rows<Record: FetchableRecord>(
        _ db: Database, count: String, select: String, arguments: StatementArguments
    ) throws -> (records: [Record], total: Int) {
        let total = try Int.fetchOne(db.cachedStatement(sql: count), arguments: arguments) ?? 0
        let (offset, overflows) = (self.number - 1).multipliedReportingOverflow(by: self.size)
        guard !overflows else { return ([], total) }
        let statement = try db.cachedStatement(sql: "\(select) LIMIT ? OFFSET ?")
        return (try Record.fetchAll(statement, arguments: arguments + [self.size, offset]), total)
    }

    package func page<Element>(_ results: [Element], of total: Int) -> Page<Element> {
        Page(
            number: self.number, results: results, totalPages: total / self.size + (total % self.size > 0 ? 1 : 0),
            totalResults: total)
    }
}
