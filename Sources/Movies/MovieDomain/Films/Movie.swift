/// A film's details from its source, in one language.
package struct Movie: Hashable, Sendable {
    package var summary: MovieSummary
    /// Empty if there is none.
    package var tagline: String
    package var runtimeMinutes: Int?
    /// The countries of production, without duplicates.
    package var countries: [Country]
    /// The source's words that name no single country, such as `합작` (co-production).
    package var otherCountries: [String]
    package var certificate: Certificate?
    package var status: FilmStatus?
    /// The main cast and crew; ``ShowMovie/credits(of:language:)`` returns all.
    package var credits: Credits
    /// Stills and other pictures, without the poster.
    package var gallery: [GalleryPicture]
    /// The latest reviews, as far as the source includes them in a film's details.
    package var reviews: [Review]
    /// The number of reviews at the source in the language of ``reviews``; `nil` if unknown.
    package var reviewCount: Int?
    /// The URL of the film's own website; `nil` if there is none.
    package var homepage: String?
    /// The IMDb title, such as `tt0133093`; `nil` if unknown.
    package var imdbID: String?
    /// Scores of other sites, such as 87 % of Rotten Tomatoes.
    package var otherScores: [ExternalScore]
    package var information: [InformationItem]
    /// In the source's order; ``Video/ranked(_:for:)`` puts the best first.
    package var videos: [Video]
    package var keywords: [Keyword]
    package var collection: CollectionReference?
    /// The releases in all countries, as far as the source has them.
    package var releases: [Release]

    package var id: MovieID { self.summary.id }
    package var directors: [String] { self.summary.directors }

    /// Running times below a minute become `nil`.
    package init(
        summary: MovieSummary, tagline: String = "", runtimeMinutes: Int? = nil, countries: [Country] = [],
        otherCountries: [String] = [], certificate: Certificate? = nil, status: FilmStatus? = nil,
        credits: Credits = Credits(cast: [], crew: []), gallery: [GalleryPicture] = [], reviews: [Review] = [],
        reviewCount: Int? = nil, homepage: String? = nil, imdbID: String? = nil, otherScores: [ExternalScore] = [],
        information: [InformationItem] = [], videos: [Video] = [], keywords: [Keyword] = [],
        collection: CollectionReference? = nil, releases: [Release] = []
    ) {
        self.summary = summary
        self.tagline = tagline
        self.runtimeMinutes = runtimeMinutes.flatMap { $0 > 0 ? $0 : nil }
        self.countries = countries
        self.otherCountries = otherCountries
        self.certificate = certificate
        self.status = status
        self.credits = credits
        self.gallery = gallery
        self.reviews = reviews
        self.reviewCount = reviewCount
        self.homepage = homepage
        self.imdbID = imdbID
        self.otherScores = otherScores
        self.information = information
        self.videos = videos
        self.keywords = keywords
        self.collection = collection
        self.releases = releases
    }
}

extension Movie {
    /// Merges the film with its counterpart at another source.
    ///
    /// The id, the poster, the release date, the certificate, and for Korean readers the title are the film's own; its
    /// releases replace the counterpart's of the same kind and country. Reviews and tagline are the counterpart's. All
    /// other values are the counterpart's if it has them, else the film's own.
    package func joined(with counterpart: Movie, in language: LanguagePreference) -> Movie {
        var movie = counterpart
        movie.summary = self.summary.joined(with: counterpart.summary, in: language)
        movie.runtimeMinutes = counterpart.runtimeMinutes ?? self.runtimeMinutes
        if counterpart.countries.isEmpty, counterpart.otherCountries.isEmpty {
            movie.countries = self.countries
            movie.otherCountries = self.otherCountries
        }
        movie.certificate = self.certificate ?? counterpart.certificate
        movie.status = counterpart.status ?? self.status
        movie.credits = counterpart.credits.cast.isEmpty ? self.credits : counterpart.credits
        movie.gallery = counterpart.gallery.isEmpty ? self.gallery : counterpart.gallery
        movie.homepage = counterpart.homepage ?? self.homepage
        movie.imdbID = counterpart.imdbID ?? self.imdbID
        movie.otherScores += self.otherScores.filter { own in !counterpart.otherScores.contains { $0.name == own.name }
        }
        movie.information += self.information.filter { own in !counterpart.information.contains { $0.name == own.name }
        }
        if counterpart.videos.isEmpty { movie.videos = self.videos }
        if counterpart.keywords.isEmpty { movie.keywords = self.keywords }
        movie.collection = counterpart.collection ?? self.collection
        movie.releases =
            self.releases
            + counterpart.releases.filter { other in
                !self.releases.contains { $0.country == other.country && $0.kind == other.kind }
            }
        return movie
    }
}

extension MovieSummary {
    func joined(with counterpart: MovieSummary, in language: LanguagePreference) -> MovieSummary {
        var summary = counterpart
        summary.id = self.id
        if language.first == .korean { summary.title = self.title }
        summary.originalLanguage = counterpart.originalLanguage ?? self.originalLanguage
        summary.overview = counterpart.overview.isEmpty ? self.overview : counterpart.overview
        summary.releaseDate = self.releaseDate ?? counterpart.releaseDate
        summary.year = self.year ?? counterpart.year
        summary.genres = counterpart.genres.isEmpty ? self.genres : counterpart.genres
        summary.directors = counterpart.directors.isEmpty ? self.directors : counterpart.directors
        summary.cast = counterpart.cast.isEmpty ? self.cast : counterpart.cast
        summary.score = counterpart.score ?? self.score
        summary.poster = self.poster
        summary.backdrop = counterpart.backdrop ?? self.backdrop
        return summary
    }
}

/// A score of a site other than the film's source, on its own scale.
package struct ExternalScore: Hashable, Sendable {
    /// The maximal number of scores per source; further ones are dropped.
    package static let limit = 20

    /// The origin of the score, such as `Rotten Tomatoes`.
    package let name: String
    /// The score with its scale, such as `87%` or `7.9/10`.
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A named fact for tables.
package struct InformationItem: Hashable, Sendable {
    /// The maximal length of a value in bytes of UTF-8; longer ones are truncated: some list hundreds of companies.
    package static let valueBytes = 16 * 1024

    package let name: InformationName
    package let value: String

    package init(name: InformationName, value: String) {
        self.name = name
        self.value = value.limited(toBytes: Self.valueBytes)
    }

    /// The facts that have a value, in order.
    package static func items(_ facts: [(name: InformationName, value: String?)]) -> [InformationItem] {
        facts.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : InformationItem(name: name, value: $0) }
        }
    }
}

/// A review of a film.
package struct Review: Hashable, Sendable {
    /// The maximal length of a preview in grapheme clusters (UAX #29).
    package static let previewLength = 300

    /// Unique among the reviews of its source.
    package let id: String
    package let author: String
    /// From 0 to 10; `nil` if the review has no score.
    package let score: Double?
    /// The full text, without leading or trailing white space.
    package let content: String
    package let createdAt: Instant?
    package let url: String?

    /// Scores outside 0 to 10 become `nil`.
    package init(
        id: String, author: String, score: Double? = nil, content: String, createdAt: Instant? = nil,
        url: String? = nil
    ) {
        self.id = id
        self.author = author
        self.score = score.flatMap { (0...10).contains($0) ? $0 : nil }
        self.content = content
        self.createdAt = createdAt
        self.url = url
    }

    package var preview: String { String(self.content.prefix(Self.previewLength)) }

    /// Whether the preview is shorter than the content.
    package var isTruncated: Bool { self.content.dropFirst(Self.previewLength).first != nil }
}
