/// What one origin (a scheme, host and port) is asked of at most.
public struct OriginLimits: Sendable, Hashable {
    /// Connections to it, beyond which fetches wait for one, `6` by default; below 1 counts as 1.
    public var maxConnections = 6
    /// Fetches from it that are under way at once, `16` by default; below 1 counts as 1. Others wait.
    public var maxFetches = 16
    /// Fetches that may wait for their turn, `256` by default; one more is refused, or a less urgent one is.
    public var maxWaiting = 256
    /// Attempts a second in the long run, nil by default for any number. Greater than 0.
    public var requestsPerSecond: Double?
    /// Attempts that may begin at once after a rest, when there is a rate, `8` by default; below 1 counts as 1.
    public var burst = 8

    /// The defaults.
    public init() {}

    /// For the API and the pictures of TMDB, which publishes an upper bound of about 50 requests a second, and of 20
    /// connections an address to its pictures.
    public static let tmdb: OriginLimits = {
        var limits = OriginLimits()
        limits.requestsPerSecond = 40
        return limits
    }()

    /// For the search of iTunes, which publishes about 20 requests a minute.
    public static let itunes: OriginLimits = {
        var limits = OriginLimits()
        limits.requestsPerSecond = 20.0 / 60
        limits.burst = 5
        return limits
    }()

    /// These, with a rate and a burst that are no larger than the other's.
    public func within(_ other: OriginLimits) -> OriginLimits {
        guard let rate = other.requestsPerSecond else { return self }
        var limits = self
        limits.requestsPerSecond = min(self.requestsPerSecond ?? rate, rate)
        limits.burst = min(self.burst, other.burst)
        return limits
    }

    /// Whose rate is not exceeded, nor its burst; by host name in lower case.
    static let presets: [String: OriginLimits] = [
        "api.themoviedb.org": .tmdb,
        "image.tmdb.org": .tmdb,
        "itunes.apple.com": .itunes,
    ]
}
