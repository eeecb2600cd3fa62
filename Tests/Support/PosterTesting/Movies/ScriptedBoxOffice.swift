public import MovieDomain
import Synchronization

/// A source of box offices that answers the same for all periods.
public final class ScriptedBoxOffice: BoxOfficeRepository {
    private struct State {
        var failure: SourceFailure?
        var asked: [BoxOfficePeriod] = []
    }

    /// As it was made.
    public let source: MovieSource
    /// As it was made.
    public let firstDay: CalendarDate
    private let entries: [BoxOfficeEntry]
    private let state = Mutex(State())

    /// - Parameter entries: Of every period.
    public init(
        source: MovieSource = .kobis, firstDay: CalendarDate = CalendarDate(dayNumber: 12_368),
        entries: [BoxOfficeEntry] = []
    ) {
        self.source = source
        self.firstDay = firstDay
        self.entries = entries
    }

    /// What was asked for, in turn.
    public var asked: [BoxOfficePeriod] { self.state.withLock { $0.asked } }

    /// From now on nothing is answered; nil answers again.
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
