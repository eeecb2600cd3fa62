/// A part of a list: pages are numbered from 1.
public struct Page<Element: Sendable>: Sendable {
    /// From 1.
    public let number: Int
    /// Empty behind the last page.
    public let results: [Element]
    /// 0 for an empty list.
    public let totalPages: Int
    /// Of the list; what can be reached may be less.
    public let totalResults: Int

    /// A page of a list; negative numbers are taken for 0, and a page before the first for the first.
    public init(number: Int, results: [Element], totalPages: Int, totalResults: Int) {
        self.number = max(1, number)
        self.results = results
        self.totalPages = max(0, totalPages)
        self.totalResults = max(0, totalResults)
    }

    /// Of a list that is there as a whole.
    ///
    /// - Parameter size: Of a page, at least 1.
    public init(_ number: Int, of all: [Element], size: Int) {
        let (number, size) = (max(1, number), max(1, size))
        let start = min((number - 1).multipliedReportingOverflow(by: size).partialValue, all.count)
        self.init(
            number: number, results: start < 0 ? [] : Array(all[start..<min(all.count, start + size)]),
            totalPages: (all.count + size - 1) / size, totalResults: all.count)
    }

    /// The same page of other elements.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Other
    ) throws(Failure) -> Page<Other> {
        Page<Other>(
            number: self.number, results: try self.results.map(transform), totalPages: self.totalPages,
            totalResults: self.totalResults)
    }
}

extension Page: Equatable where Element: Equatable {}
