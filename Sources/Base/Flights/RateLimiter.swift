/// A rate with a burst, enforced by the generic cell rate algorithm (ITU-T I.371): the whole state of a limited client is
/// one moment, its theoretical arrival time, at which it would have its full burst again.
///
/// Times are monotonic, in nanoseconds. Every operation is O(1) and allocates nothing.
@frozen public struct RateLimit: Hashable, Sendable {
    /// What becomes of one event.
    @frozen public enum Decision: Hashable, Sendable {
        /// It is charged, and may happen after so many nanoseconds, which are 0 unless a wait was allowed.
        case admitted(after: UInt64)
        /// It may not happen within the allowed wait, but after so many nanoseconds; nothing was charged.
        case refused(after: UInt64)
    }

    /// From one event to the next at the rate, in nanoseconds; 0 for no limit.
    public let interval: UInt64
    /// How much earlier than at an even pace an event may happen, in nanoseconds: all of a burst but its first event.
    public let tolerance: UInt64

    /// - Parameters:
    ///   - interval: From one event to the next at the rate, in nanoseconds; 0 for no limit.
    ///   - burst: Events at once after a rest, at least 1.
    @inlinable public init(interval: UInt64, burst: Int) {
        let (tolerance, overflow) = UInt64(clamping: max(1, burst) - 1).multipliedReportingOverflow(by: interval)
        self.interval = interval
        self.tolerance = overflow ? .max : tolerance
    }

    /// Charges an event to `arrivalTime`, if it may happen soon enough.
    /// - Parameters:
    ///   - arrivalTime: The theoretical arrival time; 0 for a client that was never charged.
    ///   - maxWait: The longest wait for the event, in nanoseconds.
    @inlinable public func charge(
        _ arrivalTime: inout UInt64, at now: UInt64, atMost maxWait: UInt64 = 0
    ) -> Decision {
        let start = max(now, arrivalTime.subtractingClamped(self.tolerance))
        guard start - now <= maxWait else { return .refused(after: start - now) }
        arrivalTime = max(arrivalTime, start).addingClamped(self.interval)
        return .admitted(after: start - now)
    }

    /// Takes back the charge of an event that did not happen. Those that were charged after it keep their moments.
    @inlinable public func refund(_ arrivalTime: inout UInt64) {
        arrivalTime = arrivalTime.subtractingClamped(self.interval)
    }
}

/// A ``RateLimit`` with the state of one client, and pauses in which nothing may happen. A plain value without a lock.
public struct RateLimiter: Sendable {
    /// What is allowed.
    public let limit: RateLimit
    private var arrivalTime: UInt64 = 0
    /// nil until the first pause.
    private var pauseEnd: UInt64?

    /// Nothing is charged yet.
    public init(_ limit: RateLimit) {
        self.limit = limit
    }

    /// Charges the next event, if it may happen within `maxWait` nanoseconds.
    public mutating func charge(at now: UInt64, atMost maxWait: UInt64 = 0) -> RateLimit.Decision {
        // As if the burst were to be full so long after the pause: from its end on the pace is even.
        var time = max(self.arrivalTime, self.pauseEnd?.addingClamped(self.limit.tolerance) ?? 0)
        let decision = self.limit.charge(&time, at: now, atMost: maxWait)
        if case .admitted = decision { self.arrivalTime = time }
        return decision
    }

    /// Takes back the charge of an event that did not happen. The next one gets its moment, after any pause.
    public mutating func refund() {
        self.limit.refund(&self.arrivalTime)
    }

    /// Lets no further event be charged for a moment before `end`, and from then on at an even pace.
    ///
    /// An event that was charged before must ask ``isPaused(at:)`` when its moment has come.
    public mutating func pause(until end: UInt64) {
        self.pauseEnd = max(self.pauseEnd ?? 0, end)
    }

    /// Whether a pause goes on.
    public func isPaused(at now: UInt64) -> Bool { self.pauseEnd ?? 0 > now }
}
