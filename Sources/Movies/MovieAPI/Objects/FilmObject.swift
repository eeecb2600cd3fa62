import MovieDomain

/// A film as lists tell it. What is not known is not there; but `poster` is null when there is none.
struct FilmObject: Encodable, Sendable {
    struct GenreObject: Encodable, Sendable {
        let id: String
        let name: String

        init(_ genre: Genre) {
            self.id = genre.id
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

    private enum CodingKeys: String, CodingKey {
        case id, source, title, originalTitle, originalLanguage, overview, releaseDate, year, genres, directors, cast
        case score, poster, isFavourite
    }

    let movie: MovieSummary
    /// nil when it is known that there is none.
    let poster: PosterObject?
    let isFavourite: Bool

    init(_ movie: MovieSummary, poster: PosterObject?, isFavourite: Bool) {
        self.movie = movie
        self.poster = poster
        self.isFavourite = isFavourite
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
        try container.encode(self.isFavourite, forKey: .isFavourite)
    }
}
