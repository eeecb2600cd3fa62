import Flights
import Synchronization

/// How many fetches there are, of all origins together.
///
/// The last quarter of the places is kept for what somebody waits for.
///
/// Under the lock: two counts.
final class AdmissionControl: Sendable {
    /// One fetch's place: none yet, then perhaps among those that wait, then among those under way.
    final class Permit: Sendable {
        fileprivate enum Stage: Int, AtomicRepresentable {
            case none
            case waiting
            case underWay
        }

        private let places: AdmissionControl
        private let urgency: Urgency
        private let stage: Atomic<Stage>

        fileprivate init(_ places: AdmissionControl, urgency: Urgency, stage: Stage) {
            self.places = places
            self.urgency = urgency
            self.stage = Atomic(stage)
        }

        /// It is its turn.
        ///
        /// - Throws: ``FetchError/overloaded(retryAfter:)``.
        func start() throws(FetchError) {
            try self.places.start(from: self.stage.load(ordering: .relaxed), level: self.urgency.level)
            self.stage.store(.underWay, ordering: .relaxed)
        }

        fileprivate func leave() {
            self.places.leave(self.stage.load(ordering: .relaxed))
        }
    }

    private struct Counts {
        var waiting = 0
        var underWay = 0
    }

    private let maxWaiting: Int
    private let maxUnderWay: Int
    private let counts = Mutex(Counts())

    init(_ configuration: FetchConfiguration) {
        self.maxWaiting = configuration.waitingBound
        self.maxUnderWay = configuration.transferBound
    }

    /// Runs a fetch.
    ///
    /// - Parameter waits: Whether it has to wait for its turn, and so needs a place for that.
    /// - Throws: ``FetchError/overloaded(retryAfter:)`` without having run it; what `fetch` throws.
    func withPlace(
        waits: Bool, urgency: Urgency, _ fetch: (Permit) async throws -> FetchResponse
    ) async throws -> FetchResponse {
        if waits { try self.wait(level: urgency.level) }
        let permit = Permit(self, urgency: urgency, stage: waits ? .waiting : .none)
        defer { permit.leave() }
        return try await fetch(permit)
    }

    private func wait(level: Urgency.Level) throws(FetchError) {
        try self.counts.withLock { counts throws(FetchError) in
            guard counts.waiting < Self.limit(self.maxWaiting, for: level) else {
                throw .overloaded(retryAfter: Origin.minRetryAfter)
            }
            counts.waiting += 1
        }
    }

    private func start(from stage: Permit.Stage, level: Urgency.Level) throws(FetchError) {
        try self.counts.withLock { counts throws(FetchError) in
            guard counts.underWay < Self.limit(self.maxUnderWay, for: level) else {
                throw .overloaded(retryAfter: Origin.minRetryAfter)
            }
            if stage == .waiting { counts.waiting -= 1 }
            counts.underWay += 1
        }
    }

    private func leave(_ stage: Permit.Stage) {
        self.counts.withLock { counts in
            switch stage {
            case .none: break
            case .waiting: counts.waiting -= 1
            case .underWay: counts.underWay -= 1
            }
        }
    }

    private static func limit(_ count: Int, for level: Urgency.Level) -> Int {
        level == .interactive ? count : count - count / 4
    }
}
