/// Returns the box office of a day or week in Seoul.
package struct ShowBoxOffice: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// Only the days of `known` have figures.
        case noFigures(of: CalendarDate, known: ClosedRange<CalendarDate>)
        /// The source does not support a filter of `field`; unfiltered figures would be wrong.
        case noFilter(BoxOfficeFilter.Field, at: MovieSource)
    }

    /// The maximal numbers of earlier days and weeks to try until one has figures: yesterday's figures are published in
    /// the morning, later after holidays.
    private static let (earlierDays, earlierWeeks) = (3, 1)

    private let boxOffice: any BoxOfficeRepository
    private let now: @Sendable () -> Instant

    package init(boxOffice: any BoxOfficeRepository, now: @escaping @Sendable () -> Instant) {
        self.boxOffice = boxOffice
        self.now = now
    }

    /// - Parameters:
    ///   - span: The days of a week; `nil` for a single day.
    ///   - date: The day, or a day of the week; `nil` for the latest past day or span that has figures.
    ///   - filter: Restricts films and figures.
    ///   - language: The language of titles.
    /// - Throws: ``Failure``, ``SourceFailure``, `CancellationError`.
    package func callAsFunction(
        _ span: BoxOfficePeriod.Span?, date: CalendarDate?, matching filter: BoxOfficeFilter = BoxOfficeFilter(),
        language: LanguagePreference
    ) async throws -> BoxOffice {
        if let field = filter.fields.first(where: { !self.boxOffice.filters.contains($0) }) {
            throw Failure.noFilter(field, at: self.boxOffice.source)
        }
        let yesterday = self.now().dateInSeoul.adding(days: -1)
        let known = self.days(of: span, before: yesterday)
        let day = date ?? Self.defaultDay(of: span, before: yesterday)
        guard known.contains(day) else { throw Failure.noFigures(of: day, known: known) }
        let boxOffice = try await self.boxOffice.boxOffice(
            of: BoxOfficePeriod(span, around: day), matching: filter, language: language)
        guard date == nil, boxOffice.entries.isEmpty else { return boxOffice }
        let (length, count) = span == nil ? (1, Self.earlierDays) : (7, Self.earlierWeeks)
        for distance in 1...count {
            let day = day.adding(days: -distance * length)
            guard known.contains(day) else { break }
            var earlier = try await self.boxOffice.boxOffice(
                of: BoxOfficePeriod(span, around: day), matching: filter, language: language)
            guard earlier.entries.isEmpty else {
                earlier.latest = earlier.period.to
                return earlier
            }
        }
        return boxOffice
    }

    /// The valid days for other box offices of the same span, up to the latest one with figures.
    package func days(beside boxOffice: BoxOffice) -> ClosedRange<CalendarDate> {
        let days = self.days(of: boxOffice.period.span)
        let latest = boxOffice.latest ?? days.upperBound
        return days.lowerBound...min(max(days.lowerBound, latest), days.upperBound)
    }

    /// The days that a request may name.
    ///
    /// - Parameter span: The days of a week; `nil` for single days.
    package func days(of span: BoxOfficePeriod.Span?) -> ClosedRange<CalendarDate> {
        self.days(of: span, before: self.now().dateInSeoul.adding(days: -1))
    }

    private func days(of span: BoxOfficePeriod.Span?, before yesterday: CalendarDate) -> ClosedRange<CalendarDate> {
        let last = Self.lastDay(of: span, before: yesterday)
        return min(self.boxOffice.firstDay, last)...last
    }

    /// The last valid day: an unfinished week has figures up to yesterday.
    private static func lastDay(of span: BoxOfficePeriod.Span?, before yesterday: CalendarDate) -> CalendarDate {
        let period = BoxOfficePeriod(span, around: yesterday)
        // This week's span has not begun: the preceding week's is the latest.
        return period.from <= yesterday ? yesterday : yesterday.adding(days: -yesterday.weekday)
    }

    private static func defaultDay(of span: BoxOfficePeriod.Span?, before yesterday: CalendarDate) -> CalendarDate {
        let isOver = BoxOfficePeriod(span, around: yesterday).to <= yesterday
        return isOver ? yesterday : yesterday.adding(days: -yesterday.weekday)
    }
}
