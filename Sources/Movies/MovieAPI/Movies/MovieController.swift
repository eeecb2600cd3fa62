package import HTTPServer
package import Hummingbird
import MovieDomain
import PosterPipeline

/// `GET /movies/{id}`, and `…/credits`, `…/reviews` and `…/similar`
package struct MovieController: Sendable {
    let desk: FilmDesk

    package init(desk: FilmDesk) {
        self.desk = desk
    }

    package func register(on router: Router<PosterRequestContext>) {
        router.get("/movies/:id", use: self.movie)
        router.get("/movies/:id/credits", use: self.credits)
        router.get("/movies/:id/reviews", use: self.reviews)
        router.get("/movies/:id/similar", use: self.similar)
    }

    private var services: MovieServices { self.desk.services }

    @Sendable
    private func movie(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, default: self.services.defaultLanguage)
        let id = try order.movieID()
        return try await self.desk.respond(to: request, order, context) { try await self.desk.details(of: id, order) }
    }

    private struct CreditsObject: Encodable {
        struct CrewObject: Encodable {
            let name: String
            let job: String
        }

        let id: String
        let cast: [CastObject]
        let crew: [CrewObject]
        let attribution: [String]?
    }

    @Sendable
    private func credits(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, default: self.services.defaultLanguage)
        let id = try order.movieID()
        let credits = try await context.whileClientPresent {
            try await ShowCredits(sources: self.services.sources)(of: id, language: order.language)
        }
        let pictures = self.desk.pictures
        let cast = try credits.cast.map { CastObject($0, portrait: try pictures.portrait($0.portrait)) }
        let answer = try JSONAnswer(
            CreditsObject(
                id: id.description, cast: cast,
                crew: credits.crew.map { CreditsObject.CrewObject(name: $0.name, job: $0.job) },
                attribution: Attribution.texts(of: [id.source])),
            keeping: .shared(seconds: FilmLifetime.details), variance: order.languages.variance)
        return try answer.response(to: request)
    }

    @Sendable
    private func reviews(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, known: ["page"], default: self.services.defaultLanguage)
        let id = try order.movieID()
        let number = try order.query.page()
        let page = try await context.whileClientPresent {
            try await ShowReviews(sources: self.services.sources)(of: id, page: number, language: order.language)
        }
        let body = PageAnswer(
            page, results: page.results.map(ReviewObject.init), limit: FilmQuery.pageLimit, sources: [id.source])
        let links = try order.pageLinks(self.desk.links)
        let answer = try JSONAnswer(
            body, keeping: .shared(seconds: FilmLifetime.details), variance: order.languages.variance,
            links: links.fieldValue(page: body.page, totalPages: body.totalPages))
        return try answer.response(to: request)
    }

    @Sendable
    private func similar(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, known: ["page"], default: self.services.defaultLanguage)
        let id = try order.movieID()
        let number = try order.query.page()
        return try await self.desk.respond(to: request, order, context) {
            let caller = try await self.desk.callers.caller(order.headers)
            let page = try await ShowSimilar(sources: self.services.sources)(
                to: id, page: number, language: order.language)
            return try await self.desk.answer(
                page, limit: FilmQuery.pageLimit, source: id.source, to: caller, order)
        }
    }
}
