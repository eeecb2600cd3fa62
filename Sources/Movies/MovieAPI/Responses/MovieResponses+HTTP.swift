import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import PosterAPI
import PosterPipeline

extension MovieResponses {
    /// A page of films as an answer.
    ///
    /// - Parameters:
    ///   - limit: The last page that can be asked for.
    ///   - source: Whose list it is.
    func response(
        _ page: Page<MovieSummary>, limit: Int, source: MovieSource, to principal: Principal, _ parsed: MovieRequest
    ) async throws -> JSONResponse {
        let films = try await self.films(page.results, for: principal)
        self.reportListServed(page.results.map(\.id), of: parsed)
        return try self.response(
            page, results: films, limit: limit, sources: [source] + page.results.map(\.id.source),
            to: principal, keeping: CacheLifetime.list, parsed)
    }

    /// Reports a list that is about to be served, so that its posters can be rendered ahead.
    func reportListServed(_ films: [MovieID], of parsed: MovieRequest) {
        guard let listServed = self.services.listServed, !films.isEmpty else { return }
        listServed(
            ServedList(
                kind: ServedList.Kind(name: parsed.path, client: parsed.client),
                posters: films.compactMap { PosterID($0) }))
    }

    /// A page of anything as an answer.
    private func response<Original, Element: Encodable & Sendable>(
        _ page: Page<Original>, results: [Element], limit: Int, sources: [MovieSource], to principal: Principal,
        keeping seconds: Int, _ parsed: MovieRequest
    ) throws -> JSONResponse {
        let answer = PageObject(page, results: results, limit: limit, sources: sources)
        let links = try parsed.pageLinks(self.publicURL)
        return try self.response(
            answer, to: principal, keeping: principal.keeping(seconds), parsed,
            links: links.fieldValue(page: answer.page, totalPages: answer.totalPages))
    }

    /// A JSON response for a principal, with its challenge.
    ///
    /// - Parameters:
    ///   - keeping: As ``Principal/keeping(_:)-(Int)`` has it.
    ///   - links: `Link` (RFC 8288); nil without.
    func response(
        _ body: some Encodable, to principal: Principal, keeping: JSONResponse.Keeping, _ parsed: MovieRequest,
        links: String? = nil
    ) throws -> JSONResponse {
        var answer = try JSONResponse(
            body, keeping: keeping, variance: parsed.languages.variance.union(.caller), links: links)
        answer.challenge = principal.challenge
        return answer
    }
}

extension MovieResponses {
    /// Responds from the cache when the request is anonymous, else with the result of `make`, which is cancelled when the client disconnects.
    func respond(
        to request: Request, _ parsed: MovieRequest, _ context: ServerRequestContext,
        _ make: @escaping @Sendable () async throws -> JSONResponse
    ) async throws -> Response {
        let key = parsed.isAnonymous ? self.key(request, parsed) : nil
        if let key, let known = self.cache.response(for: key) { return try known.response(to: request) }
        let answer = try await context.whileClientPresent(make)
        if let key { self.cache.insert(answer, for: key) }
        return try answer.response(to: request)
    }

    private func key(_ request: Request, _ parsed: MovieRequest) -> ResponseCache.Key {
        ResponseCache.Key(
            target: request.uri.string, languages: parsed.language, generation: self.policies.parser.generation)
    }
}

extension MovieRequest {
    /// Whether it has no credentials.
    fileprivate var isAnonymous: Bool {
        self.headers[.authorization] == nil && self.headers[.cookie] == nil
    }
}

/// How long shared caches may keep responses, in seconds.
enum CacheLifetime {
    /// Lists change within the hour, what is known of their posters within a minute.
    static let list = 60
    static let genres = 3600
    static let details = 300
    /// Figures of yesterday are still mended until the next morning.
    static let yesterday = 300
    /// Those of older days hardly ever.
    static let pastDays = 3600
    /// For how long what ends at midnight may be shown while the next one is asked for.
    private static let staleUntilMidnight: Int64 = 60

    /// Of a box office, at most.
    ///
    /// - Parameters:
    ///   - isDated: Whether the request names a day. Otherwise the same URL means other days after midnight in Seoul.
    ///   - now: The time of day.
    static func boxOffice(_ period: BoxOfficePeriod, isDated: Bool, now: Instant) -> JSONResponse.Keeping {
        guard isDated, period.isOver(at: now) else {
            let left = BoxOfficePeriod.secondsUntilMidnight(at: now)
            let seconds = min(Int64(Self.yesterday), left)
            return .shared(seconds: Int(seconds), stale: Int(min(Self.staleUntilMidnight, left - seconds)))
        }
        // Figures are final two days later, in every time zone.
        let isSettled = period.to.adding(days: 2) < now.date()
        return .shared(seconds: isSettled ? Self.pastDays : Self.yesterday)
    }
}
