import PosterTesting
import Synchronization

@testable import HTTPFetch

/// A time that a test moves, pauses that take none of it but move it, and no chance.
final class ManualTiming: Sendable {
    let clock = ManualClock()
    private let slept = Mutex<[Duration]>([])

    /// The pauses so far.
    var pauses: [Duration] { self.slept.withLock { $0 } }

    /// - Parameter random: What chance decides, always.
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
    /// This time, and nothing else of the test's own.
    var timing: FetchTiming {
        var timing = FetchTiming()
        timing.now = self.now
        return timing
    }
}
