package import MovieDomain

/// A simulated box office of the embedded catalogue. Figures depend only on the day, so that every past day has figures
/// and a week is the sum of its days.
///
/// A film's total counts from its reopening. The preceding period is the same days of the previous week, or the
/// previous day. Future days have no figures: an incomplete week counts up to yesterday, and is compared with the same
/// days of the previous week.
package struct EmbeddedBoxOffice: BoxOfficeRepository {
    package static let entryLimit = 10

    private let database: CatalogueDatabase
    private let now: @Sendable () -> Instant

    /// - Parameter now: The current time; figures end with yesterday in Seoul.
    package init(_ database: CatalogueDatabase, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.now = now
    }

    package var source: MovieSource { .embedded }
    /// 2003-11-11, when the counting of Korean cinemas began.
    package var firstDay: CalendarDate { CalendarDate(dayNumber: 12_367) }

    /// Its cinemas have no area, and its films no registration.
    package var filters: Set<BoxOfficeFilter.Field> { [.origin] }

    /// At most ten entries for the past days of `period`. A film is Korean if Korea is one of its countries.
    package func boxOffice(
        of period: BoxOfficePeriod, matching filter: BoxOfficeFilter, language: LanguagePreference
    ) async throws -> BoxOffice {
        let catalogue = try await self.database.read { _, catalogue in catalogue }
        let today = self.now().dateInSeoul.dayNumber
        let first = max(period.from.dayNumber, self.firstDay.dayNumber)
        let last = min(period.to.dayNumber, today - 1)
        guard first <= last else {
            return BoxOffice(source: .embedded, period: period, filter: filter, entries: [])
        }
        let distance = period.span == nil ? 1 : 7
        let standing = SimulatedRanking(catalogue, of: filter.origin, from: first, to: last)
        let before = SimulatedRanking(catalogue, of: filter.origin, from: first - distance, to: last - distance)
        let entries = standing.rows.prefix(Self.entryLimit).enumerated().map { index, row in
            Self.entry(row, rank: index + 1, in: standing, before, language)
        }
        return BoxOffice(source: .embedded, period: period, filter: filter, entries: Array(entries))
    }

    private static func entry(
        _ row: SimulatedRanking.Row, rank: Int, in standing: SimulatedRanking, _ before: SimulatedRanking,
        _ language: LanguagePreference
    ) -> BoxOfficeEntry {
        let earlier = before.rows.firstIndex { $0.film.id == row.film.id }
        let rankBefore = earlier.flatMap { $0 < Self.entryLimit ? $0 + 1 : nil }
        let figures = earlier.map { before.rows[$0].figures } ?? SimulatedAttendance.Day()
        return BoxOfficeEntry(
            rank: rank, rankChange: rankBefore.map { $0 - rank } ?? 0, isNew: rankBefore == nil,
            movieID: row.film.id, title: row.film.title(in: language),
            releaseDate: CalendarDate(dayNumber: row.opening),
            audience: Self.figure(row.figures.audience, before: figures.audience, total: row.totals.audience),
            sales: Self.figure(row.figures.sales, before: figures.sales, total: row.totals.sales),
            // Rounded down: the ten shares must not exceed 100 %.
            salesShare: Double(row.figures.sales * 1000 / max(1, standing.sales)) / 10,
            screens: row.figures.screens, showings: row.figures.showings, poster: row.film.poster)
    }

    private static func figure(_ value: Int, before: Int, total: Int) -> BoxOfficeEntry.Figure {
        let change = value - before
        return BoxOfficeEntry.Figure(
            value: value, change: change,
            changePercent: before > 0 ? (Double(change) / Double(before) * 1000).rounded() / 10 : nil, total: total)
    }
}
