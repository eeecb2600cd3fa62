/// A film as lists show it, in one language.
public struct MovieSummary: Hashable, Sendable {
    /// Unique among all films.
    public var id: MovieID
    /// In the language that was asked for, or the next best; never empty.
    public var title: String
    /// As first shown; never empty.
    public var originalTitle: String
    /// nil when unknown.
    public var originalLanguage: Language?
    /// A few sentences; empty when there are none.
    public var overview: String
    /// The first public showing; nil when only the year is known, or not even that.
    public var releaseDate: CalendarDate?
    /// Of the first public showing; nil when unknown.
    public var year: Int?
    /// The most fitting first.
    public var genres: [Genre]
    /// Their names, as far as its source tells in lists.
    public var directors: [String]
    /// The best known, as far as its source tells in lists.
    public var cast: [String]
    /// nil when nobody has said.
    public var score: AudienceScore?
    /// What its source says the poster is; nil when it knows none, or cannot tell in lists.
    public var poster: PosterReference?

    /// - Returns: nil without a title.
    public init?(
        id: MovieID, title: String, originalTitle: String = "", originalLanguage: Language? = nil,
        overview: String = "", releaseDate: CalendarDate? = nil, year: Int? = nil, genres: [Genre] = [],
        directors: [String] = [], cast: [String] = [], score: AudienceScore? = nil, poster: PosterReference? = nil
    ) {
        let titles = [title, originalTitle].filter { !$0.isEmpty }
        guard let first = titles.first, let last = titles.last else { return nil }
        self.id = id
        self.title = first
        self.originalTitle = last
        self.originalLanguage = originalLanguage
        self.overview = overview
        self.releaseDate = releaseDate
        self.year = year ?? releaseDate?.year
        self.genres = genres
        self.directors = directors
        self.cast = cast
        self.score = score
        self.poster = poster
    }
}

/// A kind of films.
public struct Genre: Hashable, Sendable {
    /// What its source calls it, such as `878` or `science-fiction`.
    public let id: String
    /// For people.
    public let name: String

    /// A kind of films.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What those think of it who have said so.
public struct AudienceScore: Hashable, Sendable {
    /// From 0 to 10.
    public let average: Double
    /// How many have.
    public let count: Int

    /// - Returns: nil without anybody, or with an average that is none.
    public init?(average: Double, count: Int) {
        guard count > 0, (0...10).contains(average) else { return nil }
        self.average = average
        self.count = count
    }
}
