/// Returns the box office of a day, or of days of a week, in Seoul.
package struct ShowBoxOffice: Sendable {
    /// Why there is none.
    package enum Failure: Error, Hashable, Sendable {
        /// There are only figures of days in `known`.
        case noFigures(of: CalendarDate, known: ClosedRange<CalendarDate>)
    }

    /// The days of the box office.
    package enum Part: Hashable, Sendable {
        /// One day.
        case day
        /// Days of the week of a day.
        case week(BoxOfficePeriod.Span)
    }

    private let boxOffice: any BoxOfficeRepository
    private let now: @Sendable () -> Instant

    package init(boxOffice: any BoxOfficeRepository, now: @escaping @Sendable () -> Instant) {
        self.boxOffice = boxOffice
        self.now = now
    }

    /// - Parameters:
    ///   - date: The day, or a day of the week; nil for yesterday, or the latest days of a week that are over.
    ///   - language: The language of titles.
    /// - Throws: ``Failure``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(
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

    /// The last valid day: an unfinished week has figures up to yesterday.
    private static func lastDay(of part: Part, before yesterday: CalendarDate) -> CalendarDate {
        let period = Self.period(part, around: yesterday)
        // The days of this week are still to come: those of the week before are the latest.
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
