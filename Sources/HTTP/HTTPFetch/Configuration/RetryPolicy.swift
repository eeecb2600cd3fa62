/// When and how often transient failures are retried.
///
/// Retried are connections refused, reset and cut off, failed TLS handshakes, temporary failures of name resolution, and
/// the statuses 429, 500, 502, 503 and 504, as long as the total timeout allows. Not retried are unknown names, untrusted
/// certificates, and timeouts, which have taken long enough.
///
/// Methods other than GET are retried only when nothing can have reached the origin.
///
/// If the origin's limits refuse a retry, the result is that of the attempt before it.
public struct RetryPolicy: Sendable, Hashable {
    /// The most retries of a fetch, `2` by default.
    public var maxRetries = 2
    /// The longest pause before the first retry, `200 ms` by default. Doubles with each retry; the pause is a random part of
    /// it (full jitter), so that fetches that failed together do not retry together.
    public var baseDelay: Duration = .milliseconds(200)
    /// The longest pause before any retry, `2 s` by default; also the longest `Retry-After` that a fetch waits for.
    public var maxDelay: Duration = .seconds(2)
    /// The longest that an origin is paused because of its `Retry-After`, `10 min` by default.
    public var maxPause: Duration = .seconds(600)

    /// The least time left for a retry: with less it would only end in a timeout, which hides the cause.
    static let minTimeLeft: Duration = .milliseconds(100)

    /// The defaults.
    public init() {}

    /// The pause after `retryCount` retries.
    ///
    /// - Parameter random: From 0 to 1.
    func delay(after retryCount: Int, random: Double) -> Duration {
        var longest = min(self.baseDelay, self.maxDelay)
        for _ in 0..<retryCount where longest < self.maxDelay { longest = min(longest + longest, self.maxDelay) }
        return longest * random
    }
}
