/// When and how often a fetch is tried again that failed in a way that may pass.
///
/// Tried again are connections refused, reset and cut off, failed TLS handshakes, and the statuses 429, 500, 502, 503 and
/// 504, as long as the fetch's whole time allows, and names that the resolver could not ask for. Not: unknown names,
/// certificates that are not trusted, and timeouts, which have taken long enough.
///
/// What is no GET is tried again only when it cannot have arrived.
///
/// A retry that would not get its turn is not made: the outcome is what came before it.
public struct RetryPolicy: Sendable, Hashable {
    /// How often, `2` by default; 0 never.
    public var maxRetries = 2
    /// The longest pause before the first retry, `200 ms` by default. It doubles with each; how much of it is waited is
    /// left to chance, so that many who failed together do not come back together.
    public var baseDelay: Duration = .milliseconds(200)
    /// The longest pause before any retry, `2 s` by default; also the longest `Retry-After` that a fetch waits for.
    public var maxDelay: Duration = .seconds(2)
    /// The longest that an origin is left alone because of its `Retry-After`, `10 min` by default.
    public var maxPause: Duration = .seconds(600)

    /// With less time left than this there is no retry: it would only end in a timeout that hides why it was made.
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
