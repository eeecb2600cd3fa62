/// A film.
public struct Movie: Hashable, Sendable {
    /// What a film is called within its source, such as `nosferatu-1922`.
    public struct ID: Hashable, Sendable, RawRepresentable {
        /// Never empty.
        public let rawValue: String

        /// - Parameter rawValue: Not empty; nil otherwise.
        public init?(rawValue: String) {
            guard !rawValue.isEmpty else { return nil }
            self.rawValue = rawValue
        }
    }

    /// A part and who played it.
    public struct CastMember: Hashable, Sendable {
        /// Of the person.
        public let name: String
        /// Empty when the part has no name.
        public let role: String

        /// A part and who played it.
        public init(name: String, role: String) {
            self.name = name
            self.role = role
        }
    }

    /// Unique within its source.
    public let id: ID
    /// In the languages it is known in.
    public let title: LocalisedTitle
    /// As first shown; never empty.
    public let originalTitle: String
    /// ISO 639-1; of the intertitles where nobody speaks.
    public let originalLanguage: String
    /// Of the first public showing, 1888 or later.
    public let year: Int
    /// The first public showing; nil when only the year is known.
    public let releaseDate: CalendarDate?
    /// nil when unknown.
    public let runtimeMinutes: Int?
    /// Such as `horror`.
    public let genres: [String]
    /// Their names.
    public let directors: [String]
    /// In billing order.
    public let cast: [CastMember]
    /// ISO 3166-1 alpha-2.
    public let countries: [String]
    /// A few sentences, in English.
    public let overview: String
    /// nil when there is none.
    public let poster: PosterReference?

    /// - Returns: nil when the film would have no title or a year before the cinema.
    public init?(
        id: ID, title: LocalisedTitle, originalTitle: String, originalLanguage: String, year: Int,
        releaseDate: CalendarDate?, runtimeMinutes: Int?, genres: [String], directors: [String], cast: [CastMember],
        countries: [String], overview: String, poster: PosterReference?
    ) {
        guard !originalTitle.isEmpty, year >= 1888 else { return nil }
        self.id = id
        self.title = title
        self.originalTitle = originalTitle
        self.originalLanguage = originalLanguage
        self.year = year
        self.releaseDate = releaseDate
        self.runtimeMinutes = runtimeMinutes
        self.genres = genres
        self.directors = directors
        self.cast = cast
        self.countries = countries
        self.overview = overview
        self.poster = poster
    }
}
