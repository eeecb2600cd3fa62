import Flights

/// The limits of one origin (scheme, host and port).
public struct OriginLimits: Sendable, Hashable {
    /// The most connections, beyond which fetches wait for one; below 1 counts as 1.
    package var maxConnections = 6
    /// The most fetches that run at once; below 1 counts as 1. Others wait.
    package var maxFetches = 16
    /// The most fetches that wait; one more is rejected, or the least urgent one in its place.
    package var maxWaiting = 256
    /// The mean rate of attempts per second, greater than 0; nil for no limit.
    package var requestsPerSecond: Double?
    /// The most attempts that may begin at once after a quiet time, with a rate; below 1 counts as 1.
    package var burst: Int

    package init(requestsPerSecond: Double? = nil, burst: Int = 8) {
        (self.requestsPerSecond, self.burst) = (requestsPerSecond, burst)
    }

    /// For the API and the pictures of TMDB, which documents about 50 requests per second, and 20 connections per address
    /// to its pictures.
    package static let tmdb = OriginLimits(requestsPerSecond: 40)

    /// For the search of iTunes, which documents about 20 requests per minute.
    package static let itunes = OriginLimits(requestsPerSecond: 20.0 / 60, burst: 5)

    /// These limits, with rate and burst bounded by the other's if it has a rate.
    package func within(_ other: OriginLimits) -> OriginLimits {
        guard let rate = other.requestsPerSecond else { return self }
        var limits = self
        limits.requestsPerSecond = min(self.requestsPerSecond ?? rate, rate)
        limits.burst = min(self.burst, other.burst)
        return limits
    }

    /// Rate and burst; a rate that is not a number, or slower than one in about 11 days, counts as that.
    var rateLimit: RateLimit {
        let rate = self.requestsPerSecond.map { $0.isNaN ? 1e-6 : max(1e-6, $0) }
        return RateLimit(interval: rate.map { UInt64(1e9 / $0) } ?? 0, burst: self.burst)
    }

    /// Bounds on rate and burst, by host name in lower case.
    static let presets: [String: OriginLimits] = [
        "api.themoviedb.org": .tmdb,
        "image.tmdb.org": .tmdb,
        "itunes.apple.com": .itunes,
    ]
}

/// When fetches from an origin are rejected because it fails.
public struct BreakerPolicy: Sendable, Hashable {
    /// The consecutive fetches, each with its retries, that have to fail; 0 never rejects.
    package var threshold = 5
    /// How long fetches are rejected at first. Doubles with each probe that fails.
    package var duration: Duration = .seconds(30)
    /// The longest that fetches are rejected; less than ``duration`` counts as that.
    package var maxDuration: Duration = .seconds(300)

    /// The `retryAfter` of fetches that are rejected while a probe runs.
    static let probeWait: Duration = .seconds(1)

    package init() {}
}

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
    /// The most retries of a fetch.
    package var maxRetries = 2
    /// The longest pause before the first retry. Doubles with each retry; the pause is a random part of
    /// it (full jitter), so that fetches that failed together do not retry together.
    package var baseDelay: Duration = .milliseconds(200)
    /// The longest pause before any retry; also the longest `Retry-After` that a fetch waits for.
    package var maxDelay: Duration = .seconds(2)
    /// The longest that an origin is paused because of its `Retry-After`.
    package var maxPause: Duration = .seconds(600)

    /// The least time left for a retry: with less it would only end in a timeout, which hides the cause.
    static let minTimeLeft: Duration = .milliseconds(100)

    package init() {}

    /// The pause after `retryCount` retries.
    /// - Parameter random: From 0 to 1.
    func delay(after retryCount: Int, random: Double) -> Duration {
        var longest = min(self.baseDelay, self.maxDelay)
        for _ in 0..<retryCount where longest < self.maxDelay { longest = min(longest + longest, self.maxDelay) }
        return longest * random
    }
}
