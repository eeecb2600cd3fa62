import Synchronization

/// Collects the staleness of the stored responses that one response is composed of, and reports the greatest.
///
/// The lock guards the whole state; every operation is O(1).
package final class FreshnessRecorder: Sendable {
    private struct State {
        var staleness: Staleness?
        var age: Int64 = 0
        var hasGaps = false
        var supplementDeadline: ContinuousClock.Instant?
        var supplements: Set<String> = []
    }

    /// The recorder of the response that the current task composes; `nil` if it composes none.
    @TaskLocal package static var current: FreshnessRecorder?

    private let state = Mutex(State())
    private let supplementLimit: Int?
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - supplementLimit: The maximum number of supplement requests that the response starts; `nil` without a limit.
    ///   - now: The clock of ``supplementTime(of:)``.
    package init(
        supplementLimit: Int? = nil, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.supplementLimit = supplementLimit
        self.now = now
    }

    /// Records a stale part. The reason ``Staleness/Reason/originFailed`` takes precedence over others; among others,
    /// the last counts.
    ///
    /// - Parameter age: Seconds since the source last confirmed the part.
    package func record(_ staleness: Staleness, age: Int64) {
        self.state.withLock { state in
            state.age = max(state.age, age)
            guard let known = state.staleness else {
                state.staleness = staleness
                return
            }
            let reason = known.reason == .originFailed ? .originFailed : staleness.reason
            state.staleness = Staleness(seconds: max(known.seconds, staleness.seconds), reason: reason)
        }
    }

    /// Records that a part is missing which a later response may contain.
    package func recordGap() {
        self.state.withLock { $0.hasGaps = true }
    }

    /// The time that the response may still wait for supplements, at least zero. All supplements share it; the first
    /// call starts it.
    package func supplementTime(of total: Duration) -> Duration {
        let now = self.now()
        let deadline = self.state.withLock { state in
            let deadline = state.supplementDeadline ?? now.advanced(by: total)
            state.supplementDeadline = deadline
            return deadline
        }
        return max(.zero, now.duration(to: deadline))
    }

    /// Whether the response may start a request for a supplement (optional data of a source); always true for a request
    /// that the response has started before.
    ///
    /// - Parameter key: Identifies the request: equal for equal requests.
    package func admitsSupplement(_ key: String) -> Bool {
        guard let limit = self.supplementLimit else { return true }
        return self.state.withLock { state in
            guard !state.supplements.contains(key) else { return true }
            guard state.supplements.count < limit else { return false }
            state.supplements.insert(key)
            return true
        }
    }

    /// The staleness of the stalest part with the reason that takes precedence; `nil` while all parts are fresh.
    package var staleness: Staleness? { self.state.withLock { $0.staleness } }
    /// The greatest age of a stale part, in seconds; 0 while all parts are fresh.
    package var age: Int64 { self.state.withLock { $0.age } }
    package var hasGaps: Bool { self.state.withLock { $0.hasGaps } }
}
