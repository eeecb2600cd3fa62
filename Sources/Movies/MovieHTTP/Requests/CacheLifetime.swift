package import HTTPServer
package import MovieDomain

/// Freshness lifetimes of responses in shared caches, in seconds.
package enum CacheLifetime {
    /// Lists change within the hour, the states of their posters within a minute.
    package static let list = 60
    package static let genres = 3600
    /// Upper limit for responses made of stale parts: revalidating these takes seconds.
    package static let stale = 10
    package static let details = 300
    /// Lists of all pictures, and offers, change within the day.
    package static let daily = 3600
    /// Yesterday's figures are corrected until the next morning.
    package static let yesterday = 300
    /// Figures of older days hardly ever change.
    package static let pastDays = 3600
    /// The longest stale period of a response that is revalidated while served; it never extends past midnight.
    private static let staleUntilMidnight: Int64 = 60

    /// The cache policy of a box office. It is fresh until midnight in Seoul at most, when `latest` and the days of
    /// URLs without a date change; for ``yesterday`` at most while figures may still come.
    ///
    /// - Parameters:
    ///   - isDated: Whether the request names a day.
    ///   - now: The time of day.
    package static func boxOffice(_ boxOffice: BoxOffice, isDated: Bool, now: Instant) -> EncodedResponse.CachePolicy {
        // Figures are final two days later, in every time zone.
        let isAwaited = boxOffice.entries.isEmpty || boxOffice.latest != nil
        let isSettled = isDated && !isAwaited && boxOffice.period.to.adding(days: 2) < now.date()
        let left = now.secondsUntilMidnight()
        let seconds = min(Int64(isSettled ? Self.pastDays : Self.yesterday), left)
        return .shared(seconds: Int(seconds), stale: isAwaited ? 0 : Int(min(Self.staleUntilMidnight, left - seconds)))
    }
}
