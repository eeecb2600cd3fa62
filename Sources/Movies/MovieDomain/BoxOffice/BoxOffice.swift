/// A box office: the most visited films of a period.
package struct BoxOffice: Hashable, Sendable {
    package let source: MovieSource
    package let period: BoxOfficePeriod
    /// The filter of films and figures; without an area if that is all of Korea.
    package let filter: BoxOfficeFilter
    /// By rank; empty if the source has no figures for the period.
    package let entries: [BoxOfficeEntry]
    /// The last day of ``period`` if later days have no figures yet; `nil` if unknown.
    package var latest: CalendarDate?

    package init(
        source: MovieSource, period: BoxOfficePeriod, filter: BoxOfficeFilter = BoxOfficeFilter(),
        entries: [BoxOfficeEntry]
    ) {
        self.source = source
        self.period = period
        self.filter = filter
        self.entries = entries
    }
}

/// A film's rank and figures in a box office.
package struct BoxOfficeEntry: Hashable, Sendable {
    /// A figure of the period, compared with the preceding period.
    package struct Figure: Hashable, Sendable {
        package let value: Int
        /// The change from the preceding period; `nil` if unknown.
        package let change: Int?
        package let changePercent: Double?
        /// The total since the film opened.
        package let total: Int

        package init(value: Int, change: Int?, changePercent: Double?, total: Int) {
            self.value = value
            self.change = change
            self.changePercent = changePercent
            self.total = total
        }
    }

    /// From 1.
    package let rank: Int
    /// The ranks gained since the preceding period; negative for a loss, 0 for new entries.
    package let rankChange: Int
    /// Whether the film had no rank in the preceding period.
    package let isNew: Bool
    /// The film's id at the box office's source.
    package let movieID: MovieID
    /// The title in the requested language or the next preferred; never empty.
    package let title: String
    /// The opening day, which may be in the future; `nil` if unknown.
    package let releaseDate: CalendarDate?
    /// Tickets sold.
    package let audience: Figure
    /// Revenue in won.
    package let sales: Figure
    /// The share of all sales of the period in percent; `nil` if unknown.
    package let salesShare: Double?
    package let screens: Int
    package let showings: Int
    /// The poster that the source names; `nil` if there is none.
    package let poster: PosterReference?

    package init(
        rank: Int, rankChange: Int, isNew: Bool, movieID: MovieID, title: String, releaseDate: CalendarDate?,
        audience: Figure, sales: Figure, salesShare: Double?, screens: Int, showings: Int,
        poster: PosterReference? = nil
    ) {
        self.rank = rank
        self.rankChange = rankChange
        self.isNew = isNew
        self.movieID = movieID
        self.title = title
        self.releaseDate = releaseDate
        self.audience = audience
        self.sales = sales
        self.salesShare = salesShare
        self.screens = screens
        self.showings = showings
        self.poster = poster
    }
}

/// A source of box offices. Days begin at midnight in Seoul.
///
/// Every function throws ``SourceFailure`` or `CancellationError`.
package protocol BoxOfficeRepository: Sendable {
    /// The source of the figures; the films of a box office have ids of this source.
    var source: MovieSource { get }
    var firstDay: CalendarDate { get }
    /// The supported filters; none by default.
    var filters: Set<BoxOfficeFilter.Field> { get }

    /// The box office of `period`, ranked among the films that match `filter`; at most ten entries.
    ///
    /// - Parameter filter: Restricted to ``filters``.
    func boxOffice(
        of period: BoxOfficePeriod, matching filter: BoxOfficeFilter, language: LanguagePreference
    ) async throws -> BoxOffice
}

extension BoxOfficeRepository {
    package var filters: Set<BoxOfficeFilter.Field> { [] }

    /// The box office of all films.
    package func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice {
        try await self.boxOffice(of: period, matching: BoxOfficeFilter(), language: language)
    }
}
