import Glibc

/// What of a fetch depends on time and chance, so that tests can decide it.
struct FetchTiming: Sendable {
    /// A monotonic time in nanoseconds.
    var now: @Sendable () -> UInt64 = {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
    /// The time of day, in seconds since 1970.
    var secondsSince1970: @Sendable () -> Int64 = { Int64(time(nil)) }
    /// From 0 to 1, for the pauses between attempts.
    var random: @Sendable () -> Double = { Double.random(in: 0...1) }
    /// For the pauses between attempts, and for waiting until the origin's rate allows one.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// For the end of a fetch's whole time.
    var waitForDeadline: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// For the end of the patience with a name's lookup.
    var waitForName: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Zero once `deadline`, a time of ``now``, has passed.
    func timeLeft(until deadline: UInt64) -> Duration {
        .nanoseconds(Int64(clamping: deadline.subtractedClamped(self.now())))
    }
}
