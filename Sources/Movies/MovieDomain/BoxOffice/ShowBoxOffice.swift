/// Returns the box office of a day, or of days of a week, in Seoul.
package struct ShowBoxOffice: Sendable {
    /// Why there is none.
    package enum Failure: Error, Hashable, Sendable {
        /// There are only figures of days in `known`.
        case noFigures(of: CalendarDate, known: ClosedRange<CalendarDate>)
        /// The source cannot choose by `field`: without the choice, the figures would be others than those asked for.
        case noFilter(BoxOfficeFilter.Field, at: MovieSource)
    }

    private let boxOffice: any BoxOfficeRepository
    private let now: @Sendable () -> Instant

    package init(boxOffice: any BoxOfficeRepository, now: @escaping @Sendable () -> Instant) {
        self.boxOffice = boxOffice
        self.now = now
    }

    /// - Parameters:
    ///   - span: nil for a single day.
    ///   - date: The day, or a day of the week; nil for yesterday, or the latest days of a week that are over.
    ///   - filter: Chooses films and figures.
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
        return try await self.boxOffice.boxOffice(
            of: BoxOfficePeriod(span, around: day), matching: filter, language: language)
    }

    /// The days that a request may name now.
    ///
    /// - Parameter span: nil for single days.
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
        // The days of this week are still to come: those of the week before are the latest.
        return period.from <= yesterday ? yesterday : yesterday.adding(days: -yesterday.weekday)
    }

    private static func defaultDay(of span: BoxOfficePeriod.Span?, before yesterday: CalendarDate) -> CalendarDate {
        let isOver = BoxOfficePeriod(span, around: yesterday).to <= yesterday
        return isOver ? yesterday : yesterday.adding(days: -yesterday.weekday)
    }
}
