/// When a ``CircuitBreaker`` rejects calls.
public struct BreakerPolicy: Sendable, Hashable {
    /// Number of consecutive failed calls, each including its retries, that opens the breaker; 0 disables it.
    public var threshold = 5
    /// How long calls are rejected at first; doubles after each failed probe. 30 seconds by default.
    public var duration: Duration = .seconds(30)
    /// Maximum time for which calls are rejected, at least ``duration``; 5 minutes by default.
    public var maxDuration: Duration = .seconds(300)

    /// How long calls are rejected for while a probe runs.
    public static let probeWait: Duration = .seconds(1)

    /// Creates the default policy.
    public init() {}
}

/// Rejects calls of a server after consecutive failures, and probes it with single calls.
///
/// A value without clock and lock. Times are monotonic, in nanoseconds; every operation is O(1).
public struct CircuitBreaker: Sendable {
    /// The outcome of a call.
    public enum Outcome: Hashable, Sendable {
        case success
        case failure
        /// The call was cancelled, or ended for a local reason.
        case ignored
    }

    /// Given to an admitted call, which records its outcome with it.
    public struct Ticket: Hashable, Sendable {
        /// Outcomes of calls admitted before the last change of phase do not count.
        fileprivate let generation: Int
    }

    /// The state, for metrics and health.
    public enum State: Hashable, Sendable {
        case closed
        /// Calls are rejected, for this much longer.
        case open(remaining: Duration)
        /// A single call probes the server, or the next one will.
        case halfOpen
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
    /// Number of failures since the last success.
    public private(set) var consecutiveFailures = 0

    /// Creates a closed breaker.
    public init(_ policy: BreakerPolicy) {
        self.policy = policy
        self.openDuration = policy.duration.nanoseconds
    }

    /// How long calls are still rejected; `nil` if the next one is admitted.
    public func refusal(at now: UInt64) -> Duration? {
        switch self.phase {
        case .closed, .halfOpen(isProbed: false): nil
        case .open(let moment): moment > now ? .nanoseconds(moment - now) : nil
        case .halfOpen(isProbed: true): BreakerPolicy.probeWait
        }
    }

    /// Admits a call; check ``refusal(at:)`` first.
    public mutating func admit() -> Ticket {
        switch self.phase {
        case .closed: break
        case .open, .halfOpen:
            self.phase = .halfOpen(isProbed: true)
            self.generation += 1
        }
        return Ticket(generation: self.generation)
    }

    /// Records the outcome of an admitted call.
    public mutating func record(_ outcome: Outcome, of ticket: Ticket, at now: UInt64) {
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

    /// The state at a moment: an open breaker becomes half-open by the passage of time.
    public func state(at now: UInt64) -> State {
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
