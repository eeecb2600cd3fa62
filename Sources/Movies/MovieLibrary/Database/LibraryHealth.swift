import Logging
import MovieDomain
import Synchronization

/// Whether the library could be read and written the last time. Says once that it could not, and not again for every
/// request that meets it. Safe from any thread.
package final class LibraryHealth: Sendable {
    /// Trouble that comes and goes is not told of more often than this, in seconds.
    static let quietSeconds: Int64 = 60
    /// Whether trouble is over is found out no more often than this, in seconds.
    static let trialSeconds: Int64 = 10

    /// What is done with the library.
    package enum Work {
        case reading
        case writing
        /// One more of what there may be only so much of.
        case adding
    }

    private struct Trouble {
        /// Whether it did not work the last time.
        var isOn = false
        /// Whether that was told since it last worked.
        var isTold = false
        var lastTold: Int64?
    }

    private struct State {
        var troubles: [Work: Trouble] = [:]
        /// When it was last tried, or did not work, in seconds.
        var lastTried: Int64 = 0
    }

    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let state = Mutex(State())
    private let isClosed = Atomic<Bool>(false)

    /// - Parameter now: The time of day.
    init(logger: Logger, now: @escaping @Sendable () -> Instant) {
        self.logger = logger
        self.now = now
    }

    /// Whether it worked the last time.
    func works(_ work: Work) -> Bool { self.state.withLock { $0.troubles[work]?.isOn != true } }

    /// It worked.
    func succeeded(_ work: Work) {
        self.state.withLock { state in
            guard !state.troubles.isEmpty else { return }
            for work in work == .writing ? [work, .adding] : [work] {
                state.troubles[work]?.isOn = false
                state.troubles[work]?.isTold = false
            }
        }
    }

    /// It did not work: one line in the log, unless there was one and it has not worked since.
    package func failed(_ work: Work, _ error: any Error) {
        // Whoever comes too late when the program ends.
        guard !self.isClosed.load(ordering: .relaxed) else { return }
        let now = self.now().secondsSince1970
        let isNews = self.state.withLock { state in
            state.lastTried = now
            var trouble = state.troubles[work] ?? Trouble()
            defer { state.troubles[work] = trouble }
            trouble.isOn = true
            guard !trouble.isTold, trouble.lastTold.map({ now - $0 >= Self.quietSeconds }) ?? true else { return false }
            trouble.isTold = true
            trouble.lastTold = now
            return true
        }
        guard isNews else { return }
        let message: Logger.Message =
            switch work {
            case .reading: "The library cannot be read, and what needs that is refused"
            case .writing: "The library cannot be written, and what needs that is refused"
            case .adding: "The library is full, and what is new is refused"
            }
        self.logger.error(message, metadata: ["error.message": "\(error)"])
    }

    /// Whether somebody should find out if trouble is over; true for one who asks.
    func wantsTrial() -> Bool {
        let now = self.now().secondsSince1970
        return self.state.withLock { state in
            let isOn = [Work.reading, .writing].contains { state.troubles[$0]?.isOn == true }
            guard isOn, now - state.lastTried >= Self.trialSeconds else {
                return false
            }
            state.lastTried = now
            return true
        }
    }

    /// From now on nothing is told.
    func close() {
        self.isClosed.store(true, ordering: .relaxed)
    }
}
