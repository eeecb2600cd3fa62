package import MovieDomain

/// A simulated box office of the embedded catalogue: figures are computed from the day alone, so that every day of the past
/// has its own and a week is the sum of its days.
///
/// A film's total counts from its reopening, and the period before is the same days of the week before, or the day before. Days to
/// come have no figures: a week that is not over counts as far as it has come, beside the same days of the week before.
package struct EmbeddedBoxOffice: BoxOfficeRepository {
    /// The most entries.
    package static let entryLimit = 10

    private let database: CatalogueDatabase
    private let now: @Sendable () -> Instant

    /// - Parameter now: The time of day: figures end with yesterday in Seoul.
    package init(_ database: CatalogueDatabase, now: @escaping @Sendable () -> Instant) {
        self.database = database
        self.now = now
    }

    package var source: MovieSource { .embedded }
    /// 2003-11-11, when Korean cinemas began to be counted.
    package var firstDay: CalendarDate { CalendarDate(dayNumber: 12_367) }

    /// Its cinemas are in no area, and its films in no register.
    package var filters: Set<BoxOfficeFilter.Field> { [.origin] }

    /// The days of `period` that are over, at most ten entries. A film is Korean when Korea is one of its countries.
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
            // Rounded down: ten shares are never more than the whole.
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
