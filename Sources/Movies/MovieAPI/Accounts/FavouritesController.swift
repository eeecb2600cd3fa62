import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import MovieDomain

/// `GET /favourites` and `GET`, `PUT`, `DELETE /favourites/{id}`
struct FavouritesController: Sendable {
    private let desk: FilmDesk
    private let holders: TokenHolders
    private let show: ShowFavourites
    private let keep: AddFavourite
    private let remove: RemoveFavourite

    init(_ desk: FilmDesk, holders: TokenHolders) {
        let services = desk.services
        self.desk = desk
        self.holders = holders
        self.show = ShowFavourites(favourites: services.favourites)
        self.keep = AddFavourite(sources: services.sources, favourites: services.favourites, now: services.now)
        self.remove = RemoveFavourite(favourites: services.favourites)
    }

    func register(on router: Router<PosterRequestContext>) {
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

        let film: FilmObject
        /// RFC 3339.
        let addedAt: String
        /// What has to be shown beside it; nil when nothing has to, or a list says it.
        var attribution: [String]?

        init(_ favourite: Favourite, poster: PosterObject?) {
            self.film = FilmObject(favourite.movie, poster: poster, isFavourite: true)
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
    private func list(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let target = RequestTarget(request.uri.string)
        let number = try FilmQuery(inAnyLanguage: target, known: ["page"]).page()
        let holder = try await self.holders.holder(of: request)
        let page = try await self.show(page: number, of: holder.owner)
        let list = PageAnswer(
            page, results: try page.results.map(self.object), limit: FilmQuery.pageLimit,
            sources: page.results.map(\.movie.id.source))
        let links = try PageLinks(target, links: self.desk.links)
            .fieldValue(page: number, totalPages: list.totalPages)
        return try JSONAnswer(list, keeping: .own, variance: .caller, links: links).response(to: request)
    }

    @Sendable
    private func favourite(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let holder = try await self.holders.holder(of: request)
        guard let favourite = try await self.show(id, of: holder.owner) else {
            throw Problem(.notFound, "\(id) is none of your favourites")
        }
        return try JSONAnswer(try self.object(favourite).alone, keeping: .own, variance: .caller).response(to: request)
    }

    /// 201 when it is new, as RFC 9110 (9.3.4) has it.
    @Sendable
    private func put(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let order = try FilmOrder(request, context, default: self.desk.services.defaultLanguage)
        let id = try order.movieID()
        let holder = try await self.holders.holder(of: request)
        let (favourite, isNew) = try await context.whileClientPresent {
            try await self.keep(id, of: holder.owner, language: order.language)
        }
        return try OwnAnswer(try self.object(favourite).alone).response(isNew ? .created : .ok)
    }

    @Sendable
    private func delete(_ request: Request, context: PosterRequestContext) async throws -> Response {
        let id = try Self.movieID(of: request)
        let holder = try await self.holders.holder(of: request)
        try await self.remove(id, of: holder.owner)
        return OwnAnswer.empty()
    }

    private func object(_ favourite: Favourite) throws(Problem) -> FavouriteObject {
        FavouriteObject(favourite, poster: try self.desk.poster(of: favourite.movie))
    }

    private static func movieID(of request: Request) throws(Problem) -> MovieID {
        let target = RequestTarget(request.uri.string)
        _ = try FilmQuery(inAnyLanguage: target)
        return try MovieID(segment: target.segments[1])
    }
}
