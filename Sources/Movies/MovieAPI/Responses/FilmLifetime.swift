import HTTPServer
import MovieDomain

/// For how long caches may keep what is the same to all, in seconds.
enum FilmLifetime {
    /// Lists change within the hour, what is known of their posters within a minute.
    static let list = 60
    static let genres = 3600
    static let details = 300
    /// Figures of yesterday are still mended until the next morning.
    static let yesterday = 300
    /// Those of older days hardly ever.
    static let pastDays = 3600
    /// For how long what ends at midnight may be shown while the next one is asked for.
    private static let staleUntilMidnight: Int64 = 60

    /// Of a box office, at most.
    ///
    /// - Parameters:
    ///   - isDated: Whether the request names a day. Otherwise the same URL means other days after midnight in Seoul.
    ///   - now: The time of day.
    static func boxOffice(_ period: BoxOfficePeriod, isDated: Bool, now: Instant) -> JSONAnswer.Keeping {
        guard isDated, period.isOver(at: now) else {
            let left = BoxOfficePeriod.secondsUntilMidnight(at: now)
            let seconds = min(Int64(Self.yesterday), left)
            return .shared(seconds: Int(seconds), stale: Int(min(Self.staleUntilMidnight, left - seconds)))
        }
        // Two days later nobody mends them any more, wherever in the world it is then.
        let isSettled = period.to.adding(days: 2) < now.date()
        return .shared(seconds: isSettled ? Self.pastDays : Self.yesterday)
    }
}
