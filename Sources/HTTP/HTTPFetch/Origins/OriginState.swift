public import Flights

/// How things stand with one origin, for metrics and health.
public struct OriginState: Sendable, Hashable {
    /// Whether fetches are let through.
    public enum Breaker: Sendable, Hashable {
        case closed
        /// They fail at once for so long.
        case open(remaining: Duration)
        /// One is let through, or will be, whose outcome decides.
        case halfOpen
    }

    /// What has happened since the origin was first asked, or since it was forgotten for lack of use.
    public struct Totals: Sendable, Hashable {
        /// Requests begun, retries included, the further hops of redirects not.
        public var attempts = 0
        /// Attempts after a fetch's first.
        public var retries = 0
        /// Retries that went on with a body where it had broken off.
        public var resumed = 0
        /// Fetches that ended with an answer that is none of the origin's failures.
        public var successes = 0
        /// Fetches that failed through the origin: not reached, too slow, cut off, or a 500, 502, 503 or 504.
        public var failures = 0
    }

    /// Such as `https://example.com:443`.
    public var name: String
    /// Fetches under way and waiting.
    public var fetches: WeightedSemaphore.Usage
    /// Whether fetches are let through.
    public var breaker: Breaker
    /// For how long it is left alone at its own request (`Retry-After`); nil when it is not.
    public var pause: Duration?
    /// Fetches that failed since the last one that did not.
    public var consecutiveFailures: Int
    /// Why the last fetch failed that failed through the origin; nil when there was none, when one has gone well since,
    /// and when it was an answer (a 500, 502, 503 or 504).
    public var lastFailure: FetchError?
    /// Counters.
    public var totals: Totals
}
