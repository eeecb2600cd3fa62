import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// A film with all details.
struct MovieObject: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case tagline, runtimeMinutes, countries, certificate, status, reviewCount, homepage, imdbId, otherScores
        case keywords, collection, regionalRelease, sections, counterpart, attribution, problems
    }

    struct OtherScoreObject: Encodable, Sendable {
        let name: String
        let value: String
    }

    struct CertificateObject: Encodable, Hashable, Sendable {
        let system, country, rating: String

        init(_ certificate: Certificate) {
            self.system = certificate.system.rawValue
            self.country = certificate.country.code
            self.rating = certificate.rating
        }
    }

    struct KeywordObject: Encodable, Sendable {
        /// `nil` if the source has only words.
        let id: String?
        let name: String

        init(_ keyword: Keyword) {
            self.id = keyword.id
            self.name = keyword.name
        }
    }

    private let film: MovieSummaryObject
    private let details: MovieDetails
    private let collection: CollectionReferenceObject?
    private let regionalRelease: ReleaseObject?
    private let sections: [SectionObject]

    /// - Parameter regionalRelease: The release in the client's country; `nil` if the country or release is unknown.
    init(
        _ details: MovieDetails, film: MovieSummaryObject, collection: CollectionReferenceObject?,
        regionalRelease: ReleaseObject?, sections: [SectionObject]
    ) {
        self.film = film
        self.details = details
        self.collection = collection
        self.regionalRelease = regionalRelease
        self.sections = sections
    }

    func encode(to encoder: any Encoder) throws {
        // Encodes into the same object.
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
        try container.encode(movie.keywords.map(KeywordObject.init), forKey: .keywords)
        try container.encodeIfPresent(self.collection, forKey: .collection)
        try container.encodeIfPresent(self.regionalRelease, forKey: .regionalRelease)
        try container.encode(self.sections, forKey: .sections)
        try container.encodeIfPresent(self.details.link.map(CounterpartObject.init), forKey: .counterpart)
        try container.encodeIfPresent(Attribution.texts(of: self.details.sources), forKey: .attribution)
        let problems = self.details.missing.map(ProblemObject.init)
        if !problems.isEmpty { try container.encode(problems, forKey: .problems) }
    }
}

/// A reference to a film's collection.
struct CollectionReferenceObject: Encodable, Hashable, Sendable {
    /// The largest width of a poster's `url`, in pixels.
    private static let posterWidth = 500
    /// The largest width in its `srcset`, in pixels.
    private static let widestPoster = 780

    let id: String
    let name: String
    /// `nil` if this server has none.
    let poster, backdrop: PosterObject?

    init(_ collection: CollectionReference, _ urls: any PictureURLs) throws(Problem) {
        self.id = collection.id.description
        self.name = collection.name
        self.poster = try urls.picture(
            at: collection.poster?.location, size: collection.poster?.size, width: Self.posterWidth,
            widest: Self.widestPoster)
        self.backdrop = try urls.backdrop(collection.backdrop)
    }
}

/// A release of a film in a country.
struct ReleaseObject: Encodable, Hashable, Sendable {
    let country: String
    let date: String?
    let type: String
    let certificate: MovieObject.CertificateObject?
    /// May be empty.
    let note: String

    init(_ release: Release) {
        self.country = release.country.code
        self.date = release.date?.description
        self.type = release.kind.rawValue
        self.certificate = release.certificate.map(MovieObject.CertificateObject.init)
        self.note = release.note
    }
}

/// A film's id at another source, and why both are the same film.
struct CounterpartObject: Encodable, Sendable {
    let id: String
    let reason: String

    init(_ link: FilmLink) {
        self.id = link.counterpart.description
        self.reason = link.reason
    }
}
