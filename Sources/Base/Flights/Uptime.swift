import Glibc

/// The machine's monotonic clock, for durations only.
public enum Uptime {
    /// Nanoseconds since an arbitrary moment.
    @Sendable public static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
