import MovieDomain
import MovieHTTP

/// A page of a list as JSON.
struct PageObject<Element: Encodable & Sendable>: Encodable, Sendable {
    /// From 1.
    let page: Int
    let results: [Element]
    /// The number of pages that can be requested; 0 for an empty list.
    let totalPages: Int
    /// The size of the list; fewer results may be accessible.
    let totalResults: Int
    /// `nil` if no source requires a notice.
    let attribution: [String]?

    /// - Parameters:
    ///   - page: The page with number, number of pages and number of results.
    ///   - results: The page's elements as JSON objects.
    ///   - limit: The last page that can be requested.
    init<Original>(_ page: Page<Original>, results: [Element], limit: Int, sources: [MovieSource] = []) {
        self.page = page.number
        self.results = results
        self.totalPages = min(page.totalPages, limit)
        self.totalResults = page.totalResults
        self.attribution = Attribution.texts(of: sources)
    }
}

/// A member that is null rather than absent without a value.
struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
    private let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.value)
    }
}
