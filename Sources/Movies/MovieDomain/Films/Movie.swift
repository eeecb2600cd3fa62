/// A film with all that its source tells at once, in one language.
public struct Movie: Hashable, Sendable {
    /// What lists show of it.
    public var summary: MovieSummary
    /// Empty without one.
    public var tagline: String
    /// nil when unknown.
    public var runtimeMinutes: Int?
    /// ISO 3166-1 alpha-2 where the source uses that, else names.
    public var countries: [String]
    /// For whom it is fit, as the source says it, such as `15세이상관람가` or `R`; nil when unknown.
    public var certificate: String?
    /// Such as `Released`, in the source's words; nil when unknown.
    public var status: String?
    /// The best known parts; all of them are in the credits.
    public var credits: Credits
    /// Stills and other pictures, without the poster.
    public var gallery: [GalleryPicture]
    /// The latest reviews, as far as the source tells them at once.
    public var reviews: [Review]
    /// A page of its own; nil without one.
    public var homepage: String?
    /// Such as `tt0133093`; nil when unknown.
    public var imdbID: String?
    /// What others think, such as 87 % of Rotten Tomatoes.
    public var otherScores: [ExternalScore]
    /// What else there is to know, in the source's own order.
    public var information: [InformationItem]

    /// That of the summary.
    public var id: MovieID { self.summary.id }
    /// Those of the summary.
    public var directors: [String] { self.summary.directors }

    /// A film.
    public init(
        summary: MovieSummary, tagline: String = "", runtimeMinutes: Int? = nil, countries: [String] = [],
        certificate: String? = nil, status: String? = nil, credits: Credits = Credits(cast: [], crew: []),
        gallery: [GalleryPicture] = [], reviews: [Review] = [], homepage: String? = nil, imdbID: String? = nil,
        otherScores: [ExternalScore] = [], information: [InformationItem] = []
    ) {
        self.summary = summary
        self.tagline = tagline
        self.runtimeMinutes = runtimeMinutes.flatMap { $0 > 0 ? $0 : nil }
        self.countries = countries
        self.certificate = certificate
        self.status = status
        self.credits = credits
        self.gallery = gallery
        self.reviews = reviews
        self.homepage = homepage
        self.imdbID = imdbID
        self.otherScores = otherScores
        self.information = information
    }
}

/// What somebody else than the source thinks of a film, in their own way of counting.
public struct ExternalScore: Hashable, Sendable {
    /// Who, such as `Rotten Tomatoes`.
    public let name: String
    /// Such as `87%` or `7.9/10`.
    public let value: String

    /// What somebody else thinks of a film.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A fact with a name, as tables show it.
public struct InformationItem: Hashable, Sendable {
    /// What it is, in lower camel case, such as `runtime` or `minimumOSVersion`: clients translate it.
    public let name: String
    /// For people.
    public let value: String

    /// A fact with a name.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
