/// A television series: its pictures and score only.
package struct Series: Hashable, Sendable {
    /// The number at The Movie Database.
    package let number: Int
    package let poster: PictureLocation?
    /// The best-rated poster without text.
    package let textlessPoster: PictureLocation?
    package let backdrop: PictureLocation?
    /// The drawn title, without background.
    package let logo: PictureLocation?
    package let score: AudienceScore?
    /// The day of the latest episode; `nil` if unknown.
    package let lastAirDate: CalendarDate?

    package init(
        number: Int, poster: PictureLocation? = nil, textlessPoster: PictureLocation? = nil,
        backdrop: PictureLocation? = nil, logo: PictureLocation? = nil, score: AudienceScore? = nil,
        lastAirDate: CalendarDate? = nil
    ) {
        self.number = number
        self.poster = poster
        self.textlessPoster = textlessPoster
        self.backdrop = backdrop
        self.logo = logo
        self.score = score
        self.lastAirDate = lastAirDate
    }

    /// How long the score stays current, in seconds, by the age of the latest episode.
    package func scoreLifetime(at now: Instant) -> Int64 { FilmScores.lifetime(since: self.lastAirDate, at: now) }
}

/// A site with ids of films and series.
package enum TitleRegistry: String, Hashable, Sendable {
    /// Ids such as `tt0111161`.
    case imdb
    /// Numbers.
    case tvdb
}

/// A film or a series with an id at another site.
package enum FoundTitle: Hashable, Sendable {
    case film(MovieID)
    /// By its number at The Movie Database.
    case series(Int)
}

/// The Movie Database's series. Functions throw ``SourceFailure`` or `CancellationError`.
package protocol SeriesRepository: Sendable {
    /// The film or series with an id at another site.
    ///
    /// - Parameter id: An id of `registry`, which has only letters and digits.
    /// - Returns: `nil` if neither has the id.
    func title(_ id: String, at registry: TitleRegistry) async throws -> FoundTitle?

    /// - Parameter language: The language of the pictures; `nil` for the default.
    /// - Returns: `nil` if no series has the number.
    func series(_ number: Int, language: Language?) async throws -> Series?
}
