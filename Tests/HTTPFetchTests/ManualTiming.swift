import PosterTesting
import Synchronization

@testable import HTTPFetch

/// A clock set by a test, pauses that only advance the clock, and no randomness.
final class ManualTiming: Sendable {
    let clock = ManualClock()
    private let slept = Mutex<[Duration]>([])

    var pauses: [Duration] { self.slept.withLock { $0 } }

    /// - Parameter random: The result of every random draw.
    func timing(random: Double = 1) -> FetchTiming {
        var timing = FetchTiming()
        timing.now = self.clock.now
        timing.secondsSince1970 = { 1_700_000_000 }
        timing.random = { random }
        timing.sleep = { duration in
            try Task.checkCancellation()
            self.slept.withLock { $0.append(duration) }
            self.clock.advance(by: duration)
        }
        return timing
    }
}

extension ManualClock {
    /// The default timing with this clock.
    var timing: FetchTiming {
        var timing = FetchTiming()
        timing.now = self.now
        return timing
    }
}
