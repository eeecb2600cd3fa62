import Glibc

/// The CPU time of the calling thread.
public enum ThreadTime {
    /// In nanoseconds, since the thread began.
    @Sendable public static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
