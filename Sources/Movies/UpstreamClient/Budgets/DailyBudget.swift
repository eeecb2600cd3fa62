package import MovieDomain

/// Bounds the requests to an upstream per day.
package struct DailyBudget: Sendable, Hashable {
    /// At least 1.
    package let requests: Int
    /// The time zone of the upstream's day, in seconds east of UTC.
    let secondsFromGreenwich: Int64

    /// A budget per day in Korea, of at least one request.
    package static func korean(_ requests: Int) -> DailyBudget {
        DailyBudget(requests: max(1, requests), secondsFromGreenwich: Instant.seoulSecondsFromGreenwich)
    }

    /// A budget per UTC day, of at least one request.
    package static func universal(_ requests: Int) -> DailyBudget {
        DailyBudget(requests: max(1, requests), secondsFromGreenwich: 0)
    }

    package func day(at now: Instant) -> CalendarDate { now.date(secondsFromGreenwich: self.secondsFromGreenwich) }

    /// The seconds until that day ends, 1 to 86,400.
    package func secondsLeft(at now: Instant) -> Int {
        Int(now.secondsUntilMidnight(secondsFromGreenwich: self.secondsFromGreenwich))
    }
}
