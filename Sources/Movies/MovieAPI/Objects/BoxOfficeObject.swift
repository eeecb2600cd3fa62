import HTTPServer
import MovieDomain
import MovieHTTP

struct BoxOfficeObject: Encodable, Sendable {
    struct Week: Encodable, Sendable {
        let year: Int
        /// From 1 (ISO 8601).
        let number: Int
    }

    struct Filter: Encodable, Sendable {
        let area, origin, films: String?

        /// `nil` for a filter without conditions.
        init?(_ filter: BoxOfficeFilter) {
            guard !filter.fields.isEmpty else { return nil }
            self.area = filter.area?.description
            self.origin = filter.origin?.rawValue
            self.films = filter.films?.rawValue
        }
    }

    struct Figure: Encodable, Sendable {
        let value: Int
        let change: Int?
        let changePercent: Double?
        let total: Int

        init(_ figure: BoxOfficeEntry.Figure) {
            self.value = figure.value
            self.change = figure.change
            self.changePercent = figure.changePercent
            self.total = figure.total
        }
    }

    struct Entry: Encodable, Sendable {
        private enum CodingKeys: String, CodingKey {
            case rank, rankChange, isNew, id, code, source, title, releaseDate, audience, sales, salesShare, screens
            case showings, poster
        }

        private let entry: BoxOfficeEntry
        private let poster: PosterObject?
        private let marks: FilmMarks

        init(_ entry: BoxOfficeEntry, poster: PosterObject?, marks: FilmMarks) {
            self.entry = entry
            self.poster = poster
            self.marks = marks
        }

        func encode(to encoder: any Encoder) throws {
            let entry = self.entry
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(entry.rank, forKey: .rank)
            try container.encode(entry.rankChange, forKey: .rankChange)
            try container.encode(entry.isNew, forKey: .isNew)
            try container.encode(entry.movieID.description, forKey: .id)
            try container.encode(entry.movieID.key, forKey: .code)
            try container.encode(entry.movieID.source.rawValue, forKey: .source)
            try container.encode(entry.title, forKey: .title)
            try container.encodeIfPresent(entry.releaseDate?.description, forKey: .releaseDate)
            try container.encode(Figure(entry.audience), forKey: .audience)
            try container.encode(Figure(entry.sales), forKey: .sales)
            try container.encodeIfPresent(entry.salesShare, forKey: .salesShare)
            try container.encode(entry.screens, forKey: .screens)
            try container.encode(entry.showings, forKey: .showings)
            try container.encode(self.poster, forKey: .poster)
            try self.marks.encode(of: entry.movieID, to: encoder)
        }
    }

    let source: String
    /// Days, inclusive.
    let from, to: String
    /// `nil` for a single day.
    let span: String?
    /// `nil` for a single day.
    let week: Week?
    /// `nil` without a filter.
    let filter: Filter?
    /// Whether all days are past; otherwise the figures end with yesterday.
    let isComplete: Bool
    /// The range of days accepted in requests with this span, inclusive; without a date, up to the latest with figures.
    let earliest, latest: String
    let results: [Entry]
    /// `nil` if the source requires no notice.
    let attribution: [String]?

    /// - Parameter days: The days accepted in requests with this span.
    init(_ boxOffice: BoxOffice, isComplete: Bool, days: ClosedRange<CalendarDate>, results: [Entry]) {
        self.source = boxOffice.source.rawValue
        self.from = boxOffice.period.from.description
        self.to = boxOffice.period.to.description
        self.span = boxOffice.period.span?.rawValue
        self.week = boxOffice.period.week.map { Week(year: $0.year, number: $0.number) }
        self.filter = Filter(boxOffice.filter)
        self.isComplete = isComplete
        self.earliest = days.lowerBound.description
        self.latest = days.upperBound.description
        self.results = results
        self.attribution = Attribution.texts(of: [boxOffice.source])
    }
}
