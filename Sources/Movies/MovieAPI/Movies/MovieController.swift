import HTTPServer
import Hummingbird
import MovieDomain

/// `GET /movies/{id}`, and `…/credits`, `…/reviews` and `…/similar`
struct MovieController: Sendable {
    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/movies/:id", on: router) { parsed in
            try await self.responses.details(of: try parsed.movieID(), parsed)
        }
        self.responses.get("/movies/:id/credits", on: router, self.credits)
        self.responses.get("/movies/:id/reviews", known: ["page"], on: router, self.reviews)
        self.responses.getFilms("/movies/:id/similar", known: ["page"], on: router, self.similar)
    }

    private var sources: MovieRepositories { self.responses.services.sources }

    private struct CreditsObject: Encodable {
        struct CrewObject: Encodable {
            let name: String
            /// nil when unknown.
            let department: String?
            let job, sourceJob: String

            init(_ member: Credits.CrewMember) {
                self.name = member.name
                self.department = member.department?.rawValue
                self.job = member.job.rawValue
                self.sourceJob = member.sourceJob
            }
        }

        let id: String
        let cast: [CastObject]
        let crew: [CrewObject]
        let attribution: [String]?
    }

    @Sendable
    private func credits(_ parsed: MovieRequest) async throws -> JSONResponse {
        let id = try parsed.movieID()
        let credits = try await ShowMovie(sources: self.sources).credits(of: id, language: parsed.language)
        return try JSONResponse(
            CreditsObject(
                id: id.description, cast: try credits.cast.map { try CastObject($0, self.responses.pictures) },
                crew: credits.crew.map(CreditsObject.CrewObject.init),
                attribution: Attribution.texts(of: [id.source])),
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance)
    }

    @Sendable
    private func reviews(_ parsed: MovieRequest) async throws -> JSONResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let page = try await ShowMovie(sources: self.sources).reviews(of: id, page: number, language: parsed.language)
        return try self.responses.response(
            page, results: page.results.map(ReviewObject.init), sources: [id.source],
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance, parsed)
    }

    @Sendable
    private func similar(_ parsed: MovieRequest) async throws -> JSONResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let page = try await ShowMovie(sources: self.sources).similar(to: id, page: number, language: parsed.language)
        return try self.responses.response(page, limit: MovieRequest.pageLimit, source: id.source, parsed)
    }
}
