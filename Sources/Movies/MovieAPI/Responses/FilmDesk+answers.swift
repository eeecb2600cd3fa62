import HTTPServer
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
