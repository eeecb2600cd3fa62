import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /apps/search`, `GET /apps/today` and `GET /apps/{id}`
struct AppsController: Sendable {
    private static let listSeconds = 300
    private static let appSeconds = 3600

    private let responses: MovieResponses
    private let store: any AppStoreRepository

    init(_ responses: MovieResponses) {
        self.responses = responses
        self.store = responses.services.store
    }

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/apps/search", known: ["term", "offset", "limit"], on: router, self.found)
        self.responses.get("/apps/today", on: router, self.today)
        self.responses.get("/apps/:id", on: router, self.app)
    }

    private struct Found: Encodable {
        let results: [AppObject]
        let offset, limit: Int
        let hasMore: Bool
    }

    private struct Today: Encodable {
        let featured: Nullable<AppObject>
        let list: [AppObject]
    }

    @Sendable
    private func found(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let offset = try parsed.query.number("offset", in: AppQuery.offsets) ?? 0
        let limit = try parsed.query.number("limit", in: AppQuery.limits) ?? AppQuery.defaultLimit
        guard let query = AppQuery(parsed.query["term"] ?? "", offset: offset, limit: limit) else {
            throw Problem(.invalidParameter, "term must be 1 to \(AppQuery.maxLength) characters")
        }
        let results = try await SearchApps(store: self.store)(query, language: parsed.language)
        return try EncodedResponse.json(
            Found(
                results: try self.objects(results.apps, parsed), offset: offset, limit: limit, hasMore: results.hasMore),
            caching: .shared(seconds: Self.listSeconds), variance: parsed.languages.variance,
            links: self.links(query, hasMore: results.hasMore, parsed))
    }

    @Sendable
    private func today(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let today = try await self.store.today(language: parsed.language)
        return try EncodedResponse.json(
            Today(
                featured: Nullable(
                    try today.featured.map { try AppObject($0, in: parsed.language, self.responses.pictures) }),
                list: try self.objects(today.list, parsed)),
            caching: .shared(seconds: Self.listSeconds), variance: parsed.languages.variance)
    }

    @Sendable
    private func app(_ parsed: MovieRequest) async throws -> EncodedResponse {
        guard let id = parsed.decodedSegment(1).flatMap({ StoreAppID($0) }) else {
            throw Problem(
                .invalidID,
                "the id is not an app id; it must be like itunes:361309726, or a name in the embedded store")
        }
        let show = ShowApp(store: self.store, off: self.responses.services.sources.options)
        let (app, sections) = try await show(id, language: parsed.language)
        return try EncodedResponse.json(
            try AppObject(app, sections: sections, in: parsed.language, self.responses.pictures),
            caching: .shared(seconds: Self.appSeconds), variance: parsed.languages.variance)
    }

    private func objects(_ apps: [StoreApp], _ parsed: MovieRequest) throws -> [AppObject] {
        try apps.map { try AppObject($0, in: parsed.language, self.responses.pictures) }
    }

    /// The value of `Link` for the first, preceding and following results (RFC 8288).
    private func links(_ query: AppQuery, hasMore: Bool, _ parsed: MovieRequest) -> String {
        let language = parsed.query[RequestedLanguages.parameter].map {
            "&\(RequestedLanguages.parameter)=\(PercentEncoding.encode($0.utf8))"
        }
        let address = { (offset: Int) in
            self.responses.useCases.publicURL.address(
                of:
                    "/apps/search?term=\(PercentEncoding.encode(query.term.utf8))&offset=\(offset)&limit=\(query.limit)\(language ?? "")"
            )
        }
        var links = ["<\(address(0))>; rel=\"first\""]
        if query.offset > 0 { links.append("<\(address(max(0, query.offset - query.limit)))>; rel=\"prev\"") }
        if hasMore { links.append("<\(address(query.offset + query.limit))>; rel=\"next\"") }
        return links.joined(separator: ", ")
    }
}
