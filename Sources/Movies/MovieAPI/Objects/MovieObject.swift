import MovieDomain

/// A film with all that is known of it.
struct MovieObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case tagline, runtimeMinutes, countries, certificate, status, homepage, imdbId, otherScores, sections
        case attribution, problems
    }

    struct OtherScoreObject: Encodable, Sendable {
        let name: String
        let value: String
    }

    private let film: FilmObject
    private let details: MovieDetails
    private let sections: [SectionObject]

    init(_ details: MovieDetails, film: FilmObject, sections: [SectionObject]) {
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
        try container.encode(movie.countries, forKey: .countries)
        try container.encodeIfPresent(movie.certificate, forKey: .certificate)
        try container.encodeIfPresent(movie.status, forKey: .status)
        try container.encodeIfPresent(movie.homepage, forKey: .homepage)
        try container.encodeIfPresent(movie.imdbID, forKey: .imdbId)
        try container.encode(
            movie.otherScores.map { OtherScoreObject(name: $0.name, value: $0.value) }, forKey: .otherScores)
        try container.encode(self.sections, forKey: .sections)
        try container.encodeIfPresent(Attribution.texts(of: self.details.sources), forKey: .attribution)
        let problems = self.details.missing.map(ProblemObject.init)
        if !problems.isEmpty { try container.encode(problems, forKey: .problems) }
    }
}
