import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain

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

/// What has to be shown wherever the data of some sources is.
enum Attribution {
    /// - Returns: nil when nothing has to be shown.
    static func texts(of sources: some Sequence<MovieSource>) -> [String]? {
        let sources = Set(sources)
        let texts = MovieSource.allCases.filter(sources.contains).compactMap(\.attribution)
        return texts.isEmpty ? nil : texts
    }
}

/// Where the other pages of a list are (RFC 8288).
struct PageLinks {
    private let path: String
    private let others: [(name: String, value: String)]
    private let publicURL: PublicURL?

    /// - Parameters:
    ///   - target: Of the request: its parameters are those of the other pages too, but for `page`.
    ///   - publicURL: Where clients reach the server.
    /// - Throws: ``Problem`` for malformed percent-encoding.
    init(_ target: RequestTarget, publicURL: PublicURL?) throws(Problem) {
        var path = ""
        for segment in target.segments {
            // Once more, so that nothing in it ends the link.
            path += "/" + PercentEncoding.encode((PercentEncoding.decode(segment) ?? String(segment)).utf8)
        }
        self.path = path
        self.others = try target.parameters().filter { $0.name != "page" }
        self.publicURL = publicURL
    }

    /// The header's value: first and last always, the neighbours where there are any.
    ///
    /// - Parameters:
    ///   - page: From 1; behind the last page, the one before it is the last.
    ///   - totalPages: That can be asked for.
    func fieldValue(page: Int, totalPages: Int) -> String {
        let last = max(1, totalPages)
        var pages: [(relation: String, page: Int)] = [("first", 1)]
        if page > 1 { pages.append(("prev", min(page - 1, last))) }
        if page < last { pages.append(("next", page + 1)) }
        pages.append(("last", last))
        return pages.map { "<\(self.address(of: $0.page))>; rel=\"\($0.relation)\"" }.joined(separator: ", ")
    }

    private func address(of page: Int) -> String {
        let query = (self.others + [("page", "\(page)")])
            .map { "\(PercentEncoding.encode($0.name.utf8))=\(PercentEncoding.encode($0.value.utf8))" }
        return self.publicURL.address(of: "\(self.path)?\(query.joined(separator: "&"))")
    }
}
