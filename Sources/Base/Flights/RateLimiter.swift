/// A rate with a burst, enforced by the generic cell rate algorithm (ITU-T I.371). A limited client's whole state is
/// its theoretical arrival time, at which it has its full burst again.
///
/// Times are monotonic, in nanoseconds. Every operation is O(1) and allocates nothing.
@frozen public struct RateLimit: Hashable, Sendable {
    /// The outcome of a charge.
    @frozen public enum Decision: Hashable, Sendable {
        /// The event is charged and may happen after this delay in nanoseconds, which is 0 unless a wait was allowed.
        case admitted(after: UInt64)
        /// The event would have to wait longer than allowed, this many nanoseconds; nothing is charged.
        case refused(after: UInt64)
    }

    /// Time between events at the sustained rate, in nanoseconds; 0 disables the limit.
    public let interval: UInt64
    /// How much earlier than at an even pace an event may happen, in nanoseconds: the burst without its first event.
    public let tolerance: UInt64

    /// - Parameters:
    ///   - interval: Time between events at the sustained rate, in nanoseconds; 0 disables the limit.
    ///   - burst: The number of events at once after an idle period, at least 1.
    @inlinable public init(interval: UInt64, burst: Int) {
        let (tolerance, overflow) = UInt64(clamping: max(1, burst) - 1).multipliedReportingOverflow(by: interval)
        self.interval = interval
        self.tolerance = overflow ? .max : tolerance
    }

    /// Charges an event to `arrivalTime` if it may happen within `maxWait`.
    /// - Parameters:
    ///   - arrivalTime: The theoretical arrival time; 0 for a client without a charge.
    ///   - maxWait: The longest wait for the event, in nanoseconds.
    @inlinable public func charge(
        _ arrivalTime: inout UInt64, at now: UInt64, atMost maxWait: UInt64 = 0
    ) -> Decision {
        let start = max(now, arrivalTime.subtractingClamped(self.tolerance))
        guard start - now <= maxWait else { return .refused(after: start - now) }
        arrivalTime = max(arrivalTime, start).addingClamped(self.interval)
        return .admitted(after: start - now)
    }

    /// Refunds an event that did not happen. Events charged after it keep their times.
    @inlinable public func refund(_ arrivalTime: inout UInt64) {
        arrivalTime = arrivalTime.subtractingClamped(self.interval)
    }
}

/// A ``RateLimit`` with the state of one client, and pauses during which no event is admitted. A plain value without a
/// lock.
public struct RateLimiter: Sendable {
    /// The rate and burst.
    public let limit: RateLimit
    private var arrivalTime: UInt64 = 0
    private var pauseEnd: UInt64?

    /// Creates a limiter without charges.
    public init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// Charges the next event if it may happen within `maxWait` nanoseconds.
    public mutating func charge(at now: UInt64, atMost maxWait: UInt64 = 0) -> RateLimit.Decision {
        // The burst counts as used up at the end of a pause, and as full again one tolerance later: from the end of the
        // pause, events are admitted at an even pace.
        var time = max(self.arrivalTime, self.pauseEnd?.addingClamped(self.limit.tolerance) ?? 0)
        let decision = self.limit.charge(&time, at: now, atMost: maxWait)
        if case .admitted = decision { self.arrivalTime = time }
        return decision
    }

    /// Refunds an event that did not happen. The next event gets its time, but not during a pause.
    public mutating func refund() {
        self.limit.refund(&self.arrivalTime)
    }

    /// Admits no further event before `end`, and then events at an even pace.
    ///
    /// An event charged before the call must check ``isPaused(at:)`` when its time has come.
    public mutating func pause(until end: UInt64) {
        self.pauseEnd = max(self.pauseEnd ?? 0, end)
    }

    /// Whether a pause is in effect.
    public func isPaused(at now: UInt64) -> Bool { self.pauseEnd ?? 0 > now }
}
