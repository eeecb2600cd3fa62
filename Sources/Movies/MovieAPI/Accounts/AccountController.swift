import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /account`, `GET /account/ratings` and `GET`, `PUT`, `DELETE /movies/{id}/rating`
struct AccountController: Sendable {
    private let responses: MovieResponses
    private let accounts: AuthenticatedAccounts

    init(_ responses: MovieResponses) {
        self.responses = responses
        self.accounts = responses.useCases.accounts
    }

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/account", on: router, self.account)
        self.responses.get("/account/ratings", known: ["page"], on: router, self.ratings)
        router.get("/movies/:id/rating", use: self.rating)
        router.put("/movies/:id/rating", use: self.putRating)
        router.delete("/movies/:id/rating", use: self.deleteRating)
    }

    private struct AccountObject: Encodable {
        let source, id, username, name: String
    }

    /// A film with the user's rating.
    private struct RatedObject: Encodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case rating
        }

        let film: MovieSummaryObject
        let rating: Double

        func encode(to encoder: any Encoder) throws {
            try self.film.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.rating, forKey: .rating)
        }
    }

    private struct RatingRequest: StrictDecodable {
        static let members = ["value"]
        let value: Double
    }

    private struct RatingObject: Encodable {
        let value: Nullable<Double>
    }

    @Sendable
    private func account(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let session = try await self.responses.useCases.authenticator.session(of: parsed.request, parsed.context)
        let account = try await self.accounts.account(of: session)
        return try EncodedResponse.json(
            AccountObject(
                source: account.source.rawValue, id: account.id, username: account.username, name: account.name),
            caching: .own, variance: .caller)
    }

    @Sendable
    private func ratings(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let number = try parsed.query.page()
        let session = try await self.responses.useCases.authenticator.session(of: parsed.request, parsed.context)
        let page = try await self.accounts.ratings(page: number, language: parsed.language, for: session)
        var marks = try await self.responses.useCases.showMarks(page.results.map(\.movie.id), for: session)
        // The page's ratings are newer than the marks.
        for film in page.results { marks[film.movie.id]?.rated = .rating(film.rating) }
        let films = try self.responses.films(
            page.results.map(\.movie), marks: .known(marks), language: parsed.language.first)
        return try self.responses.response(
            page, results: zip(films, page.results).map { RatedObject(film: $0, rating: $1.rating.value) },
            sources: [self.responses.services.accounts.source], caching: .own,
            variance: parsed.languages.variance.union(.caller), parsed)
    }

    @Sendable
    private func rating(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try request.movieIDWithoutParameters()
        let session = try await self.responses.useCases.authenticator.session(of: request, context)
        let rating = try await context.whileClientPresent { try await self.accounts.rating(of: id, for: session) }
        return try EncodedResponse.json(RatingObject(value: Nullable(rating?.value)), caching: .own, variance: .caller)
            .response(to: request)
    }

    @Sendable
    private func putRating(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try request.movieIDWithoutParameters()
        let session = try await self.responses.useCases.authenticator.session(of: request, context)
        let accepted = "{\"value\":9}, with a number \(Rating.range)"
        let parsed = try await JSONBody.read(RatingRequest.self, of: request, form: accepted)
        guard let rating = Rating(parsed.value) else {
            throw Problem(.invalidBody, "value must be a number \(Rating.range)")
        }
        try await context.whileClientPresent { try await self.accounts.rate(id, rating, for: session) }
        return try PrivateResponse(RatingObject(value: Nullable(rating.value))).response()
    }

    @Sendable
    private func deleteRating(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try request.movieIDWithoutParameters()
        let session = try await self.responses.useCases.authenticator.session(of: request, context)
        try await context.whileClientPresent { try await self.accounts.rate(id, nil, for: session) }
        return PrivateResponse.empty()
    }
}
