import HTTPSemantics
package import HTTPServer
package import MovieDomain

/// Builds the responses of the movie resources, for the server and the command line.
package struct MovieResponses: Sendable {
    /// What a response that all clients share depends on.
    struct CacheKey: Hashable, Sendable {
        /// Path and query, as sent.
        let target: String
        let languages: LanguagePreference
        /// Of the URLs of pictures.
        let generation: UInt64
    }

    let services: MovieServices
    let pictures: any PictureURLs
    /// Where clients reach the server.
    let publicURL: PublicURL?
    let authenticator: SessionAuthenticator
    let accounts: AuthenticatedAccounts
    /// Responses that all clients share, or that are filled for each.
    let cache: ResponseCache<CacheKey>

    package init(_ services: MovieServices, pictures: any PictureURLs, publicURL: PublicURL?) {
        self.services = services
        self.pictures = pictures
        self.publicURL = publicURL
        self.authenticator = SessionAuthenticator(
            sessions: services.sessions,
            renew: RenewSession(
                accounts: services.accounts, sessions: services.sessions, lifetimeSeconds: services.sessionSeconds,
                now: services.now),
            site: SiteOrigin(publicURL), now: services.now)
        self.accounts = AuthenticatedAccounts(
            accounts: services.accounts, sessions: services.sessions, identities: services.identities,
            now: services.now)
        self.cache = ResponseCache(lifetime: services.responseCacheLifetime)
    }

    var favourites: SavedFilms {
        SavedFilms(
            self.services.favourites, sources: self.services.sources, identities: self.services.identities,
            now: self.services.now)
    }

    var watchlist: SavedFilms {
        SavedFilms(
            self.services.watchlist, sources: self.services.sources, identities: self.services.identities,
            accounts: self.accounts, now: self.services.now, start: self.services.startMoving)
    }

    var showMarks: ShowMarks {
        ShowMarks(favourites: self.services.favourites, watchlist: self.services.watchlist, accounts: self.accounts)
    }

    /// - Parameter language: Of the films' texts and posters.
    func films(
        _ movies: [MovieSummary], marks: FilmMarks, language: Language
    ) throws(Problem) -> [MovieSummaryObject] {
        try movies.map { movie throws(Problem) in
            MovieSummaryObject(
                movie, poster: try self.poster(of: movie, language: language),
                backdrop: try self.pictures.backdrop(movie.backdrop, of: movie.id), marks: marks)
        }
    }

    /// - Parameter language: Of the response that `movie` is from; nil when it is not known, and for the server's own.
    /// - Returns: nil when it is known that there is none.
    func poster(of movie: MovieSummary, language: Language?) throws(Problem) -> PosterObject? {
        try self.poster(of: movie.id, reference: movie.poster, language: language)
    }

    private func poster(
        of id: MovieID, reference: PosterReference?, language: Language?
    ) throws(Problem) -> PosterObject? {
        try self.pictures.poster(
            PictureID(id, language: language), size: reference?.size.map { ($0.width, $0.height) },
            isMissing: reference == nil && self.services.isPosterless(id))
    }

    /// - Parameters:
    ///   - language: Of what the service itself says in the sections, and of the poster.
    ///   - region: Of the release and the age rating; nil for none, and the one that the language decides about.
    func object(
        _ details: MovieDetails, marks: FilmMarks, language: LanguagePreference, region: Country?
    ) throws(Problem) -> MovieObject {
        let details = details.rated(in: region)
        let films = try self.films([details.movie.summary], marks: marks, language: language.first)
        let sections = try details.movie.sections(in: language).map { section throws(Problem) in
            try SectionObject(section, of: PictureID(details.galleryID), in: language, self.pictures)
        }
        return MovieObject(
            details, film: films[0],
            collection: try details.movie.collection.map { collection throws(Problem) in
                try CollectionReferenceObject(collection, self.pictures)
            }, regionalRelease: region.flatMap { details.movie.release(in: $0) }.map(ReleaseObject.init),
            sections: sections)
    }

    /// - Parameter language: Of the posters.
    func object(
        _ boxOffice: BoxOffice, marks: FilmMarks, language: Language
    ) throws(Problem) -> BoxOfficeObject {
        let entries = try boxOffice.entries.map { entry throws(Problem) in
            BoxOfficeObject.Entry(
                entry, poster: try self.poster(of: entry.movieID, reference: entry.poster, language: language),
                marks: marks)
        }
        return BoxOfficeObject(
            boxOffice, isComplete: boxOffice.period.isOver(at: self.services.now()),
            days: self.showBoxOffice.days(of: boxOffice.period.span), results: entries)
    }

    var showBoxOffice: ShowBoxOffice { ShowBoxOffice(boxOffice: self.services.boxOffice, now: self.services.now) }
}

// MARK: For the command line

extension MovieResponses {
    /// A result as a value and as the JSON that the server answers with.
    package struct Report<Value: Sendable>: Sendable {
        package let value: Value
        package let json: [UInt8]
        /// What has to be shown beside it.
        package let attribution: [String]

        fileprivate init(_ value: Value, _ object: some Encodable, of sources: [MovieSource]) throws {
            self.value = value
            self.json = try EncodedResponse.jsonBytes(of: object)
            self.attribution = Attribution.texts(of: sources) ?? []
        }
    }

    private var ownLanguage: LanguagePreference { LanguagePreference([self.services.defaultLanguage]) }

    package func search(_ query: MovieQuery, page: Int) async throws -> Report<Page<MovieSummary>> {
        let catalogue = self.services.catalogue
        let page = try await catalogue.search(query, page: page, language: self.ownLanguage)
        let films = try self.films(page.results, marks: .absent, language: self.services.defaultLanguage)
        let sources = [catalogue.source] + page.results.map(\.id.source)
        return try Report(
            page, PageObject(page, results: films, limit: catalogue.pageLimit, sources: sources), of: sources)
    }

    package func boxOffice(_ span: BoxOfficePeriod.Span?, date: CalendarDate?) async throws -> Report<BoxOffice> {
        let boxOffice = try await self.showBoxOffice(span, date: date, language: self.ownLanguage)
        return try Report(
            boxOffice, try self.object(boxOffice, marks: .absent, language: self.services.defaultLanguage),
            of: [boxOffice.source])
    }

    package func movie(_ id: MovieID) async throws -> Report<MovieDetails> {
        let details = try await self.services.showMovie(id, language: self.ownLanguage)
        let object = try self.object(
            details, marks: .absent, language: self.ownLanguage, region: self.services.defaultRegion)
        return try Report(details, object, of: details.sources)
    }
}

extension PictureID {
    /// A film's poster.
    ///
    /// - Parameter language: Where the source has several; nil for the server's own.
    init(_ id: MovieID, language: Language? = nil) {
        self.init(source: id.source.rawValue, key: id.key, language: language?.code)
    }

    /// An app's icon.
    init(_ id: StoreAppID) {
        self.init(source: id.source.rawValue, key: id.key)
    }

    /// A picture of the gallery, from 1: `tmdb:603~2` is the second one of `tmdb:603`.
    func inGallery(at place: Int) -> PictureID {
        PictureID(source: self.source, key: "\(self.key)~\(place)")
    }
}
