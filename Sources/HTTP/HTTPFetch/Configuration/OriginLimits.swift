import Flights

/// The limits of one origin (scheme, host and port).
public struct OriginLimits: Sendable, Hashable {
    /// Maximum number of connections; further fetches wait for one. Below 1 counts as 1.
    package var maxConnections = 6
    /// Maximum number of concurrent fetches; further ones wait. Below 1 counts as 1.
    package var maxFetches = 16
    /// Maximum number of waiting fetches; beyond that, the least urgent one is rejected.
    package var maxWaiting = 256
    /// Sustained rate in attempts per second, greater than 0; `nil` disables the rate limit.
    package var requestsPerSecond: Double?
    /// Maximum number of attempts at once after an idle period, with a rate limit; below 1 counts as 1.
    package var burst: Int

    package init(requestsPerSecond: Double? = nil, burst: Int = 8) {
        (self.requestsPerSecond, self.burst) = (requestsPerSecond, burst)
    }

    /// Limits of TMDB's API and images: it documents about 50 requests per second, and 20 connections per address to
    /// its images.
    package static let tmdb = OriginLimits(requestsPerSecond: 40)

    /// Limits of the iTunes search: it documents about 20 requests per minute.
    package static let itunes = OriginLimits(requestsPerSecond: 20.0 / 60, burst: 5)

    /// Returns these limits with rate and burst bounded by the other's, if the other has a rate.
    package func within(_ other: OriginLimits) -> OriginLimits {
        guard let rate = other.requestsPerSecond else { return self }
        var limits = self
        limits.requestsPerSecond = min(self.requestsPerSecond ?? rate, rate)
        limits.burst = min(self.burst, other.burst)
        return limits
    }

    /// Rate and burst; NaN, and rates below one attempt in about 11 days, count as that.
    var rateLimit: RateLimit {
        let rate = self.requestsPerSecond.map { $0.isNaN ? 1e-6 : max(1e-6, $0) }
        return RateLimit(interval: rate.map { UInt64(1e9 / $0) } ?? 0, burst: self.burst)
    }

    /// Upper bounds of rate and burst, by host name in lower case.
    static let presets: [String: OriginLimits] = [
        "api.themoviedb.org": .tmdb,
        "image.tmdb.org": .tmdb,
        "itunes.apple.com": .itunes,
    ]
}

/// When and how often transient failures are retried.
///
/// Retried are connections refused, reset and cut off, failed TLS handshakes, temporary failures of name resolution, and
/// the statuses 429, 500, 502, 503 and 504, as long as the total timeout allows. Not retried are unknown names, untrusted
/// certificates, and timeouts, which have taken long enough.
///
/// Methods other than GET are retried only if the origin cannot have received anything.
///
/// If the origin's limits reject a retry, the previous attempt's result counts.
public struct RetryPolicy: Sendable, Hashable {
    package var maxRetries = 2
    /// Maximum pause before the first retry. Doubles with each retry; the pause is a random part of it (full jitter),
    /// so that fetches that failed together do not retry together.
    package var baseDelay: Duration = .milliseconds(200)
    /// Maximum pause before any retry; also the longest `Retry-After` that a fetch waits for.
    package var maxDelay: Duration = .seconds(2)
    /// Maximum time for which `Retry-After` pauses an origin.
    package var maxPause: Duration = .seconds(600)

    /// Minimum time left for a retry: with less it would only end in a timeout, which hides the cause.
    static let minTimeLeft: Duration = .milliseconds(100)

    package init() {}

    /// Returns the pause after `retryCount` retries.
    /// - Parameter random: A number from 0 to 1.
    func delay(after retryCount: Int, random: Double) -> Duration {
        var longest = min(self.baseDelay, self.maxDelay)
        for _ in 0..<retryCount where longest < self.maxDelay { longest = min(longest + longest, self.maxDelay) }
        return longest * random
    }
}
