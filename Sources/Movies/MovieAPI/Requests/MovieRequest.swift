import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import MovieHTTP

/// A request for a movie resource, with validated parameters and languages.
struct MovieRequest: Sendable {
    /// The parameter that requests the client's marks on films.
    static let marksParameter = "marks"

    let request: Request
    let context: ServerRequestContext
    let query: QueryParameters
    let languages: RequestedLanguages
    let wantsMarks: Bool
    let client: String
    private let target: RequestTarget
    /// The film of ``imdbTitle``, once it is found.
    var film: MovieID?

    /// - Parameters:
    ///   - known: The resource's parameters besides `language`.
    ///   - own: The language of clients that request none.
    init(
        _ request: Request, _ context: ServerRequestContext, known: [String] = [], default own: Language
    ) throws(Problem) {
        self.request = request
        self.context = context
        self.client = context.clientAddress.description
        self.target = RequestTarget(request.uri.string)
        self.query = try QueryParameters(of: self.target, known: known)
        self.languages = try RequestedLanguages(self.query, headers: request.headers, default: own)
        self.wantsMarks =
            try self.query.value(Self.marksParameter, accepted: "true or false") { Bool($0) } ?? false
    }

    /// Percent-encoded.
    var path: String { String(self.target.path) }

    var language: LanguagePreference { self.languages.preference }

    /// The marks in the response shared by all clients.
    var marks: FilmMarks { self.wantsMarks ? .slots : .absent }

    /// A percent-decoded segment of the path; `nil` if its encoding is malformed.
    ///
    /// - Parameter place: From 0.
    func decodedSegment(_ place: Int) -> String? {
        self.target.segments.indices.contains(place) ? PercentEncoding.decode(self.target.segments[place]) : nil
    }

    /// - Throws: ``Problem`` of the kind `invalid-id` if ``decodedSegment(_:)`` is `nil`.
    func segment(_ place: Int) throws(Problem) -> String {
        guard let text = self.decodedSegment(place) else {
            throw Problem(.invalidID, "the path holds \(PercentEncoding.refusedTexts)")
        }
        return text
    }

    /// The IMDb title in a path such as `/movies/imdb:tt0111161`; `nil` for other paths.
    var imdbTitle: String? {
        let prefix = "imdb:"
        guard self.target.segments.first == "movies", let id = self.decodedSegment(1), id.hasPrefix(prefix) else {
            return nil
        }
        return MovieID(source: .omdb, key: String(id.dropFirst(prefix.count)))?.key
    }

    /// The film in the path's second segment.
    func movieID() throws(Problem) -> MovieID {
        if let film { return film }
        guard let id = MovieID(try self.segment(1)) else {
            let sources = MovieSource.allCases.filter(\.hasFilms).map(\.rawValue)
            throw Problem(
                .invalidID,
                "the id is not a film id; it must be [source:]key, such as tmdb:603, kobis:20228555 or nosferatu-1922; "
                    + "sources are imdb, " + sources.joined(separator: ", "))
        }
        return id
    }

    /// The value of `Link` (RFC 8288): the first and the last page of a list, and the neighbouring pages, if any.
    ///
    /// - Parameters:
    ///   - page: From 1. For a page after the last one, the preceding page is the last one.
    ///   - totalPages: The number of pages that can be requested.
    ///   - publicURL: The URL at which clients reach the server.
    /// - Throws: ``Problem`` for malformed percent-encoding.
    func links(page: Int, totalPages: Int, _ publicURL: PublicURL?) throws(Problem) -> String {
        let last = max(1, totalPages)
        var pages: [(relation: String, page: Int)] = [("first", 1)]
        if page > 1 { pages.append(("prev", min(page - 1, last))) }
        if page < last { pages.append(("next", page + 1)) }
        pages.append(("last", last))
        // Encoded again, so that no character ends the link.
        let path = self.target.segments.map { segment in
            "/" + PercentEncoding.encode((PercentEncoding.decode(segment) ?? String(segment)).utf8)
        }
        let others = try self.target.parameters().filter { $0.name != "page" }
        return pages.map { relation, page in
            let query = (others + [("page", "\(page)")])
                .map { "\(PercentEncoding.encode($0.name.utf8))=\(PercentEncoding.encode($0.value.utf8))" }
            let url = publicURL.address(of: "\(path.joined())?\(query.joined(separator: "&"))")
            return "<\(url)>; rel=\"\(relation)\""
        }.joined(separator: ", ")
    }
}

extension Request {
    /// The target of a request without parameters. `language` has no effect; some clients send it with every request.
    ///
    /// - Throws: ``Problem``, also for an invalid language.
    @discardableResult
    func targetWithoutParameters() throws(Problem) -> RequestTarget {
        let target = RequestTarget(self.uri.string)
        _ = try QueryParameters(of: target, known: []).language()
        return target
    }

    /// The film in the second segment of a path without parameters.
    func movieIDWithoutParameters() throws(Problem) -> MovieID {
        let target = try self.targetWithoutParameters()
        guard let text = PercentEncoding.decode(target.segments[1]), let id = MovieID(text) else {
            throw Problem(
                .invalidID,
                "the id is not a film id; it must be a name such as nosferatu-1922, or source:key such as tmdb:603")
        }
        return id
    }
}

extension QueryParameters {
    /// The parameters of a movie resource: `known` ones and `language`, each at most once.
    ///
    /// - Throws: ``Problem`` with the name of an unknown or repeated parameter.
    fileprivate init(of target: RequestTarget, known: [String]) throws(Problem) {
        let known = known + [RequestedLanguages.parameter]
        try self.init(
            try target.parameters(plusIsSpace: true), known: known, names: known.joined(separator: ", "))
    }
}
