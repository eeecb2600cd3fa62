public import MovieDomain
import Synchronization

/// A source with the same box office for all periods.
public final class ScriptedBoxOffice: BoxOfficeRepository {
    private struct State {
        var failure: SourceFailure?
        var asked: [BoxOfficePeriod] = []
    }

    /// As initialised.
    public let source: MovieSource
    /// As initialised.
    public let firstDay: CalendarDate
    private let entries: [BoxOfficeEntry]
    private let state = Mutex(State())

    /// - Parameter entries: The entries of every period.
    public init(
        source: MovieSource = .kobis, firstDay: CalendarDate = CalendarDate(dayNumber: 12_368),
        entries: [BoxOfficeEntry] = []
    ) {
        self.source = source
        self.firstDay = firstDay
        self.entries = entries
    }

    /// The requested periods, in order.
    public var asked: [BoxOfficePeriod] { self.state.withLock { $0.asked } }

    /// Fails all calls from now on; nil stops that.
    public func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// The entries.
    public func boxOffice(of period: BoxOfficePeriod, language: LanguagePreference) async throws -> BoxOffice {
        try self.state.withLock { state in
            state.asked.append(period)
            if let failure = state.failure { throw failure }
        }
        return BoxOffice(source: self.source, period: period, entries: self.entries)
    }
}
