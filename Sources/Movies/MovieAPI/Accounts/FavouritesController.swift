import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain

/// `GET /favourites` and `GET`, `PUT`, `DELETE /favourites/{id}`
struct FavouritesController: Sendable {
    private let responses: MovieResponses
    private let favourites: any FavouriteRepository
    private let keep: AddFavourite
    private let localise: LocaliseFavourites

    init(_ responses: MovieResponses) {
        let services = responses.services
        self.responses = responses
        self.favourites = services.favourites
        self.keep = AddFavourite(
            sources: services.sources, identities: services.identities, favourites: services.favourites,
            now: services.now)
        self.localise = LocaliseFavourites(sources: services.sources, identities: services.identities)
    }

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/favourites", known: ["page"], on: router, self.list)
        self.responses.get("/favourites/:id", on: router, self.favourite)
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

        init(_ favourite: Favourite, poster: PosterObject?, backdrop: PosterObject?, marks: FilmMarks) {
            self.film = MovieSummaryObject(favourite.movie, poster: poster, backdrop: backdrop, marks: marks)
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
    private func list(_ parsed: MovieRequest) async throws -> JSONResponse {
        let number = try parsed.query.page()
        let session = try await self.responses.authenticator.session(of: parsed.request)
        let page = try await self.favourites.favourites(
            of: session.favouritesOwner, page: number, size: Favourite.pageSize)
        let shown = try await self.localise(page.results, language: parsed.language)
        let marks = try await self.marks(of: shown, for: session)
        return try self.responses.response(
            page, results: try shown.map { try self.object($0, in: parsed.language.first, marks) },
            sources: page.results.map(\.movie.id.source), caching: .own,
            variance: parsed.languages.variance.union(.caller), parsed)
    }

    @Sendable
    private func favourite(_ parsed: MovieRequest) async throws -> JSONResponse {
        let id = try parsed.movieID()
        let session = try await self.responses.authenticator.session(of: parsed.request)
        guard let favourite = try await self.favourites.favourite(id, of: session.favouritesOwner) else {
            throw Problem(.notFound, "\(id) is none of your favourites")
        }
        let shown = try await self.localise([favourite], language: parsed.language)
        let marks = try await self.marks(of: shown, for: session)
        return try JSONResponse(
            try self.object(shown[0], in: parsed.language.first, marks).alone, caching: .own,
            variance: parsed.languages.variance.union(.caller))
    }

    /// 201 when it is new, as RFC 9110 (9.3.4) has it.
    @Sendable
    private func put(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try self.responses.parse(request, context)
        let id = try parsed.movieID()
        let session = try await self.responses.authenticator.session(of: request)
        let (favourite, isNew) = try await context.whileClientPresent {
            try await self.keep(id, of: session.favouritesOwner, language: parsed.language)
        }
        let marks = try await self.marks(of: [favourite], for: session)
        let object = try self.object(favourite, in: parsed.language.first, marks).alone
        return try PrivateResponse(object).response(isNew ? .created : .ok)
    }

    @Sendable
    private func delete(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try request.movieIDWithoutParameters()
        let session = try await self.responses.authenticator.session(of: request)
        try await self.favourites.remove(id, of: session.favouritesOwner)
        return PrivateResponse.empty()
    }

    private func marks(of favourites: [Favourite], for session: AuthenticatedSession) async throws -> FilmMarks {
        var marks = try await self.responses.showMarks(favourites.map(\.movie.id), for: session)
        for favourite in favourites { marks[favourite.movie.id]?.isFavourite = true }
        return .known(marks)
    }

    private func object(
        _ favourite: Favourite, in language: Language, _ marks: FilmMarks
    ) throws(Problem) -> FavouriteObject {
        var movie = favourite.movie
        if favourite.language != language, case .tmdb = movie.poster?.location {
            // The URL is that of the poster in this language, whose size is not known.
            movie.poster = movie.poster.map { PosterReference($0.location) }
        }
        let poster = try self.responses.poster(of: movie, language: language)
        let backdrop = try self.responses.pictures.backdrop(movie.backdrop, of: movie.id)
        return FavouriteObject(favourite, poster: poster, backdrop: backdrop, marks: marks)
    }
}
