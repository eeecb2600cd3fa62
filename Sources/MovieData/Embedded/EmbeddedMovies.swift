import GRDB
public import MovieDomain

/// The embedded catalogue's films, in the library's database.
public struct EmbeddedMovies: MovieRepository {
    let database: LibraryDatabase

    /// Films of `database`.
    public init(_ database: LibraryDatabase) {
        self.database = database
    }

    /// The embedded one.
    public var source: MovieSource { .embedded }

    /// All films, in the catalogue's order.
    ///
    /// - Parameter limit: At most so many.
    /// - Throws: `DatabaseError`.
    public func all(limit: Int, language: LanguagePreference) async throws -> [MovieSummary] {
        try await self.database.writer.read { db in
            try FilmRecord.order(Column("position")).limit(limit).fetchAll(db).compactMap {
                try $0.film(db)?.summary(in: language)
            }
        }
    }

    /// A film; nil when there is none of that id.
    public func movie(_ id: MovieID, language: LanguagePreference) async throws -> Movie? {
        try await self.film(id)?.movie(in: language)
    }

    /// All who made it; nil when there is no such film.
    public func credits(of id: MovieID, language: LanguagePreference) async throws -> Credits? {
        try await self.film(id)?.credits
    }

    /// What was written about it; nil when there is no such film.
    public func reviews(of id: MovieID, page: Int, language: LanguagePreference) async throws -> Page<Review>? {
        try await self.film(id).map { _ in Page(page, of: [], size: 20) }
    }

    /// Films like it; nil when there is no such film.
    public func similar(
        to id: MovieID, page: Int, language: LanguagePreference
    ) async throws -> Page<MovieSummary>? {
        try await self.film(id).map { _ in Page(page, of: [], size: 20) }
    }

    private func film(_ id: MovieID) async throws -> EmbeddedFilm? {
        guard id.source == .embedded else { return nil }
        return try await self.database.writer.read { db in try FilmRecord.fetchOne(db, key: id.key)?.film(db) }
    }
}
