import Glibc

/// The machine's monotonic clock, and this process's CPU time.
enum Clock {
    /// Nanoseconds since an arbitrary moment.
    @Sendable static func now() -> UInt64 { Self.read(CLOCK_MONOTONIC) }

    /// CPU time of all threads of this process in nanoseconds; unaffected by a neighbour's load.
    static func cpu() -> UInt64 { Self.read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
