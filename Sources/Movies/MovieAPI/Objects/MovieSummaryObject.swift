import HTTPServer
import MovieDomain

/// A film in a list. Unknown members are absent, except `poster`, which is null if there is none.
struct MovieSummaryObject: Encodable, Sendable {
    struct GenreObject: Encodable, Sendable {
        let id: String
        let name: String

        init(_ genre: Genre) {
            self.id = genre.id.rawValue
            self.name = genre.name
        }
    }

    struct ScoreObject: Encodable, Sendable {
        /// From 0 to 10.
        let average: Double
        let count: Int

        init(_ score: AudienceScore) {
            self.average = score.average
            self.count = score.count
        }
    }

    struct RereleaseObject: Encodable, Sendable {
        let date: String
        /// In years.
        let anniversary: Int

        init(_ rerelease: Rerelease) {
            self.date = rerelease.date.description
            self.anniversary = rerelease.anniversary
        }
    }

    private enum CodingKeys: String, CodingKey {
        case id, source, title, originalTitle, originalLanguage, overview, releaseDate, year, genres, directors, cast
        case score, poster, backdrop, rerelease
    }

    let movie: MovieSummary
    /// `nil` if the film is known to have none.
    let poster: PosterObject?
    let backdrop: PosterObject?
    let marks: FilmMarks

    init(_ movie: MovieSummary, poster: PosterObject?, backdrop: PosterObject?, marks: FilmMarks) {
        self.movie = movie
        self.poster = poster
        self.backdrop = backdrop
        self.marks = marks
    }

    func encode(to encoder: any Encoder) throws {
        let movie = self.movie
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(movie.id.description, forKey: .id)
        try container.encode(movie.id.source.rawValue, forKey: .source)
        try container.encode(movie.title, forKey: .title)
        try container.encode(movie.originalTitle, forKey: .originalTitle)
        try container.encodeIfPresent(movie.originalLanguage?.code, forKey: .originalLanguage)
        try container.encode(movie.overview, forKey: .overview)
        try container.encodeIfPresent(movie.releaseDate?.description, forKey: .releaseDate)
        try container.encodeIfPresent(movie.year, forKey: .year)
        try container.encode(movie.genres.map(GenreObject.init), forKey: .genres)
        try container.encode(movie.directors, forKey: .directors)
        try container.encode(movie.cast, forKey: .cast)
        try container.encodeIfPresent(movie.score.map(ScoreObject.init), forKey: .score)
        try container.encode(self.poster, forKey: .poster)
        try container.encodeIfPresent(self.backdrop, forKey: .backdrop)
        try container.encodeIfPresent(movie.rerelease.map(RereleaseObject.init), forKey: .rerelease)
        try self.marks.encode(of: movie.id, to: encoder)
    }
}
