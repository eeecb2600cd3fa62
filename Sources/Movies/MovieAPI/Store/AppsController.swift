import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import PosterAPI

/// `GET /apps/search`, `GET /apps/today` and `GET /apps/{id}`
struct AppsController: Sendable {
    /// For how long caches may keep what was found, in seconds.
    private static let listSeconds = 300
    /// For how long caches may keep an app, in seconds.
    private static let appSeconds = 3600

    private let responses: MovieResponses
    private let search: SearchApps
    private let show: ShowApp
    private let showToday: ShowToday

    init(_ responses: MovieResponses) {
        self.responses = responses
        self.search = SearchApps(store: responses.services.store)
        self.show = ShowApp(store: responses.services.store, off: responses.services.sources.options)
        self.showToday = ShowToday(store: responses.services.store)
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/apps/search", use: self.found)
        router.get("/apps/today", use: self.today)
        router.get("/apps/:id", use: self.app)
    }

    private struct Found: Encodable {
        let results: [AppObject]
        let offset, limit: Int
        let hasMore: Bool
    }

    private struct Today: Encodable {
        private enum CodingKeys: String, CodingKey {
            case featured, list
        }

        /// nil, encoded as null, when there is none.
        let featured: AppObject?
        let list: [AppObject]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.featured, forKey: .featured)
            try container.encode(self.list, forKey: .list)
        }
    }

    @Sendable
    private func found(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let query = try MovieParameters(
            inAnyLanguage: RequestTarget(request.uri.string), known: ["term", "offset", "limit"])
        let offset = try query.number("offset", in: AppQuery.offsets) ?? 0
        let limit = try query.number("limit", in: AppQuery.limits) ?? AppQuery.defaultLimit
        guard let parsed = AppQuery(query["term"] ?? "", offset: offset, limit: limit) else {
            throw Problem(.invalidParameter, "term must be 1 to \(AppQuery.maxLength) characters")
        }
        let results = try await context.whileClientPresent { try await self.search(parsed) }
        let apps = try results.apps.map { app throws(Problem) in try AppObject(app, responses: self.responses) }
        return try JSONResponse(
            Found(results: apps, offset: offset, limit: limit, hasMore: results.hasMore),
            keeping: .shared(seconds: Self.listSeconds), links: self.links(parsed, hasMore: results.hasMore)
        ).response(to: request)
    }

    @Sendable
    private func today(_ request: Request, context: ServerRequestContext) async throws -> Response {
        _ = try MovieParameters(inAnyLanguage: RequestTarget(request.uri.string))
        let today = try await context.whileClientPresent { try await self.showToday() }
        return try JSONResponse(
            Today(
                featured: try today.featured.map { app throws(Problem) in try AppObject(app, responses: self.responses)
                },
                list: try today.list.map { app throws(Problem) in try AppObject(app, responses: self.responses) }),
            keeping: .shared(seconds: Self.listSeconds)
        ).response(to: request)
    }

    @Sendable
    private func app(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        _ = try MovieParameters(inAnyLanguage: target)
        guard let text = PercentEncoding.decode(target.segments[1]), let id = StoreAppID(text) else {
            throw Problem(.invalidID, "the id names no app: it is itunes:361309726, or a name of the embedded store's")
        }
        let (app, sections) = try await context.whileClientPresent { try await self.show(id) }
        return try JSONResponse(
            try AppObject(app, sections: sections, responses: self.responses),
            keeping: .shared(seconds: Self.appSeconds)
        ).response(to: request)
    }

    /// Where the parts before and behind are (RFC 8288).
    private func links(_ query: AppQuery, hasMore: Bool) -> String {
        let address = { (offset: Int) in
            self.responses.publicURL.address(
                of: "/apps/search?term=\(PercentEncoding.encode(query.term.utf8))&offset=\(offset)&limit=\(query.limit)"
            )
        }
        var links = ["<\(address(0))>; rel=\"first\""]
        if query.offset > 0 { links.append("<\(address(max(0, query.offset - query.limit)))>; rel=\"prev\"") }
        if hasMore { links.append("<\(address(query.offset + query.limit))>; rel=\"next\"") }
        return links.joined(separator: ", ")
    }
}

extension ShowApp.Failure: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unknownApp(let id): Problem(.unknownApp, "there is no app \(id) in the store")
        }
    }
}
