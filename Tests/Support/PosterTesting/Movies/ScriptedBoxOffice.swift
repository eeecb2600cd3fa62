package import MovieDomain
import Synchronization

/// A source with the same box office for all periods.
package final class ScriptedBoxOffice: BoxOfficeRepository {
    private struct State {
        var failure: SourceFailure?
        var asked: [BoxOfficePeriod] = []
    }

    /// As initialised.
    package let source: MovieSource
    /// As initialised.
    package let firstDay: CalendarDate
    private let entries: [BoxOfficeEntry]
    private let state = Mutex(State())

    /// - Parameter entries: The entries of every period.
    package init(
        source: MovieSource = .kobis, firstDay: CalendarDate = CalendarDate(dayNumber: 12_368),
        entries: [BoxOfficeEntry] = []
    ) {
        self.source = source
        self.firstDay = firstDay
        self.entries = entries
    }

    /// The requested periods, in order.
    package var asked: [BoxOfficePeriod] { self.state.withLock { $0.asked } }

    /// Fails all calls from now on; nil stops that.
    package func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// The entries.
    package func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice {
        try self.state.withLock { state in
            state.asked.append(period)
            if let failure = state.failure { throw failure }
        }
        return BoxOffice(source: self.source, period: period, entries: self.entries)
    }
}
