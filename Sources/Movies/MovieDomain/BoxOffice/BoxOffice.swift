/// What people went to see.
public struct BoxOffice: Hashable, Sendable {
    /// Whose it is.
    public let source: MovieSource
    /// The days that it is of.
    public let period: BoxOfficePeriod
    /// By rank; empty when nothing is known of the period.
    public let entries: [BoxOfficeEntry]

    /// What people went to see.
    public init(source: MovieSource, period: BoxOfficePeriod, entries: [BoxOfficeEntry]) {
        self.source = source
        self.period = period
        self.entries = entries
    }
}

/// A film's place in a box office.
public struct BoxOfficeEntry: Hashable, Sendable {
    /// A figure of the period, beside the period before.
    public struct Figure: Hashable, Sendable {
        /// Of the period.
        public let value: Int
        /// Against the period before; nil when unknown.
        public let change: Int?
        /// The same in percent.
        public let changePercent: Double?
        /// Since the film opened.
        public let total: Int

        /// A figure.
        public init(value: Int, change: Int?, changePercent: Double?, total: Int) {
            self.value = value
            self.change = change
            self.changePercent = changePercent
            self.total = total
        }
    }

    /// From 1.
    public let rank: Int
    /// How many places it rose against the period before; negative when it fell, 0 for new entries.
    public let rankChange: Int
    /// Whether it was not there in the period before.
    public let isNew: Bool
    /// Where more is known of it.
    public let movieID: MovieID
    /// Never empty.
    public let title: String
    /// When it opened, or will; nil when unknown.
    public let releaseDate: CalendarDate?
    /// People.
    public let audience: Figure
    /// In won.
    public let sales: Figure
    /// Of all sales of the period, in percent; nil when unknown.
    public let salesShare: Double?
    /// That showed it.
    public let screens: Int
    /// Of all screens.
    public let showings: Int
    /// Where its poster is; nil when its source does not say.
    public let poster: PosterReference?

    /// A film's place.
    public init(
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

/// A source of box offices. Days are those of Seoul.
///
/// Every function throws ``SourceFailure``, or `CancellationError`.
public protocol BoxOfficeRepository: Sendable {
    /// Whose figures they are; films of a box office are of this source.
    var source: MovieSource { get }
    /// The first day that it knows.
    var firstDay: CalendarDate { get }

    /// The days of `period`, at most ten entries.
    func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice
}
