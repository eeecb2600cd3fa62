import GRDB
public import MovieDomain

/// Films in the library's database.
public struct SQLiteMovieRepository: MovieRepository {
    private let database: LibraryDatabase

    /// Films of `database`.
    public init(_ database: LibraryDatabase) {
        self.database = database
    }

    /// The film of that id; nil when there is none.
    ///
    /// - Throws: `DatabaseError`.
    public func movie(_ id: Movie.ID) async throws -> Movie? {
        try await self.database.writer.read { db in try FilmRecord.fetchOne(db, key: id.rawValue)?.movie(db) }
    }

    /// Films in the catalogue's order.
    ///
    /// - Throws: `DatabaseError`.
    public func movies(limit: Int) async throws -> [Movie] {
        try await self.database.writer.read { db in
            try FilmRecord.order(Column("position")).limit(limit).fetchAll(db).compactMap { try $0.movie(db) }
        }
    }
}
