import Glibc

/// The time of day at the start of the process, advanced by a monotonic clock.
///
/// What is counted with it neither expires early nor lives longer when the machine's time is set while the process
/// runs.
public enum AnchoredClock {
    /// - Parameters:
    ///   - wall: Seconds since 1970, read once.
    ///   - monotonic: A time in nanoseconds that only goes forward.
    /// - Returns: A clock in seconds since 1970.
    public static func make(
        wall: Int64 = Self.wallSeconds(), monotonic: @escaping @Sendable () -> UInt64 = Self.monotonicNanoseconds
    ) -> @Sendable () -> Int64 {
        let start = monotonic()
        return { wall + Int64((monotonic() &- start) / 1_000_000_000) }
    }

    /// The machine's time of day, in seconds since 1970.
    @Sendable public static func wallSeconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }

    /// Nanoseconds since the machine started, those it slept included.
    @Sendable public static func monotonicNanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

/// The CPU time of the calling thread.
public enum ThreadTime {
    /// In nanoseconds, since the thread began.
    @Sendable public static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
