import Flights
import Synchronization

/// Bounds the fetches of all origins together, running and waiting; a quarter of each is reserved for interactive ones.
///
/// Under the lock: two counts, and the stages of the permits.
final class AdmissionControl: Sendable {
    fileprivate enum Stage: Int, CaseIterable {
        case uncounted, waiting, running, released
    }

    /// One fetch's share of the counts, until ``release()``.
    final class Permit: Sendable {
        private let control: AdmissionControl
        private let urgency: Urgency
        private let stage = Mutex(Stage.uncounted)

        fileprivate init(_ control: AdmissionControl, urgency: Urgency) {
            self.control = control
            self.urgency = urgency
        }

        /// Counts the fetch as running.
        /// - Throws: ``FetchError/overloaded(retryAfter:)`` when too many are.
        func start() throws(FetchError) { try self.enter(.running) }

        /// Ends the fetch's share.
        func release() { try? self.enter(.released) }

        fileprivate func enter(_ next: Stage) throws(FetchError) {
            let level = self.urgency.level
            try self.stage.withLock { stage throws(FetchError) in
                try self.control.count(next, insteadOf: stage, level)
                stage = next
            }
        }
    }

    private let limits: [Int]
    /// By stage; those of the first and the last mean nothing.
    private let counts = Mutex(Stage.allCases.map { _ in 0 })

    init(_ configuration: FetchConfiguration) {
        self.limits = [.max, configuration.waitingBound, configuration.transferBound, .max]
    }

    /// Admits a fetch, which calls ``Permit/start()`` when it has its turn at its origin.
    /// - Parameter waits: Whether it has to wait for that, and so counts as waiting.
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` when too many wait.
    func admit(waits: Bool, urgency: Urgency) throws(FetchError) -> Permit {
        let permit = Permit(self, urgency: urgency)
        if waits { try permit.enter(.waiting) }
        return permit
    }

    private func count(_ next: Stage, insteadOf last: Stage, _ level: Urgency.Level) throws(FetchError) {
        try self.counts.withLock { counts throws(FetchError) in
            let limit = self.limits[next.rawValue]
            guard counts[next.rawValue] < (level == .interactive ? limit : limit - limit / 4) else {
                throw .overloaded(retryAfter: FetchConfiguration.minRetryAfter)
            }
            counts[next.rawValue] += 1
            counts[last.rawValue] -= 1
        }
    }
}
