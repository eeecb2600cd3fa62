import MovieDomain
import MovieHTTP

/// A page of a list as JSON.
struct PageObject<Element: Encodable & Sendable>: Encodable, Sendable {
    /// From 1.
    let page: Int
    let results: [Element]
    /// That can be asked for; 0 for an empty list.
    let totalPages: Int
    /// Of the list; what can be reached may be less.
    let totalResults: Int
    /// What has to be shown beside it; nil when nothing has to.
    let attribution: [String]?

    /// - Parameters:
    ///   - page: Whose number, pages and count these are.
    ///   - results: In place of the page's own.
    ///   - limit: The last page that can be asked for.
    init<Original>(_ page: Page<Original>, results: [Element], limit: Int, sources: [MovieSource] = []) {
        self.page = page.number
        self.results = results
        self.totalPages = min(page.totalPages, limit)
        self.totalResults = page.totalResults
        self.attribution = Attribution.texts(of: sources)
    }
}

/// A member that is null, not absent, when there is no value.
struct Nullable<Value: Encodable & Sendable>: Encodable, Sendable {
    private let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.value)
    }
}
