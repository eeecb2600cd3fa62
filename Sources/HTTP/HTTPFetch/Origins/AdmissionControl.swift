import Flights
import Synchronization

/// Bounds the running and the waiting fetches of all origins; a quarter of each is reserved for interactive ones.
final class AdmissionControl: Sendable {
    fileprivate enum Stage: Int, CaseIterable {
        case uncounted, waiting, running, released
    }

    /// Admission of one fetch, which is counted until ``release()``.
    final class Permit: Sendable {
        private let control: AdmissionControl
        private let urgency: Urgency
        private let stage = Mutex(Stage.uncounted)

        fileprivate init(_ control: AdmissionControl, urgency: Urgency) {
            self.control = control
            self.urgency = urgency
        }

        /// Counts the fetch as running.
        /// - Throws: ``FetchError/overloaded(retryAfter:)`` if too many fetches run.
        func start() throws(FetchError) { try self.enter(.running) }

        /// Removes the fetch from the counts.
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
    /// Counts by stage; `uncounted` and `released` are placeholders.
    private let counts = Mutex(Stage.allCases.map { _ in 0 })

    init(_ configuration: FetchConfiguration) {
        self.limits = [.max, configuration.waitingBound, configuration.transferBound, .max]
    }

    /// Admits a fetch, which calls ``Permit/start()`` when it has a slot of its origin.
    /// - Parameter waits: Whether the fetch has to wait for the slot, and so counts as waiting.
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` if too many fetches wait.
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
