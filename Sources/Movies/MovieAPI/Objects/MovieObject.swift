import HTTPServer
import MovieDomain

/// A film with all that is known of it.
struct MovieObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case tagline, runtimeMinutes, countries, certificate, status, reviewCount, homepage, imdbId, otherScores
        case sections, counterpart, attribution, problems
    }

    struct OtherScoreObject: Encodable, Sendable {
        let name: String
        let value: String
    }

    struct CertificateObject: Encodable, Sendable {
        let system, country, rating: String

        init(_ certificate: Certificate) {
            self.system = certificate.system.rawValue
            self.country = certificate.country.code
            self.rating = certificate.rating
        }
    }

    private let film: MovieSummaryObject
    private let details: MovieDetails
    private let sections: [SectionObject]

    init(_ details: MovieDetails, film: MovieSummaryObject, sections: [SectionObject]) {
        self.film = film
        self.details = details
        self.sections = sections
    }

    func encode(to encoder: any Encoder) throws {
        // Into the same object.
        try self.film.encode(to: encoder)
        let movie = self.details.movie
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(movie.tagline, forKey: .tagline)
        try container.encodeIfPresent(movie.runtimeMinutes, forKey: .runtimeMinutes)
        try container.encode(movie.countries.map(\.code), forKey: .countries)
        try container.encodeIfPresent(movie.certificate.map(CertificateObject.init), forKey: .certificate)
        try container.encodeIfPresent(movie.status?.rawValue, forKey: .status)
        try container.encodeIfPresent(movie.reviewCount, forKey: .reviewCount)
        try container.encodeIfPresent(movie.homepage, forKey: .homepage)
        try container.encodeIfPresent(movie.imdbID, forKey: .imdbId)
        try container.encode(
            movie.otherScores.map { OtherScoreObject(name: $0.name, value: $0.value) }, forKey: .otherScores)
        try container.encode(self.sections, forKey: .sections)
        try container.encodeIfPresent(self.details.link.map(CounterpartObject.init), forKey: .counterpart)
        try container.encodeIfPresent(Attribution.texts(of: self.details.sources), forKey: .attribution)
        let problems = self.details.missing.map(ProblemObject.init)
        if !problems.isEmpty { try container.encode(problems, forKey: .problems) }
    }
}

/// A film's id at another source, and why it is the same film.
struct CounterpartObject: Encodable, Sendable {
    let id: String
    let reason: String

    init(_ link: FilmLink) {
        self.id = link.counterpart.description
        self.reason = link.reason
    }
}

/// A film in a list. Unknown members are absent, except `poster`, which is null when there is none.
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
        case score, poster, rerelease
    }

    let movie: MovieSummary
    /// nil when it is known that there is none.
    let poster: PosterObject?
    let marks: FilmMarks

    init(_ movie: MovieSummary, poster: PosterObject?, marks: FilmMarks) {
        self.movie = movie
        self.poster = poster
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
        try container.encodeIfPresent(movie.rerelease.map(RereleaseObject.init), forKey: .rerelease)
        try self.marks.encode(of: movie.id, to: encoder)
    }
}
