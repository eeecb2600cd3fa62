import HTTPSemantics
import HTTPTypes
import MovieDomain
import MovieHTTP

/// The links to the preceding and the following page of a list.
struct PageMore: Sendable {
    static let parameter = "page"

    /// The value of `more` in templates; `nil` for a list of one page.
    let model: Model?

    /// - Parameters:
    ///   - total: The number of existing pages; 0 for an empty list, which has one page without rows.
    ///   - limit: The last page that can be requested.
    /// - Throws: ``PageRedirection`` to the last page for a page after it. A part of a page is empty instead: scripts
    ///   append its rows to the preceding page.
    init(page: Int, of total: Int, limit: Int = .max, in request: PageRequest) throws(PageRedirection) {
        let last = max(1, min(total, limit))
        let address = { (page: Int) in request.address([Self.parameter: page == 1 ? nil : String(page)]) }
        guard page <= last || request.isPart else {
            throw PageRedirection(to: address(last), status: .found)
        }
        guard last > 1 || page > 1 else {
            self.model = nil
            return
        }
        self.model = [
            "previousURL": page > 1 ? address(min(page - 1, last)) : nil,
            "nextURL": page < last ? address(page + 1) : nil,
            "position": page <= last
                ? request.formats("pageOf", ["page": String(page), "pages": String(last)]) : nil,
        ]
    }

    init<Element>(
        _ page: MovieDomain.Page<Element>, limit: Int = .max, in request: PageRequest
    ) throws(PageRedirection) {
        try self.init(page: page.number, of: page.totalPages, limit: limit, in: request)
    }
}

extension PageRequest {
    /// The number of the requested page of a list; 1 without the parameter.
    ///
    /// - Parameter limit: The last page that can be requested.
    /// - Throws: ``PageRedirection`` to `limit` for a later page; ``Problem`` for text that is no page number.
    func pageNumber(upTo limit: Int = QueryParameters.pageLimit) throws -> Int {
        let limit = max(1, limit)
        if let number = self[PageMore.parameter].flatMap({ QueryParameters.number($0) }), number > limit {
            throw PageRedirection(to: self.address([PageMore.parameter: String(limit)]), status: .found)
        }
        return try self.query.page(upTo: limit)
    }
}
