public import Flights

/// The state of one origin, for metrics and health.
public struct OriginState: Sendable, Hashable {
    /// Whether fetches are let through.
    public enum Breaker: Sendable, Hashable {
        case closed
        /// They fail at once, for this much longer.
        case open(remaining: Duration)
        /// A single fetch probes the origin, or the next one will.
        case halfOpen
    }

    /// Counters since the first fetch, or since the origin was evicted from the table.
    public struct Totals: Sendable, Hashable {
        /// Attempts, including retries, not counting redirects.
        public var attempts = 0
        /// Attempts after a fetch's first.
        public var retries = 0
        /// Retries that resumed a body.
        public var resumed = 0
        /// Fetches that ended with a response other than a 500, 502, 503 or 504.
        public var successes = 0
        /// Fetches that failed because of the origin: unreachable, too slow, cut off, or a 500, 502, 503 or 504.
        public var failures = 0
    }

    /// Such as `https://example.com:443`.
    public var name: String
    /// Fetches that run and wait.
    public var fetches: WeightedSemaphore.Usage
    /// Whether fetches are let through.
    public var breaker: Breaker
    /// How long it is still paused because of its `Retry-After`; nil when it is not.
    public var pause: Duration?
    /// Failures since the last success.
    public var consecutiveFailures: Int
    /// The error of the last failure; nil when there was none, when a fetch has succeeded since, and when it was a response (a
    /// 500, 502, 503 or 504).
    public var lastFailure: FetchError?
    /// Counters.
    public var totals: Totals
}
