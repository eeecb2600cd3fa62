/// A page of a list.
package struct Page<Element: Sendable>: Sendable {
    /// From 1.
    package let number: Int
    /// Empty after the last page.
    package let results: [Element]
    /// The number of pages; 0 for an empty list.
    package let totalPages: Int
    /// The number of elements of the list; fewer may be reachable.
    package let totalResults: Int

    /// A page of a list; negative counts are treated as 0, page numbers below 1 as 1.
    package init(number: Int, results: [Element], totalPages: Int, totalResults: Int) {
        self.number = max(1, number)
        self.results = results
        self.totalPages = max(0, totalPages)
        self.totalResults = max(0, totalResults)
    }

    /// A page as a source has it, with counts that agree with it: one with rows is not after the last page, one without is.
    ///
    /// - Parameters:
    ///   - results: Without rows that are not shown.
    ///   - hasRows: Whether the source's page has rows.
    ///   - totalPages: By the source.
    ///   - totalResults: By the source.
    package init(
        number: Int, results: [Element], hasRows: Bool, statedPages totalPages: Int, statedResults totalResults: Int
    ) {
        let number = max(1, number)
        let isEmptyList = !hasRows && number == 1
        self.init(
            number: number, results: results,
            totalPages: hasRows ? max(totalPages, number) : min(totalPages, number - 1),
            totalResults: isEmptyList ? 0 : max(totalResults, results.count))
    }

    /// A page of a complete list.
    /// - Parameter size: The size of a page, at least 1.
    package init(_ number: Int, of all: [Element], size: Int) {
        let (number, size) = (max(1, number), max(1, size))
        let start = min((number - 1).multipliedReportingOverflow(by: size).partialValue, all.count)
        self.init(
            number: number, results: start < 0 ? [] : Array(all[start..<min(all.count, start + size)]),
            totalPages: (all.count + size - 1) / size, totalResults: all.count)
    }

    /// The same page without the elements beyond a limit.
    package func limited(to limit: Int) -> Page { self.replacing(Array(self.results.prefix(limit))) }

    /// The same page of the list with other elements.
    package func replacing<Other: Sendable>(_ results: [Other]) -> Page<Other> {
        Page<Other>(
            number: self.number, results: results, totalPages: self.totalPages, totalResults: self.totalResults)
    }
}

extension Page: Equatable where Element: Equatable {}
