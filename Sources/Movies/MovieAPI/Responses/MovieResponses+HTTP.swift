import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain

extension MovieResponses {
    /// Registers a resource whose response depends on the principal. Anonymous clients get cached ones.
    ///
    /// - Parameters:
    ///   - known: The parameters of the query beside `language`.
    ///   - make: Is cancelled when the client disconnects.
    func get(
        _ path: RouterPath, known: [String] = [], on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (MovieRequest, Principal) async throws -> JSONResponse
    ) {
        router.get(path) { request, context in
            let parsed = try self.parse(request, context, known: known)
            let isAnonymous = request.headers[.authorization] == nil && request.headers[.cookie] == nil
            let key = CacheKey(
                target: request.uri.string, languages: parsed.language, generation: self.pictures.generation)
            if isAnonymous, let stored = self.cache.response(for: key) { return try stored.response(to: request) }
            let response = try await self.marked(context) {
                try await make(parsed, try await self.authenticator.principal(of: request.headers))
            }
            if isAnonymous { self.cache.insert(response, for: key) }
            return try response.response(to: request)
        }
    }

    /// Registers a resource whose response is the same for all clients, or only for the owner of a session.
    func get(
        _ path: RouterPath, known: [String] = [], on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (MovieRequest) async throws -> JSONResponse
    ) {
        router.get(path) { request, context in
            let parsed = try self.parse(request, context, known: known)
            return try await self.marked(context) { try await make(parsed) }.response(to: request)
        }
    }

    /// A response that is marked by the freshness of what it is made of.
    private func marked(
        _ context: ServerRequestContext, _ make: @escaping @Sendable () async throws -> JSONResponse
    ) async throws -> JSONResponse {
        let recorder = FreshnessRecorder()
        var response = try await context.whileClientPresent {
            try await FreshnessRecorder.$current.withValue(recorder, operation: make)
        }
        response.mark(recorder, staleSeconds: CacheLifetime.stale)
        return response
    }

    func parse(
        _ request: Request, _ context: ServerRequestContext, known: [String] = []
    ) throws(Problem) -> MovieRequest {
        try MovieRequest(request, context, known: known, default: self.services.defaultLanguage)
    }

    /// A page of films.
    ///
    /// - Parameters:
    ///   - limit: The last page that can be asked for.
    ///   - source: Whose list it is.
    func response(
        _ page: Page<MovieSummary>, limit: Int, source: MovieSource, to principal: Principal, _ parsed: MovieRequest
    ) async throws -> JSONResponse {
        let films = try await self.films(page.results, for: principal, language: parsed.language.first)
        self.reportListServed(page.results.map(\.id), of: parsed)
        var response = try self.response(
            page, results: films, limit: limit, sources: [source] + page.results.map(\.id.source),
            caching: principal.caching(CacheLifetime.list), variance: parsed.languages.variance.union(.caller), parsed)
        response.challenge = principal.challenge
        return response
    }

    /// A page of anything, with links to the others.
    func response<Original>(
        _ page: Page<Original>, results: [some Encodable & Sendable], limit: Int = MovieRequest.pageLimit,
        sources: [MovieSource], caching: JSONResponse.CachePolicy, variance: JSONResponse.Variance,
        _ parsed: MovieRequest
    ) throws -> JSONResponse {
        let object = PageObject(page, results: results, limit: limit, sources: sources)
        let links = try parsed.links(page: object.page, totalPages: object.totalPages, self.publicURL)
        return try JSONResponse(object, caching: caching, variance: variance, links: links)
    }

    /// A response to a principal, with its challenge.
    ///
    /// - Parameter caching: As ``Principal/caching(_:)-(Int)`` has it.
    func response(
        _ body: some Encodable, to principal: Principal, caching: JSONResponse.CachePolicy, _ parsed: MovieRequest
    ) throws -> JSONResponse {
        var response = try JSONResponse(
            body, caching: caching, variance: parsed.languages.variance.union(.caller))
        response.challenge = principal.challenge
        return response
    }

    /// A film with all that is known of it.
    func details(of id: MovieID, to principal: Principal, _ parsed: MovieRequest) async throws -> JSONResponse {
        let show = ShowMovie(sources: self.services.sources, supplements: self.services.supplements)
        let details = try await show(id, language: parsed.language)
        let object = try await self.object(details, of: id, for: principal, language: parsed.language)
        // What is missing may be there in a second.
        let caching = details.missing.isEmpty ? principal.caching(CacheLifetime.details) : .none
        return try self.response(object, to: principal, caching: caching, parsed)
    }

    /// Reports a list that is about to be served, so that its posters can be rendered ahead.
    func reportListServed(_ films: [MovieID], of parsed: MovieRequest) {
        if !films.isEmpty { self.services.listServed?(films, parsed.language.first, parsed.path, parsed.client) }
    }
}

/// How long shared caches may keep responses, in seconds.
enum CacheLifetime {
    /// Lists change within the hour, what is known of their posters within a minute.
    static let list = 60
    static let genres = 3600
    /// Of responses made of stale parts, at most: their revalidation takes seconds.
    static let stale = 10
    static let details = 300
    /// Figures of yesterday are still mended until the next morning.
    static let yesterday = 300
    /// Those of older days hardly ever.
    static let pastDays = 3600
    /// For how long what ends at midnight may be shown while the next one is asked for.
    private static let staleUntilMidnight: Int64 = 60

    /// Of a box office: until midnight in Seoul at most, when its `latest` changes, and the days that a URL without a date means.
    ///
    /// - Parameters:
    ///   - isDated: Whether the request names a day.
    ///   - now: The time of day.
    static func boxOffice(_ period: BoxOfficePeriod, isDated: Bool, now: Instant) -> JSONResponse.CachePolicy {
        // Figures are final two days later, in every time zone.
        let isSettled = isDated && period.to.adding(days: 2) < now.date()
        let left = now.secondsUntilMidnight()
        let seconds = min(Int64(isSettled ? Self.pastDays : Self.yesterday), left)
        return .shared(seconds: Int(seconds), stale: Int(min(Self.staleUntilMidnight, left - seconds)))
    }
}
