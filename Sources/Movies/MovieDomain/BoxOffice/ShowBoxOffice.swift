/// What people went to see on a day, or in a part of a week, of Seoul.
public struct ShowBoxOffice: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// There are figures of other days only.
        case noFigures(of: CalendarDate, known: ClosedRange<CalendarDate>)
    }

    /// Which days are asked for.
    public enum Part: Hashable, Sendable {
        /// One day.
        case day
        /// Those of the week that a day is of.
        case week(BoxOfficePeriod.Span)
    }

    private let boxOffice: any BoxOfficeRepository
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - boxOffice: Whose figures they are.
    ///   - now: The time of day.
    public init(boxOffice: any BoxOfficeRepository, now: @escaping @Sendable () -> Instant) {
        self.boxOffice = boxOffice
        self.now = now
    }

    /// - Parameters:
    ///   - date: The day, or one of the week; nil for yesterday, or the latest part of a week that is over.
    ///   - language: Of titles.
    /// - Throws: ``Failure``, ``SourceFailure``, `CancellationError`.
    public func callAsFunction(
        _ part: Part, date: CalendarDate?, language: LanguagePreference
    ) async throws -> BoxOffice {
        let today = self.now().date(secondsFromGreenwich: BoxOfficePeriod.secondsFromGreenwich)
        let yesterday = today.adding(days: -1)
        let last = Self.lastDay(of: part, before: yesterday)
        let first = min(self.boxOffice.firstDay, last)
        let day = date ?? Self.defaultDay(of: part, before: yesterday)
        guard (first...last).contains(day) else { throw Failure.noFigures(of: day, known: first...last) }
        return try await self.boxOffice.boxOffice(of: Self.period(part, around: day), language: language)
    }

    /// The last day whose part has begun: of a week that goes on, there are figures as far as it has come.
    private static func lastDay(of part: Part, before yesterday: CalendarDate) -> CalendarDate {
        let period = Self.period(part, around: yesterday)
        // The week's weekend is still to come: that before it is the latest.
        return period.from <= yesterday ? yesterday : yesterday.adding(days: -yesterday.weekday)
    }

    private static func defaultDay(of part: Part, before yesterday: CalendarDate) -> CalendarDate {
        let isOver = Self.period(part, around: yesterday).to <= yesterday
        return isOver ? yesterday : yesterday.adding(days: -yesterday.weekday)
    }

    private static func period(_ part: Part, around day: CalendarDate) -> BoxOfficePeriod {
        switch part {
        case .day: BoxOfficePeriod(day: day)
        case .week(let span): BoxOfficePeriod(span, around: day)
        }
    }
}
