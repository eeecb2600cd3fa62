import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain

/// `GET /account`, `GET /account/ratings` and `GET`, `PUT`, `DELETE /movies/{id}/rating`
struct AccountController: Sendable {
    private let desk: FilmDesk
    private let holders: TokenHolders
    private let showAccount: ShowAccount
    private let rate: RateMovie
    private let showRating: ShowRating
    private let showRatings: ShowRatings

    init(_ desk: FilmDesk, holders: TokenHolders) {
        let services = desk.services
        let (accounts, sessions, now) = (services.accounts, services.sessions, services.now)
        self.desk = desk
        self.holders = holders
        self.showAccount = ShowAccount(accounts: accounts, sessions: sessions, now: now)
        self.rate = RateMovie(accounts: accounts, sessions: sessions, now: now)
        self.showRating = ShowRating(accounts: accounts, sessions: sessions, now: now)
        self.showRatings = ShowRatings(accounts: accounts, sessions: sessions, now: now)
    }

    func register(on router: Router<PosterRequestContext>) {
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

        let film: FilmObject
        let rating: Double

        func encode(to encoder: any Encoder) throws {
            try self.film.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.rating, forKey: .rating)
        }
    }

    private struct RatingOrder: JSONOrdered {
        static let members = ["value"]
        let value: Double
    }

    private struct RatingObject: Encodable {
        private enum CodingKeys: String, CodingKey {
            case value
        }

        /// nil for none, which is told.
        let value: Double?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.value, forKey: .value)
        }
    }

    @Sendable
    private func account(_ request: Request, context: PosterRequestContext) async throws -> Response {
        _ = try FilmQuery(inAnyLanguage: RequestTarget(request.uri.string))
        let holder = try await self.holders.holder(of: request)
        let account = try await context.whileClientPresent { try await self.showAccount(holder) }
        return try JSONAnswer(
            AccountObject(
                source: account.source.rawValue, id: account.id, username: account.username, name: account.name),
            keeping: .own, variance: .caller
        ).response(to: request)
    }

    @Sendable
    private func ratings(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, known: ["page"], default: self.desk.services.defaultLanguage)
        let number = try order.query.page()
        let holder = try await self.holders.holder(of: request)
        let (page, films) = try await context.whileClientPresent {
            let page = try await self.showRatings(page: number, language: order.language, for: holder)
            return (page, try await self.desk.films(page.results.map(\.movie), for: FilmCaller(owner: holder.owner)))
        }
        let results = zip(films, page.results).map { RatedObject(film: $0, rating: $1.rating.value) }
        let list = PageAnswer(
            page, results: results, limit: FilmQuery.pageLimit, sources: [self.desk.services.accounts.source])
        let links = try order.pageLinks(self.desk.links).fieldValue(page: number, totalPages: list.totalPages)
        return try JSONAnswer(
            list, keeping: .own, variance: order.languages.variance.union(.caller), links: links
        ).response(to: request)
    }

    @Sendable
    private func rating(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let holder = try await self.holders.holder(of: request)
        let rating = try await context.whileClientPresent { try await self.showRating(id, for: holder) }
        return try JSONAnswer(RatingObject(value: rating?.value), keeping: .own, variance: .caller)
            .response(to: request)
    }

    @Sendable
    private func putRating(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let holder = try await self.holders.holder(of: request)
        let accepted = "{\"value\":9}, with a number \(Rating.range)"
        let order = try await JSONOrder.read(RatingOrder.self, of: request, form: accepted)
        guard let rating = Rating(order.value) else {
            throw Problem(.invalidBody, "value must be a number \(Rating.range)")
        }
        try await context.whileClientPresent { try await self.rate(id, rating, for: holder) }
        return try OwnAnswer(RatingObject(value: rating.value)).response()
    }

    @Sendable
    private func deleteRating(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let holder = try await self.holders.holder(of: request)
        try await context.whileClientPresent { try await self.rate(id, nil, for: holder) }
        return OwnAnswer.empty()
    }

    private static func movieID(of request: Request) throws(Problem) -> MovieID {
        let target = RequestTarget(request.uri.string)
        _ = try FilmQuery(inAnyLanguage: target)
        return try MovieID(segment: target.segments[1])
    }
}
