import Flights

/// The limits of one origin (scheme, host and port).
public struct OriginLimits: Sendable, Hashable {
    /// The most connections, beyond which fetches wait for one, `6` by default; below 1 counts as 1.
    public var maxConnections = 6
    /// The most fetches that run at once, `16` by default; below 1 counts as 1. Others wait.
    public var maxFetches = 16
    /// The most fetches that wait, `256` by default; one more is rejected, or the least urgent one in its place.
    public var maxWaiting = 256
    /// The mean rate of attempts per second, greater than 0; nil, the default, for no limit.
    public var requestsPerSecond: Double?
    /// The most attempts that may begin at once after a quiet time, with a rate, `8` by default; below 1 counts as 1.
    public var burst = 8

    /// The defaults.
    public init() {}

    /// For the API and the pictures of TMDB, which documents about 50 requests per second, and 20 connections per address
    /// to its pictures.
    public static let tmdb: OriginLimits = {
        var limits = OriginLimits()
        limits.requestsPerSecond = 40
        return limits
    }()

    /// For the search of iTunes, which documents about 20 requests per minute.
    public static let itunes: OriginLimits = {
        var limits = OriginLimits()
        limits.requestsPerSecond = 20.0 / 60
        limits.burst = 5
        return limits
    }()

    /// These limits, with rate and burst bounded by the other's if it has a rate.
    public func within(_ other: OriginLimits) -> OriginLimits {
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
    /// The consecutive fetches, each with its retries, that have to fail, `5` by default; 0 never rejects.
    public var threshold = 5
    /// How long fetches are rejected at first, `30 s` by default. Doubles with each probe that fails.
    public var duration: Duration = .seconds(30)
    /// The longest that fetches are rejected, `5 min` by default; less than ``duration`` counts as that.
    public var maxDuration: Duration = .seconds(300)

    /// The `retryAfter` of fetches that are rejected while a probe runs.
    static let probeWait: Duration = .seconds(1)

    /// The defaults.
    public init() {}
}
