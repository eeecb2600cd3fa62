package import MovieDomain

/// Bounds the requests to an upstream on one day.
package struct DailyBudget: Sendable, Hashable {
    /// At least 1.
    package let requests: Int
    /// The time zone of the upstream's day, in seconds east of Greenwich.
    let secondsFromGreenwich: Int64

    /// By the day of Korea; fewer than one request count as one.
    package static func korean(_ requests: Int) -> DailyBudget {
        DailyBudget(requests: max(1, requests), secondsFromGreenwich: Instant.seoulSecondsFromGreenwich)
    }

    /// By the day of Greenwich; fewer than one request count as one.
    package static func universal(_ requests: Int) -> DailyBudget {
        DailyBudget(requests: max(1, requests), secondsFromGreenwich: 0)
    }

    /// The upstream's day.
    package func day(at now: Instant) -> CalendarDate { now.date(secondsFromGreenwich: self.secondsFromGreenwich) }

    /// Seconds until that day ends, 1 to 86,400.
    package func secondsLeft(at now: Instant) -> Int {
        Int(now.secondsUntilMidnight(secondsFromGreenwich: self.secondsFromGreenwich))
    }
}
