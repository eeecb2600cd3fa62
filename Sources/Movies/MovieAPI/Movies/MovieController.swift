import HTTPServer
import Hummingbird
import MovieDomain

/// `GET /movies/{id}`, and `…/credits`, `…/reviews` and `…/similar`
struct MovieController: Sendable {
    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.getFilms("/movies/:id", known: [MovieRequest.regionParameter], on: router) { parsed in
            try await self.responses.details(of: try parsed.movieID(), parsed)
        }
        self.responses.get("/movies/:id/credits", on: router, self.credits)
        self.responses.get("/movies/:id/reviews", known: ["page"], on: router, self.reviews)
        self.responses.getFilms("/movies/:id/similar", known: ["page"], on: router, self.similar)
    }

    private var movies: ShowMovie { self.responses.services.showMovie }

    private struct CreditsObject: Encodable {
        struct CrewObject: Encodable {
            /// nil where the source has no pages of people.
            let id: String?
            let name: String
            /// nil when unknown.
            let department: String?
            let job, sourceJob: String

            init(_ member: Credits.CrewMember) {
                self.id = member.id?.description
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
        let found = try await self.movies.credits(of: id, language: parsed.language)
        let credits = found.value
        return try JSONResponse(
            CreditsObject(
                id: id.description, cast: try credits.cast.map { try CastObject($0, self.responses.pictures) },
                crew: credits.crew.map(CreditsObject.CrewObject.init),
                attribution: Attribution.texts(of: [found.source])),
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance)
    }

    @Sendable
    private func reviews(_ parsed: MovieRequest) async throws -> JSONResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let found = try await self.movies.reviews(of: id, page: number, language: parsed.language)
        return try self.responses.response(
            found.value, results: found.value.results.map(ReviewObject.init), sources: [found.source],
            caching: .shared(seconds: CacheLifetime.details), variance: parsed.languages.variance, parsed)
    }

    @Sendable
    private func similar(_ parsed: MovieRequest) async throws -> JSONResponse {
        let id = try parsed.movieID()
        let number = try parsed.query.page()
        let found = try await self.movies.similar(to: id, page: number, language: parsed.language)
        return try self.responses.response(
            found.value, limit: MovieRequest.pageLimit, source: found.source, parsed)
    }
}
