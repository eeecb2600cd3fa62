package import HTTPServer
package import MovieDomain

/// How long shared caches may keep responses, in seconds.
package enum CacheLifetime {
    /// Lists change within the hour, what is known of their posters within a minute.
    package static let list = 60
    package static let genres = 3600
    /// Of responses made of stale parts, at most: their revalidation takes seconds.
    package static let stale = 10
    package static let details = 300
    /// Lists of all pictures, and offers, change within the day.
    package static let daily = 3600
    /// Figures of yesterday are still mended until the next morning.
    package static let yesterday = 300
    /// Those of older days hardly ever.
    package static let pastDays = 3600
    /// For how long what ends at midnight may be shown while the next one is asked for.
    private static let staleUntilMidnight: Int64 = 60

    /// Of a box office: until midnight in Seoul at most, when its `latest` changes, and the days that a URL without a date means;
    /// for ``yesterday`` at most while figures may still come.
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
