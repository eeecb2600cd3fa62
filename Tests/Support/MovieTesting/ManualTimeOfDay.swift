package import MovieDomain
import Synchronization

/// A wall clock that only a test advances.
package final class ManualTimeOfDay: Sendable {
    private let seconds: Atomic<Int64>

    /// - Parameter seconds: Seconds since 1970.
    package init(_ seconds: Int64 = 500) {
        self.seconds = Atomic(seconds)
    }

    package convenience init(_ instant: Instant) {
        self.init(instant.secondsSince1970)
    }

    package var now: @Sendable () -> Instant { { Instant(secondsSince1970: self.seconds.load(ordering: .relaxed)) } }

    package func advance(seconds: Int64) { self.seconds.add(seconds, ordering: .relaxed) }

    /// - Parameter duration: Fractions of a second are dropped.
    package func advance(by duration: Duration) { self.advance(seconds: duration.components.seconds) }

    /// Sets the time to noon of a day in Seoul.
    package func turn(to day: CalendarDate) {
        self.seconds.store(Int64(day.dayNumber) * 86_400 + 3 * 3600, ordering: .relaxed)
    }
}
