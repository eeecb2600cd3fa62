/// A film as lists show it, in one language.
package struct MovieSummary: Hashable, Sendable {
    /// The maximal length of a title in bytes of UTF-8; longer ones are truncated.
    package static let titleBytes = 1024
    /// The maximal number of directors and of actors; credits have all.
    package static let nameLimit = 50

    /// Unique across sources.
    package var id: MovieID
    /// The title in the requested language or the next preferred; never empty.
    package var title: String
    /// The title of the first showing; never empty.
    package var originalTitle: String
    package var originalLanguage: Language?
    /// A few sentences; empty if unknown.
    package var overview: String
    /// The day of the first public showing; `nil` if unknown, also if only the year is known.
    package var releaseDate: CalendarDate?
    /// The year of the first public showing; `nil` if unknown.
    package var year: Int?
    /// The most relevant first.
    package var genres: [Genre]
    /// The directors' names, as far as the source includes them in lists.
    package var directors: [String]
    /// The main actors' names, as far as the source includes them in lists.
    package var cast: [String]
    /// `nil` if the film has no ratings.
    package var score: AudienceScore?
    /// The source's poster; `nil` if it has none or omits it in lists.
    package var poster: PosterReference?
    /// In lists of current cinema films: the rerelease; `nil` for a first release.
    package var rerelease: Rerelease?
    /// A wide picture without text; `nil` if the source has none or omits it in lists.
    package var backdrop: PosterReference?

    /// - Returns: `nil` if the film has no title.
    package init?(
        id: MovieID, title: String, originalTitle: String = "", originalLanguage: Language? = nil,
        overview: String = "", releaseDate: CalendarDate? = nil, year: Int? = nil, genres: [Genre] = [],
        directors: [String] = [], cast: [String] = [], score: AudienceScore? = nil, poster: PosterReference? = nil,
        rerelease: Rerelease? = nil, backdrop: PosterReference? = nil
    ) {
        let titles = [title, originalTitle].filter { !$0.isEmpty }.map { $0.limited(toBytes: Self.titleBytes) }
        guard let first = titles.first, let last = titles.last else { return nil }
        self.id = id
        self.title = first
        self.originalTitle = last
        self.originalLanguage = originalLanguage
        self.overview = overview
        self.releaseDate = releaseDate
        self.year = year.flatMap { CalendarDate.years.contains($0) ? $0 : nil } ?? releaseDate?.year
        self.genres = genres
        self.directors = Array(directors.prefix(Self.nameLimit))
        self.cast = Array(cast.prefix(Self.nameLimit))
        self.score = score
        self.poster = poster
        self.rerelease = rerelease
        self.backdrop = backdrop
    }
}

package struct Genre: Hashable, Sendable {
    package let id: GenreID
    package let name: String

    package init(id: GenreID, name: String) {
        self.id = id
        self.name = name
    }

    /// - Parameter sourceName: The source's name in the first preferred language; used if that is not Korean, English
    ///   or Japanese.
    package init(_ id: GenreID, in language: LanguagePreference, sourceName: String? = nil) {
        self.init(id: id, name: id.name(in: language.first) ?? sourceName ?? id.name(in: language))
    }

    /// The genres of a source's words, without duplicates.
    package static func reading(_ words: [String], in language: LanguagePreference) -> [Genre] {
        GenreID.ids(words: words).map { Genre($0, in: language) }
    }
}

/// A film's return to cinemas.
package struct Rerelease: Hashable, Sendable {
    /// The first day of the new run.
    package let date: CalendarDate
    /// The years since the first release.
    package let anniversary: Int

    package init(date: CalendarDate, anniversary: Int) {
        self.date = date
        self.anniversary = anniversary
    }
}

/// The average score that users of the source have given.
package struct AudienceScore: Hashable, Sendable {
    /// From 0 to 10.
    package let average: Double
    package let count: Int

    /// - Returns: `nil` without ratings, and if the average is unknown or outside 0 to 10.
    package init?(average: Double?, count: Int?) {
        guard let average, let count, count > 0, (0...10).contains(average) else { return nil }
        self.average = average
        self.count = count
    }
}
