/// A page of a list.
package struct Page<Element: Sendable>: Sendable {
    /// From 1.
    package let number: Int
    /// Empty after the last page.
    package let results: [Element]
    /// The number of pages; 0 for an empty list.
    package let totalPages: Int
    /// The number of elements of the list; not all may be reachable.
    package let totalResults: Int

    /// Negative counts are treated as 0, and page numbers below 1 as 1.
    package init(number: Int, results: [Element], totalPages: Int, totalResults: Int) {
        self.number = max(1, number)
        self.results = results
        self.totalPages = max(0, totalPages)
        self.totalResults = max(0, totalResults)
    }

    /// Creates a page of a source, and corrects counts that contradict it: a page with rows is not after the last page,
    /// a page without rows is.
    ///
    /// - Parameters:
    ///   - results: The rows to show.
    ///   - hasRows: Whether the source's page has rows, including rows that are not shown.
    ///   - totalPages: The source's number of pages.
    ///   - totalResults: The source's number of results.
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

    /// Creates a page from the complete list.
    /// - Parameter size: The size of a page, at least 1.
    package init(_ number: Int, of all: [Element], size: Int) {
        let (number, size) = (max(1, number), max(1, size))
        let start = min((number - 1).multipliedReportingOverflow(by: size).partialValue, all.count)
        self.init(
            number: number, results: start < 0 ? [] : Array(all[start..<min(all.count, start + size)]),
            totalPages: (all.count + size - 1) / size, totalResults: all.count)
    }

    package func limited(to limit: Int) -> Page { self.replacing(Array(self.results.prefix(limit))) }

    package func replacing<Other: Sendable>(_ results: [Other]) -> Page<Other> {
        Page<Other>(
            number: self.number, results: results, totalPages: self.totalPages, totalResults: self.totalResults)
    }
}

extension Page: Equatable where Element: Equatable {}
