package import MovieDomain

/// Bounds the requests to an upstream on one day.
package struct DailyBudget: Sendable, Hashable {
    /// At least 1.
    package var requests: Int
    /// The time zone of the upstream's day, in seconds east of Greenwich.
    package var secondsFromGreenwich: Int64

    /// A budget; fewer than one request count as one.
    package init(requests: Int, secondsFromGreenwich: Int64) {
        self.requests = max(1, requests)
        self.secondsFromGreenwich = secondsFromGreenwich
    }

    /// By the day of Korea.
    package static func korean(_ requests: Int) -> DailyBudget {
        DailyBudget(requests: requests, secondsFromGreenwich: 9 * 3600)
    }

    /// By the day of Greenwich.
    package static func universal(_ requests: Int) -> DailyBudget {
        DailyBudget(requests: requests, secondsFromGreenwich: 0)
    }

    /// The upstream's day.
    package func day(at now: Instant) -> CalendarDate { now.date(secondsFromGreenwich: self.secondsFromGreenwich) }

    /// Seconds until that day ends, 1 to 86,400.
    package func secondsLeft(at now: Instant) -> Int {
        let next = Int64(self.day(at: now).dayNumber + 1) * 86_400 - self.secondsFromGreenwich
        return Int(next - now.secondsSince1970)
    }
}
