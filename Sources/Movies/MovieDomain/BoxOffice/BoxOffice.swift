/// A box office: the most visited films of a period.
package struct BoxOffice: Hashable, Sendable {
    package let source: MovieSource
    /// The days of the figures.
    package let period: BoxOfficePeriod
    /// What the films and figures were chosen by; an area only when it is not all.
    package let filter: BoxOfficeFilter
    /// By rank; empty when the source has no figures of the period.
    package let entries: [BoxOfficeEntry]
    /// The last day of ``period`` where the days after it have no figures yet; nil when that is not known.
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
    /// A figure of the period, compared with the period before.
    package struct Figure: Hashable, Sendable {
        /// The figure of the period.
        package let value: Int
        /// The change against the period before; nil when unknown.
        package let change: Int?
        /// The change in percent; nil when unknown.
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
    /// Ranks gained since the period before; negative when it fell, 0 for new entries.
    package let rankChange: Int
    /// Whether it had no rank in the period before.
    package let isNew: Bool
    /// The film's id at the box office's source.
    package let movieID: MovieID
    /// The title in the requested language or the next preferred; never empty.
    package let title: String
    /// The opening day, which may be in the future; nil when unknown.
    package let releaseDate: CalendarDate?
    /// Tickets sold.
    package let audience: Figure
    /// Revenue in won.
    package let sales: Figure
    /// The share of all sales of the period, in percent; nil when unknown.
    package let salesShare: Double?
    package let screens: Int
    /// The number of showings on all screens.
    package let showings: Int
    /// The poster that its source names; nil for none.
    package let poster: PosterReference?

    /// A film's rank and figures in a box office.
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
    /// The first day with figures.
    var firstDay: CalendarDate { get }
    /// What it can choose films and figures by; none by default.
    var filters: Set<BoxOfficeFilter.Field> { get }

    /// The box office of `period`, at most ten entries, ranked among the films that `filter` chooses.
    ///
    /// - Parameter filter: Chooses by ``filters`` only.
    func boxOffice(
        of period: BoxOfficePeriod, matching filter: BoxOfficeFilter, language: LanguagePreference
    ) async throws -> BoxOffice
}

extension BoxOfficeRepository {
    package var filters: Set<BoxOfficeFilter.Field> { [] }

    /// Of all films.
    package func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice {
        try await self.boxOffice(of: period, matching: BoxOfficeFilter(), language: language)
    }
}
