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
    var posterLocation: String?
    var posterVersion: String?
    var posterWidth: Int?
    var posterHeight: Int?
    var scoreAverage: Double?
    var scoreCount: Int?
    var certificate: String?
    var sound: String?
    var colour: String?

    private var poster: PosterReference? {
        guard let location = self.posterLocation, let version = self.posterVersion, let width = self.posterWidth,
            let height = self.posterHeight
        else { return nil }
        return PosterReference(
            .packaged(file: location, version: version), size: PictureSize(width: width, height: height))
    }

    private var score: AudienceScore? {
        guard let average = self.scoreAverage, let count = self.scoreCount else { return nil }
        return AudienceScore(average: average, count: count)
    }

    /// The film with what hangs on it.
    ///
    /// - Returns: nil when the row makes no film.
    func film(
        titles: [String: String], otherTitles: [String], overviews: [String: String], genres: [String],
        directors: [String], cast: [Credits.CastMember], countries: [String]
    ) -> EmbeddedFilm? {
        guard let id = MovieID(source: .embedded, key: self.id), !titles.isEmpty else { return nil }
        return EmbeddedFilm(
            id: id, position: self.position, titles: titles, originalTitle: self.originalTitle,
            otherTitles: otherTitles, originalLanguage: Language(self.originalLanguage), year: self.year,
            releaseDate: self.releaseDate.flatMap { CalendarDate($0) }, runtimeMinutes: self.runtimeMinutes,
            genres: genres, directors: directors, cast: cast, countries: countries, overviews: overviews,
            score: self.score, certificate: self.certificate, sound: self.sound, colour: self.colour,
            poster: self.poster)
    }
}
