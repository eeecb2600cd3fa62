import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain
import PosterAPI
import PosterPipeline

extension FilmDesk {
    /// A page of films as an answer.
    ///
    /// - Parameters:
    ///   - limit: The last page that can be asked for.
    ///   - source: Whose list it is.
    func answer(
        _ page: Page<MovieSummary>, limit: Int, source: MovieSource, to caller: FilmCaller, _ order: FilmOrder
    ) async throws -> JSONAnswer {
        let films = try await self.films(page.results, for: caller)
        self.tell(page.results.map(\.id), of: order)
        return try self.answer(
            page, results: films, limit: limit, sources: [source] + page.results.map(\.id.source),
            to: caller, keeping: FilmLifetime.list, order)
    }

    /// Has the posters of a list made that is about to be shown.
    func tell(_ films: [MovieID], of order: FilmOrder) {
        guard let listServed = self.services.listServed, !films.isEmpty else { return }
        listServed(
            ServedList(
                kind: ServedList.Kind(name: order.path, client: order.client),
                posters: films.compactMap { PosterID($0) }))
    }

    /// A page of anything as an answer.
    private func answer<Original, Element: Encodable & Sendable>(
        _ page: Page<Original>, results: [Element], limit: Int, sources: [MovieSource], to caller: FilmCaller,
        keeping seconds: Int, _ order: FilmOrder
    ) throws -> JSONAnswer {
        let answer = PageAnswer(page, results: results, limit: limit, sources: sources)
        let links = try order.pageLinks(self.links)
        return try self.answer(
            answer, to: caller, keeping: caller.keeping(seconds), order,
            links: links.fieldValue(page: answer.page, totalPages: answer.totalPages))
    }

    /// What is told somebody, as an answer.
    ///
    /// - Parameters:
    ///   - keeping: As ``FilmCaller/keeping(_:)-(Int)`` has it.
    ///   - links: `Link` (RFC 8288); nil without.
    func answer(
        _ body: some Encodable, to caller: FilmCaller, keeping: JSONAnswer.Keeping, _ order: FilmOrder,
        links: String? = nil
    ) throws -> JSONAnswer {
        var answer = try JSONAnswer(
            body, keeping: keeping, variance: order.languages.variance.union(.caller), links: links)
        answer.challenge = caller.challenge
        return answer
    }
}

extension FilmDesk {
    /// Answers with what anybody was answered just now, else with what `make` makes, which is cancelled when the client leaves.
    func respond(
        to request: Request, _ order: FilmOrder, _ context: PosterRequestContext,
        _ make: @escaping @Sendable () async throws -> JSONAnswer
    ) async throws -> Response {
        let key = order.isAnybodys ? self.key(request, order) : nil
        if let key, let known = self.cache.response(for: key) { return try known.response(to: request) }
        let answer = try await context.whileClientPresent(make)
        if let key { self.cache.insert(answer, for: key) }
        return try answer.response(to: request)
    }

    private func key(_ request: Request, _ order: FilmOrder) -> ResponseCache.Key {
        ResponseCache.Key(
            target: request.uri.string, languages: order.language, generation: self.policies.reader.generation)
    }
}

extension FilmOrder {
    /// Whether nothing in it says who asks.
    fileprivate var isAnybodys: Bool {
        self.headers[.authorization] == nil && self.headers[.cookie] == nil
    }
}

/// For how long caches may keep what is the same to all, in seconds.
enum FilmLifetime {
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
    static func boxOffice(_ period: BoxOfficePeriod, isDated: Bool, now: Instant) -> JSONAnswer.Keeping {
        guard isDated, period.isOver(at: now) else {
            let left = BoxOfficePeriod.secondsUntilMidnight(at: now)
            let seconds = min(Int64(Self.yesterday), left)
            return .shared(seconds: Int(seconds), stale: Int(min(Self.staleUntilMidnight, left - seconds)))
        }
        // Two days later nobody mends them any more, wherever in the world it is then.
        let isSettled = period.to.adding(days: 2) < now.date()
        return .shared(seconds: isSettled ? Self.pastDays : Self.yesterday)
    }
}
