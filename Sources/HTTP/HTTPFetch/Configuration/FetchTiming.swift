import Glibc

/// Clocks, pauses and randomness of a fetcher, which tests replace.
struct FetchTiming: Sendable {
    /// A monotonic time in nanoseconds.
    var now: @Sendable () -> UInt64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
    /// The time of day, in seconds since 1970.
    var secondsSince1970: @Sendable () -> Int64 = { Int64(time(nil)) }
    /// A number from 0 to 1, for the jitter of pauses between attempts.
    var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// Used between attempts, and while the rate limit delays one.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Used for the total timeout.
    var waitForDeadline: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// Used for the time after which stale addresses serve in place of a lookup.
    var waitForName: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The time until `deadline`, a time of ``now``; zero once it has passed.
    func timeLeft(until deadline: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: deadline.subtractedClamped(self.now())))
    }
}

/// Runs `body`, and cancels it after `duration`.
///
/// - Parameter sleep: Returns after the duration that it is given.
/// - Throws: `error` after `duration`; `CancellationError`; what `body` throws.
func withTimeout<Value: Sendable>(
    _ duration: Duration, throwing error: any Error,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await body() }
        group.addTask {
            try await sleep(duration)
            throw error
        }
        guard let value = try await group.next() else { throw error }
        return value
    }
}

extension Duration {
    /// Clamped to what fits; 0 for a negative duration.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = self.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds).multipliedClamped(by: 1_000_000_000).addedClamped(UInt64(attoseconds) / 1_000_000_000)
    }

    /// Whole milliseconds, rounded up, so that a positive duration never becomes 0.
    var millisecondsRoundedUp: Int {
        let (seconds, attoseconds) = self.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds) * 1000 + Int((attoseconds + perMillisecond - 1) / perMillisecond)
    }

    var secondsRoundedUp: Int { (self.millisecondsRoundedUp + 999) / 1000 }
}

extension UInt64 {
    func addedClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = self.addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    func subtractedClamped(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }

    func multipliedClamped(by other: UInt64) -> UInt64 {
        let (product, overflow) = self.multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
