import MovieDomain

/// The links to the preceding and the following page of a list.
struct PageMore: Sendable {
    /// The value of `more` in templates; `nil` for a list of one page.
    let model: Model?

    /// - Parameters:
    ///   - total: The number of existing pages.
    ///   - limit: The last page that can be requested.
    ///   - parameter: The parameter with the page's number.
    init(page: Int, of total: Int, limit: Int = .max, parameter: String = "page", in request: PageRequest) {
        let last = min(total, limit)
        guard last > 1 || page > 1 else {
            self.model = nil
            return
        }
        let address = { (page: Int) in request.address([parameter: page == 1 ? nil : String(page)]) }
        self.model = [
            "previousURL": page > 1 ? address(min(page - 1, max(1, last))) : nil,
            "nextURL": page < last ? address(page + 1) : nil,
            "position": request.formats("pageOf", ["page": String(page), "pages": String(max(last, page))]),
        ]
    }

    init<Element>(_ page: MovieDomain.Page<Element>, limit: Int = .max, in request: PageRequest) {
        self.init(page: page.number, of: page.totalPages, limit: limit, in: request)
    }
}
