import Flights
import Synchronization

/// Bounds the fetches of all origins together, running and waiting; a quarter of each is reserved for interactive ones.
///
/// Under the lock: two counts.
final class AdmissionControl: Sendable {
    /// One fetch's share of the counts, until ``release()``.
    final class Permit: Sendable {
        fileprivate enum Stage: Int, AtomicRepresentable {
            case uncounted
            case waiting
            case running
        }

        private let control: AdmissionControl
        private let urgency: Urgency
        private let stage: Atomic<Stage>

        fileprivate init(_ control: AdmissionControl, urgency: Urgency, stage: Stage) {
            self.control = control
            self.urgency = urgency
            self.stage = Atomic(stage)
        }

        /// Counts the fetch as running.
        ///
        /// - Throws: ``FetchError/overloaded(retryAfter:)`` when too many are.
        func start() throws(FetchError) {
            try self.control.start(from: self.stage.load(ordering: .relaxed), level: self.urgency.level)
            self.stage.store(.running, ordering: .relaxed)
        }

        /// Ends the fetch's share. Call it once.
        func release() {
            self.control.release(self.stage.load(ordering: .relaxed))
        }
    }

    private struct Counts {
        var waiting = 0
        var running = 0
    }

    private let maxWaiting: Int
    private let maxRunning: Int
    private let counts = Mutex(Counts())

    init(_ configuration: FetchConfiguration) {
        self.maxWaiting = configuration.waitingBound
        self.maxRunning = configuration.transferBound
    }

    /// Admits a fetch, which calls ``Permit/start()`` when it has its turn at its origin.
    ///
    /// - Parameter waits: Whether it has to wait for that, and so counts as waiting.
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` when too many wait.
    func admit(waits: Bool, urgency: Urgency) throws(FetchError) -> Permit {
        if waits {
            try self.counts.withLock { counts throws(FetchError) in
                try Self.check(counts.waiting, below: self.maxWaiting, urgency.level)
                counts.waiting += 1
            }
        }
        return Permit(self, urgency: urgency, stage: waits ? .waiting : .uncounted)
    }

    private func start(from stage: Permit.Stage, level: Urgency.Level) throws(FetchError) {
        try self.counts.withLock { counts throws(FetchError) in
            try Self.check(counts.running, below: self.maxRunning, level)
            if stage == .waiting { counts.waiting -= 1 }
            counts.running += 1
        }
    }

    private func release(_ stage: Permit.Stage) {
        self.counts.withLock { counts in
            switch stage {
            case .uncounted: break
            case .waiting: counts.waiting -= 1
            case .running: counts.running -= 1
            }
        }
    }

    private static func check(_ count: Int, below limit: Int, _ level: Urgency.Level) throws(FetchError) {
        guard count < (level == .interactive ? limit : limit - limit / 4) else {
            throw .overloaded(retryAfter: FetchConfiguration.minRetryAfter)
        }
    }
}
