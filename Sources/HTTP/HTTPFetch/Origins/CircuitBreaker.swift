import Flights

/// Rejects fetches from an origin after consecutive failures, and probes it with single fetches.
///
/// A value without clock and lock. Times are monotonic, in nanoseconds; every operation is O(1).
package struct CircuitBreaker {
    /// The outcome of a fetch.
    package enum Outcome: Hashable {
        case success
        case failure
        /// The fetch was cancelled, or ended for a local reason.
        case ignored
    }

    /// Given to an admitted fetch, which records its outcome with it.
    package struct Ticket: Hashable {
        /// Outcomes of fetches admitted before the last change of phase do not count.
        fileprivate let generation: Int
    }

    private enum Phase {
        case closed
        case open(until: UInt64)
        case halfOpen(isProbed: Bool)
    }

    private let policy: BreakerPolicy
    private var phase: Phase = .closed
    private var generation = 0
    private var openDuration: UInt64
    private(set) var consecutiveFailures = 0

    package init(_ policy: BreakerPolicy) {
        self.policy = policy
        self.openDuration = policy.duration.nanoseconds
    }

    /// How long fetches are still rejected; `nil` if the next one is admitted.
    package func refusal(at now: UInt64) -> Duration? {
        switch self.phase {
        case .closed, .halfOpen(isProbed: false): nil
        case .open(let moment): moment > now ? .nanoseconds(moment - now) : nil
        case .halfOpen(isProbed: true): BreakerPolicy.probeWait
        }
    }

    /// Admits a fetch; call ``refusal(at:)`` first.
    package mutating func admit() -> Ticket {
        switch self.phase {
        case .closed: break
        case .open, .halfOpen:
            self.phase = .halfOpen(isProbed: true)
            self.generation += 1
        }
        return Ticket(generation: self.generation)
    }

    package mutating func record(_ outcome: Outcome, of ticket: Ticket, at now: UInt64) {
        guard ticket.generation == self.generation else { return }
        switch (outcome, self.phase) {
        case (.success, _):
            self.phase = .closed
            self.consecutiveFailures = 0
            self.openDuration = self.policy.duration.nanoseconds
        case (.failure, .halfOpen):
            self.consecutiveFailures += 1
            let longest = max(self.policy.maxDuration, self.policy.duration).nanoseconds
            self.openDuration = min(self.openDuration.addingClamped(self.openDuration), longest)
            self.open(at: now)
        case (.failure, _):
            self.consecutiveFailures += 1
            if self.policy.threshold > 0, self.consecutiveFailures >= self.policy.threshold { self.open(at: now) }
        case (.ignored, .halfOpen): self.phase = .halfOpen(isProbed: false)
        case (.ignored, _): break
        }
    }

    package func state(at now: UInt64) -> OriginState.Breaker {
        switch self.phase {
        case .closed: .closed
        case .open: self.refusal(at: now).map { .open(remaining: $0) } ?? .halfOpen
        case .halfOpen: .halfOpen
        }
    }

    private mutating func open(at now: UInt64) {
        self.phase = .open(until: now.addingClamped(self.openDuration))
        self.generation += 1
    }
}
