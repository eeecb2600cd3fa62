/// Leaves an origin alone that failed several times in a row, and asks with a single fetch whether it is back.
///
/// Without a clock or a lock. Times are monotonic, in nanoseconds; every operation is O(1).
struct CircuitBreaker {
    /// How one fetch went, as far as it tells about the origin.
    enum Outcome: Hashable {
        case success
        case failure
        /// It tells nothing: the fetch was cancelled, or ended for a reason of ours.
        case none
    }

    /// What whoever is let through gives back with the outcome.
    struct Ticket: Hashable {
        /// What was let through before the breaker last changed its mind is of no account any more.
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

    init(_ policy: BreakerPolicy) {
        self.policy = policy
        self.openDuration = policy.duration.nanoseconds
    }

    /// How long it may take until somebody is let through; nil when the next one is.
    func refusal(at now: UInt64) -> Duration? {
        switch self.phase {
        case .closed, .halfOpen(isProbed: false): nil
        case .open(let moment): moment > now ? .nanoseconds(Int64(clamping: moment - now)) : nil
        case .halfOpen(isProbed: true): BreakerPolicy.probeWait
        }
    }

    /// Lets one through; ask ``refusal(at:)`` first.
    mutating func admit() -> Ticket {
        switch self.phase {
        case .closed: break
        case .open, .halfOpen:
            self.phase = .halfOpen(isProbed: true)
            self.generation += 1
        }
        return Ticket(generation: self.generation)
    }

    mutating func conclude(_ ticket: Ticket, _ outcome: Outcome, at now: UInt64) {
        guard ticket.generation == self.generation else { return }
        switch (outcome, self.phase) {
        case (.success, _):
            self.phase = .closed
            self.consecutiveFailures = 0
            self.openDuration = self.policy.duration.nanoseconds
        case (.failure, .halfOpen):
            self.consecutiveFailures += 1
            let longest = max(self.policy.maxDuration, self.policy.duration).nanoseconds
            self.openDuration = min(self.openDuration.multipliedClamped(by: 2), longest)
            self.open(at: now)
        case (.failure, _):
            self.consecutiveFailures += 1
            if self.policy.threshold > 0, self.consecutiveFailures >= self.policy.threshold { self.open(at: now) }
        case (.none, .halfOpen): self.phase = .halfOpen(isProbed: false)
        case (.none, _): break
        }
    }

    func state(at now: UInt64) -> OriginState.Breaker {
        switch self.phase {
        case .closed: .closed
        case .open: self.refusal(at: now).map { .open(remaining: $0) } ?? .halfOpen
        case .halfOpen: .halfOpen
        }
    }

    private mutating func open(at now: UInt64) {
        self.phase = .open(until: now.addedClamped(self.openDuration))
        self.generation += 1
    }
}

extension Duration {
    /// Clamped to what fits; 0 for a negative duration.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = self.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds).multipliedClamped(by: 1_000_000_000).addedClamped(UInt64(attoseconds) / 1_000_000_000)
    }
}
