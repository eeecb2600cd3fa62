package import HTTPServer
package import Hummingbird
import MovieDomain

/// `GET /movies/{id}`, and `…/credits`, `…/reviews` and `…/similar`
package struct MovieController: Sendable {
    let responses: MovieResponses

    package init(responses: MovieResponses) {
        self.responses = responses
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/movies/:id", use: self.movie)
        router.get("/movies/:id/credits", use: self.credits)
        router.get("/movies/:id/reviews", use: self.reviews)
        router.get("/movies/:id/similar", use: self.similar)
    }

    private var services: MovieServices { self.responses.services }

    @Sendable
    private func movie(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, default: self.services.defaultLanguage)
        let id = try parsed.movieID()
        return try await self.responses.respond(to: request, parsed, context) {
            try await self.responses.details(of: id, parsed)
        }
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
    private func credits(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, default: self.services.defaultLanguage)
        let id = try parsed.movieID()
        let credits = try await context.whileClientPresent {
            try await ShowCredits(sources: self.services.sources)(of: id, language: parsed.language)
        }
        let pictures = self.responses.pictures
        let cast = try credits.cast.map { CastObject($0, portrait: try pictures.portrait($0.portrait)) }
        let answer = try JSONResponse(
            CreditsObject(
                id: id.description, cast: cast,
                crew: credits.crew.map { CreditsObject.CrewObject(name: $0.name, job: $0.job) },
                attribution: Attribution.texts(of: [id.source])),
            keeping: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance)
        return try answer.response(to: request)
    }

    @Sendable
    private func reviews(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, known: ["page"], default: self.services.defaultLanguage)
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let page = try await context.whileClientPresent {
            try await ShowReviews(sources: self.services.sources)(of: id, page: number, language: parsed.language)
        }
        let body = PageObject(
            page, results: page.results.map(ReviewObject.init), limit: MovieParameters.pageLimit, sources: [id.source])
        let links = try parsed.pageLinks(self.responses.publicURL)
        let answer = try JSONResponse(
            body, keeping: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance,
            links: links.fieldValue(page: body.page, totalPages: body.totalPages))
        return try answer.response(to: request)
    }

    @Sendable
    private func similar(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, known: ["page"], default: self.services.defaultLanguage)
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        return try await self.responses.respond(to: request, parsed, context) {
            let principal = try await self.responses.principals.principal(of: parsed.headers)
            let page = try await ShowSimilar(sources: self.services.sources)(
                to: id, page: number, language: parsed.language)
            return try await self.responses.response(
                page, limit: MovieParameters.pageLimit, source: id.source, to: principal, parsed)
        }
    }
}
