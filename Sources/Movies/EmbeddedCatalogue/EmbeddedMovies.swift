import GRDB
public import MovieDomain

/// The embedded catalogue's films, in the library's database.
public struct EmbeddedMovies: MovieRepository {
    /// Of all lists.
    static let pageSize = 20
    /// How many reviews a film is told with.
    static let latestReviews = 3

    let database: CatalogueDatabase

    /// Films of `database`.
    public init(_ database: CatalogueDatabase) {
        self.database = database
    }

    /// The embedded one.
    public var source: MovieSource { .embedded }

    /// All films, in the catalogue's order.
    ///
    /// - Parameter limit: At most so many.
    /// - Throws: ``SourceFailure``, `CancellationError`.
    public func all(limit: Int, language: LanguagePreference) async throws -> [MovieSummary] {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return catalogue.films.prefix(max(0, limit)).compactMap { $0.summary(in: language, catalogue.names) }
    }

    /// A film; nil when there is none of that id.
    public func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try await self.database.read { db, catalogue in
            guard let film = catalogue.film(id) else { return nil }
            let reviews = try FilmReviews.page(1, size: Self.latestReviews, of: id, db)
            return film.movie(in: language, catalogue.names, reviews: reviews.results)
        }
    }

    /// All who made it; nil when there is no such film.
    public func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        return catalogue.film(id)?.credits(in: language, catalogue.names)
    }

    /// What was written about it, in whatever language; nil when there is no such film.
    public func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try await self.database.read { db, catalogue in
            guard catalogue.film(id) != nil else { return nil }
            return try FilmReviews.page(page, size: Self.pageSize, of: id, db)
        }
    }

    /// Films like it: of the same people, kinds and time. nil when there is no such film.
    public func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        guard let film = catalogue.film(id) else { return nil }
        return Page(page, of: Similarity.films(like: film, among: catalogue.films), size: Self.pageSize)
            .summaries(in: language, catalogue.names)
    }
}

extension Page<EmbeddedFilm> {
    func summaries(in language: LanguagePreference, _ names: CatalogueNames) -> Page<MovieSummary> {
        Page<MovieSummary>(
            number: self.number, results: self.results.compactMap { $0.summary(in: language, names) },
            totalPages: self.totalPages, totalResults: self.totalResults)
    }
}
