import GRDB
import MovieDomain

/// A row of `film`; the lists hang on it in tables of their own.
struct FilmRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "film"

    var id: String
    var position: Int
    var originalTitle: String
    var originalLanguage: String
    var year: Int
    var releaseDate: String?
    var runtimeMinutes: Int?
    var overview: String
    var posterLocation: String?
    var posterVersion: String?
    var posterWidth: Int?
    var posterHeight: Int?

    private var poster: PosterReference? {
        guard let location = self.posterLocation, let version = self.posterVersion, let width = self.posterWidth,
            let height = self.posterHeight
        else { return nil }
        return PosterReference(
            .packaged(file: location, version: version), size: PictureSize(width: width, height: height))
    }

    /// The film with what hangs on it.
    ///
    /// - Returns: nil when the row makes no film.
    func film(_ db: Database) throws -> EmbeddedFilm? {
        let titles = try Row.fetchAll(
            db, sql: "SELECT language, title FROM filmTitle WHERE filmId = ?", arguments: [id])
        guard let id = MovieID(source: .embedded, key: self.id), !titles.isEmpty else { return nil }
        return EmbeddedFilm(
            id: id,
            titles: Dictionary(titles.map { ($0["language"], $0["title"]) }, uniquingKeysWith: { first, _ in first }),
            originalTitle: self.originalTitle, originalLanguage: Language(self.originalLanguage), year: self.year,
            releaseDate: self.releaseDate.flatMap { CalendarDate($0) }, runtimeMinutes: self.runtimeMinutes,
            genres: try self.texts("genre", from: "filmGenre", db),
            directors: try self.credits("director", db).map(\.name), cast: try self.credits("cast", db),
            countries: try self.texts("country", from: "filmCountry", db), overview: self.overview,
            poster: self.poster)
    }

    private func texts(_ column: String, from table: String, _ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT \(column) FROM \(table) WHERE filmId = ? ORDER BY position", arguments: [self.id])
    }

    private func credits(_ kind: String, _ db: Database) throws -> [Credits.CastMember] {
        let sql = "SELECT name, role FROM filmCredit WHERE filmId = ? AND kind = ? ORDER BY position"
        return try Row.fetchAll(db, sql: sql, arguments: [self.id, kind]).map {
            Credits.CastMember(name: $0["name"], role: $0["role"])
        }
    }
}
