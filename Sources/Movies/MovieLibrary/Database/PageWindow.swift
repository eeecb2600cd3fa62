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

    /// How many rows come before; nil for more than there can be.
    package var offset: Int? {
        let (offset, overflows) = (self.number - 1).multipliedReportingOverflow(by: self.size)
        return overflows ? nil : offset
    }

    package func page<Element>(_ results: [Element], of total: Int) -> Page<Element> {
        Page(
            number: self.number, results: results, totalPages: total / self.size + (total % self.size > 0 ? 1 : 0),
            totalResults: total)
    }
}
