/// When the next attempt may begin: so many a second in the long run, a few at once after a rest.
///
/// Without a clock or a task: whoever takes a turn is told how long to wait for it. (The generic cell rate algorithm: what
/// is kept is the moment at which the bucket would be full again.)
///
/// Times are monotonic, in nanoseconds. Every operation is O(1).
struct TokenBucket {
    enum Turn: Hashable {
        /// It is taken, and begins after so many nanoseconds.
        case after(UInt64)
        /// It would begin too late, after so many nanoseconds; nothing was taken.
        case tooLate(UInt64)
    }

    /// Between two turns; 0 when there is no rate.
    private let interval: UInt64
    /// How much earlier than at an even pace a turn may begin.
    private let tolerance: UInt64
    private var fullAt: UInt64 = 0
    /// nil until the first rest.
    private var restUntil: UInt64?

    init(_ limits: OriginLimits) {
        // The slowest is one in about 11 days: beyond that a turn never comes anyway.
        let rate = limits.requestsPerSecond.map { $0.isNaN ? 1e-6 : max(1e-6, $0) }
        self.interval = rate.map { UInt64(1e9 / $0) } ?? 0
        self.tolerance = UInt64(clamping: max(1, limits.burst) - 1).multipliedClamped(by: self.interval)
    }

    /// Takes the next turn, if it comes soon enough.
    mutating func take(at now: UInt64, atMost maxWait: UInt64) -> Turn {
        // As if it were to be full so long after the rest: from then on the pace is even.
        let fullAt = max(self.fullAt, self.restUntil?.addedClamped(self.tolerance) ?? 0)
        let start = max(now, fullAt.subtractedClamped(self.tolerance))
        guard start - now <= maxWait else { return .tooLate(start - now) }
        self.fullAt = max(fullAt, start).addedClamped(self.interval)
        return .after(start - now)
    }

    /// Gives a turn back that was not used. The others keep theirs; the next one to come gets it, after any rest.
    mutating func giveBack() {
        self.fullAt = self.fullAt.subtractedClamped(self.interval)
    }

    /// Lets nobody else begin before `moment`, and from then on at an even pace.
    ///
    /// Whoever has a turn before that is to ask ``isResting(at:)`` when it comes.
    mutating func rest(until moment: UInt64) {
        self.restUntil = max(self.restUntil ?? 0, moment)
    }

    func isResting(at now: UInt64) -> Bool { self.restUntil ?? 0 > now }
}
