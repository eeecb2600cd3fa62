import HTTPSemantics
import MovieDomain

/// The parameters of a request in OMDb's format: a film by id or title, or a search.
struct OMDbRequest: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        /// An IMDb id, such as `tt0133093`.
        case id(String)
        case title(String)
        case search(String)
    }

    enum Kind: String, Hashable, Sendable {
        case movie, series, episode, game

        var name: String { self.rawValue.prefix(1).uppercased() + self.rawValue.dropFirst() }
    }

    static let pageSize = 10
    private static let pages = 1...100
    /// The longest search, in characters, that OMDb refuses for its number of results.
    private static let shortSearch = 2
    private static let names = ["i", "t", "s", "type", "y", "plot", "page", "Season", "Episode"]

    let subject: Subject
    let kind: Kind?
    let year: Int?
    let hasFullPlot: Bool
    /// The page of a search, from 1.
    let page: Int

    /// - Throws: ``OMDbFault`` without a subject, and for an invalid id or page.
    init(_ request: CompatibleRequest) throws(OMDbFault) {
        if let id = request["i"] {
            guard MovieID(source: .omdb, key: id) != nil else { throw .id }
            self.subject = .id(id)
        } else if let title = request["t"] {
            self.subject = .title(title)
        } else if let text = request["s"] {
            self.subject = .search(text)
        } else {
            throw .id
        }
        self.kind = request["type"].flatMap { Kind(rawValue: $0.lowercased()) }
        self.year = request["y"].flatMap { QueryParameters.number($0) }
        self.hasFullPlot = request["plot"]?.lowercased() == "full"
        guard let text = request["page"] else {
            self.page = 1
            return
        }
        guard let page = QueryParameters.number(text), Self.pages.contains(page) else {
            throw .notFound(self.kind ?? .movie)
        }
        self.page = page
    }

    /// The fault for a request without a result.
    ///
    /// - Parameter isOfUpstream: Whether OMDb responded, which refuses searches that are too short.
    func fault(isOfUpstream: Bool) -> OMDbFault {
        if isOfUpstream, case .search(let text) = self.subject, text.count <= Self.shortSearch { return .tooMany }
        return .notFound(self.kind ?? .movie)
    }

    /// The request to OMDb, with the parameters that it supports.
    ///
    /// - Parameter request: The request from which this value was parsed.
    func upstream(_ request: CompatibleRequest) -> DocumentRequest {
        let query = Self.names.compactMap { name in request[name].map { (name: name, value: $0) } }
        return DocumentRequest("/", query: query + [("r", "json")])
    }
}
