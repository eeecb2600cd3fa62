package import MovieDomain
import Synchronization

/// A source with the same box office for all periods.
package final class ScriptedBoxOffice: BoxOfficeRepository {
    private struct State {
        var failure: SourceFailure?
        var asked: [BoxOfficePeriod] = []
        var filters: [BoxOfficeFilter] = []
    }

    package let source: MovieSource
    package let firstDay: CalendarDate
    package let filters: Set<BoxOfficeFilter.Field>
    private let entries: [BoxOfficeEntry]
    private let emptyDays: Set<CalendarDate>
    private let state = Mutex(State())

    /// - Parameters:
    ///   - filters: Fields that it claims to filter by.
    ///   - entries: The entries of every period and filter.
    ///   - emptyDays: First days of periods without entries.
    package init(
        source: MovieSource = .kobis, firstDay: CalendarDate = CalendarDate(dayNumber: 12_368),
        filters: Set<BoxOfficeFilter.Field> = Set(BoxOfficeFilter.Field.allCases), entries: [BoxOfficeEntry] = [],
        emptyDays: Set<CalendarDate> = []
    ) {
        self.source = source
        self.firstDay = firstDay
        self.filters = filters
        self.entries = entries
        self.emptyDays = emptyDays
    }

    package var asked: [BoxOfficePeriod] { self.state.withLock { $0.asked } }

    package var askedFilters: [BoxOfficeFilter] { self.state.withLock { $0.filters } }

    /// Makes all following calls fail; `nil` clears the failure.
    package func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    package func boxOffice(
        of period: BoxOfficePeriod, matching filter: BoxOfficeFilter, language: LanguagePreference
    ) async throws -> BoxOffice {
        try self.state.withLock { state in
            state.asked.append(period)
            state.filters.append(filter)
            if let failure = state.failure { throw failure }
        }
        let entries = self.emptyDays.contains(period.from) ? [] : self.entries
        return BoxOffice(source: self.source, period: period, filter: filter, entries: entries)
    }
}

extension BoxOfficePeriod {
    /// A period of one day.
    package init(day: CalendarDate) { self.init(nil, around: day) }
}
