import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain

/// `GET /account`, `GET /account/ratings` and `GET`, `PUT`, `DELETE /movies/{id}/rating`
struct AccountController: Sendable {
    private let responses: MovieResponses
    private let authenticator: SessionAuthenticator
    private let showAccount: ShowAccount
    private let rate: RateMovie
    private let showRating: ShowRating
    private let showRatings: ShowRatings

    init(_ responses: MovieResponses, authenticator: SessionAuthenticator) {
        let services = responses.services
        let (accounts, sessions, now) = (services.accounts, services.sessions, services.now)
        self.responses = responses
        self.authenticator = authenticator
        self.showAccount = ShowAccount(accounts: accounts, sessions: sessions, now: now)
        self.rate = RateMovie(accounts: accounts, sessions: sessions, now: now)
        self.showRating = ShowRating(accounts: accounts, sessions: sessions, now: now)
        self.showRatings = ShowRatings(accounts: accounts, sessions: sessions, now: now)
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/account", use: self.account)
        router.get("/account/ratings", use: self.ratings)
        router.get("/movies/:id/rating", use: self.rating)
        router.put("/movies/:id/rating", use: self.putRating)
        router.delete("/movies/:id/rating", use: self.deleteRating)
    }

    private struct AccountObject: Encodable {
        let source, id, username, name: String
    }

    /// Beside a film.
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
        private enum CodingKeys: String, CodingKey {
            case value
        }

        /// nil, encoded as null, for none.
        let value: Double?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.value, forKey: .value)
        }
    }

    @Sendable
    private func account(_ request: Request, context: ServerRequestContext) async throws -> Response {
        _ = try MovieParameters(inAnyLanguage: RequestTarget(request.uri.string))
        let session = try await self.authenticator.session(of: request)
        let account = try await context.whileClientPresent { try await self.showAccount(session) }
        return try JSONResponse(
            AccountObject(
                source: account.source.rawValue, id: account.id, username: account.username, name: account.name),
            keeping: .own, variance: .caller
        ).response(to: request)
    }

    @Sendable
    private func ratings(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(
            request, context, known: ["page"], default: self.responses.services.defaultLanguage)
        let number = try parsed.query.page()
        let session = try await self.authenticator.session(of: request)
        let (page, films) = try await context.whileClientPresent {
            let page = try await self.showRatings(page: number, language: parsed.language, for: session)
            return (
                page, try await self.responses.films(page.results.map(\.movie), for: Principal(owner: session.owner))
            )
        }
        let results = zip(films, page.results).map { RatedObject(film: $0, rating: $1.rating.value) }
        let list = PageObject(
            page, results: results, limit: MovieParameters.pageLimit, sources: [self.responses.services.accounts.source]
        )
        let links = try parsed.pageLinks(self.responses.publicURL).fieldValue(page: number, totalPages: list.totalPages)
        return try JSONResponse(
            list, keeping: .own, variance: parsed.languages.variance.union(.caller), links: links
        ).response(to: request)
    }

    @Sendable
    private func rating(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let session = try await self.authenticator.session(of: request)
        let rating = try await context.whileClientPresent { try await self.showRating(id, for: session) }
        return try JSONResponse(RatingObject(value: rating?.value), keeping: .own, variance: .caller)
            .response(to: request)
    }

    @Sendable
    private func putRating(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let session = try await self.authenticator.session(of: request)
        let accepted = "{\"value\":9}, with a number \(Rating.range)"
        let parsed = try await JSONBody.read(RatingRequest.self, of: request, form: accepted)
        guard let rating = Rating(parsed.value) else {
            throw Problem(.invalidBody, "value must be a number \(Rating.range)")
        }
        try await context.whileClientPresent { try await self.rate(id, rating, for: session) }
        return try PrivateResponse(RatingObject(value: rating.value)).response()
    }

    @Sendable
    private func deleteRating(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let session = try await self.authenticator.session(of: request)
        try await context.whileClientPresent { try await self.rate(id, nil, for: session) }
        return PrivateResponse.empty()
    }

    private static func movieID(of request: Request) throws(Problem) -> MovieID {
        let target = RequestTarget(request.uri.string)
        _ = try MovieParameters(inAnyLanguage: target)
        return try MovieID(segment: target.segments[1])
    }
}
