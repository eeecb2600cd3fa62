import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain

/// `GET /favourites` and `GET`, `PUT`, `DELETE /favourites/{id}`
struct FavouritesController: Sendable {
    private let responses: MovieResponses
    private let authenticator: SessionAuthenticator
    private let show: ShowFavourites
    private let keep: AddFavourite
    private let remove: RemoveFavourite

    init(_ responses: MovieResponses, authenticator: SessionAuthenticator) {
        let services = responses.services
        self.responses = responses
        self.authenticator = authenticator
        self.show = ShowFavourites(favourites: services.favourites)
        self.keep = AddFavourite(sources: services.sources, favourites: services.favourites, now: services.now)
        self.remove = RemoveFavourite(favourites: services.favourites)
    }

    func register(on router: Router<ServerRequestContext>) {
        router.get("/favourites", use: self.list)
        router.get("/favourites/:id", use: self.favourite)
        router.put("/favourites/:id", use: self.put)
        router.delete("/favourites/:id", use: self.delete)
    }

    /// A film and since when it is liked.
    private struct FavouriteObject: Encodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case addedAt, attribution
        }

        let film: MovieSummaryObject
        /// RFC 3339.
        let addedAt: String
        /// What has to be shown beside it; nil when nothing has to, or a list says it.
        var attribution: [String]?

        init(_ favourite: Favourite, poster: PosterObject?) {
            self.film = MovieSummaryObject(favourite.movie, poster: poster, isFavourite: true)
            self.addedAt = favourite.addedAt.description
        }

        /// Not in a list.
        var alone: FavouriteObject {
            var object = self
            object.attribution = Attribution.texts(of: [self.film.movie.id.source])
            return object
        }

        func encode(to encoder: any Encoder) throws {
            try self.film.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(self.addedAt, forKey: .addedAt)
            try container.encodeIfPresent(self.attribution, forKey: .attribution)
        }
    }

    @Sendable
    private func list(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let number = try MovieParameters(inAnyLanguage: target, known: ["page"]).page()
        let session = try await self.authenticator.session(of: request)
        let page = try await self.show(page: number, of: session.owner)
        let list = PageObject(
            page, results: try page.results.map(self.object), limit: MovieParameters.pageLimit,
            sources: page.results.map(\.movie.id.source))
        let links = try PageLinks(target, publicURL: self.responses.publicURL)
            .fieldValue(page: number, totalPages: list.totalPages)
        return try JSONResponse(list, keeping: .own, variance: .caller, links: links).response(to: request)
    }

    @Sendable
    private func favourite(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let session = try await self.authenticator.session(of: request)
        guard let favourite = try await self.show(id, of: session.owner) else {
            throw Problem(.notFound, "\(id) is none of your favourites")
        }
        return try JSONResponse(try self.object(favourite).alone, keeping: .own, variance: .caller).response(
            to: request)
    }

    /// 201 when it is new, as RFC 9110 (9.3.4) has it.
    @Sendable
    private func put(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try MovieRequest(request, context, default: self.responses.services.defaultLanguage)
        let id = try parsed.movieID()
        let session = try await self.authenticator.session(of: request)
        let (favourite, isNew) = try await context.whileClientPresent {
            try await self.keep(id, of: session.owner, language: parsed.language)
        }
        return try PrivateResponse(try self.object(favourite).alone).response(isNew ? .created : .ok)
    }

    @Sendable
    private func delete(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let session = try await self.authenticator.session(of: request)
        try await self.remove(id, of: session.owner)
        return PrivateResponse.empty()
    }

    private func object(_ favourite: Favourite) throws(Problem) -> FavouriteObject {
        FavouriteObject(favourite, poster: try self.responses.poster(of: favourite.movie))
    }

    private static func movieID(of request: Request) throws(Problem) -> MovieID {
        let target = RequestTarget(request.uri.string)
        _ = try MovieParameters(inAnyLanguage: target)
        return try MovieID(segment: target.segments[1])
    }
}
