import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /favourites` and `GET`, `PUT`, `DELETE /favourites/{id}`, and the same for `/watchlist`
struct SavedFilmsController: Sendable {
    enum List: String, CaseIterable, Sendable {
        case favourites, watchlist
    }

    private let responses: MovieResponses
    private let list: List
    private let films: SavedFilms

    init(_ list: List, _ responses: MovieResponses) {
        self.responses = responses
        self.list = list
        self.films = list == .favourites ? responses.useCases.favourites : responses.useCases.watchlist
    }

    func register(on router: Router<ServerRequestContext>) {
        let path = "/\(self.list.rawValue)"
        self.responses.get(RouterPath(path), known: ["page"], on: router, self.page)
        self.responses.get("\(path)/:id", on: router, self.film)
        router.put("\(path)/:id", use: self.put)
        router.delete("\(path)/:id", use: self.delete)
    }

    private struct SavedFilmObject: Encodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case addedAt, attribution
        }

        let film: MovieSummaryObject
        /// RFC 3339; `nil` if unknown.
        let addedAt: String?
        /// `nil` if no source requires a notice, and in lists, which have their own.
        var attribution: [String]?

        init(_ saved: SavedFilm, poster: PosterObject?, backdrop: PosterObject?, marks: FilmMarks) {
            self.film = MovieSummaryObject(saved.movie, poster: poster, backdrop: backdrop, marks: marks)
            self.addedAt = saved.addedAt?.description
        }

        /// The object for a response with this film alone.
        var alone: SavedFilmObject {
            var object = self
            object.attribution = Attribution.texts(of: [self.film.movie.id.source])
            return object
        }

        func encode(to encoder: any Encoder) throws {
            try self.film.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(self.addedAt, forKey: .addedAt)
            try container.encodeIfPresent(self.attribution, forKey: .attribution)
        }
    }

    @Sendable
    private func page(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let number = try parsed.query.page()
        let session = try await self.responses.useCases.authenticator.session(of: parsed.request, parsed.context)
        let page = try await self.films.page(number, language: parsed.language, for: session)
        let marks = try await self.marks(of: page.results, for: session)
        return try self.responses.response(
            page, results: try page.results.map { try self.object($0, in: parsed.language.first, marks) },
            sources: page.results.map(\.movie.id.source), caching: .own,
            variance: parsed.languages.variance.union(.caller), parsed)
    }

    @Sendable
    private func film(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let session = try await self.responses.useCases.authenticator.session(of: parsed.request, parsed.context)
        guard let film = try await self.films.film(id, language: parsed.language, for: session) else {
            let place = self.list == .favourites ? "not one of your favourites" : "not on your watchlist"
            throw Problem(.notFound, "\(id) is \(place)")
        }
        let marks = try await self.marks(of: [film], for: session)
        return try EncodedResponse.json(
            try self.object(film, in: parsed.language.first, marks).alone, caching: .own,
            variance: parsed.languages.variance.union(.caller))
    }

    /// 201 for a creation (RFC 9110, 9.3.4).
    @Sendable
    private func put(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let parsed = try self.responses.parse(request, context)
        let id = try parsed.movieID()
        let session = try await self.responses.useCases.authenticator.session(of: request, context)
        let (film, isNew) = try await context.whileClientPresent {
            do {
                return try await self.films.put(id, language: parsed.language, for: session)
            } catch AddFavourite.Failure.tooMany(let limit) where self.list == .watchlist {
                throw Problem(
                    .tooManyFavourites,
                    "the watchlist has reached its limit of \(limit) films; delete one first")
            }
        }
        let marks = try await self.marks(of: [film], for: session)
        let object = try self.object(film, in: parsed.language.first, marks).alone
        return try PrivateResponse(object).response(isNew ? .created : .ok)
    }

    @Sendable
    private func delete(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try request.movieIDWithoutParameters()
        let session = try await self.responses.useCases.authenticator.session(of: request, context)
        try await context.whileClientPresent { try await self.films.remove(id, for: session) }
        return PrivateResponse.empty()
    }

    private func marks(of films: [SavedFilm], for session: AuthenticatedSession) async throws -> FilmMarks {
        var marks = try await self.responses.useCases.showMarks(films.map(\.movie.id), for: session)
        for film in films {
            switch self.list {
            case .favourites: marks[film.movie.id]?.isFavourite = true
            case .watchlist: marks[film.movie.id]?.isOnWatchlist = true
            }
        }
        return .known(marks)
    }

    private func object(
        _ film: SavedFilm, in language: Language, _ marks: FilmMarks
    ) throws(Problem) -> SavedFilmObject {
        var movie = film.movie
        if film.language != language, case .tmdb = movie.poster?.location {
            // The URL leads to the poster in this language, and the size of that poster is unknown.
            movie.poster = movie.poster.map { PosterReference($0.location) }
        }
        let poster = try self.responses.posters.poster(of: movie, language: language)
        let backdrop = try self.responses.pictures.backdrop(movie.backdrop, of: movie.id)
        return SavedFilmObject(film, poster: poster, backdrop: backdrop, marks: marks)
    }
}
