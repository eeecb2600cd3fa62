import Glibc

/// The machine's monotonic clock, for durations only.
public enum Uptime {
    /// Nanoseconds since an arbitrary moment.
    @Sendable public static func nanoseconds() -> UInt64 { readClock(CLOCK_MONOTONIC) }
}

/// A clock that reads the time of day once, when it is created, and advances it by a monotonic clock.
///
/// Setting the machine's time while the process runs neither shortens nor extends lifetimes measured with it.
public enum AnchoredClock {
    /// - Parameters:
    ///   - wall: Seconds since 1970, read once.
    ///   - monotonic: A monotonic time in nanoseconds.
    /// - Returns: A clock in seconds since 1970.
    public static func make(
        wall: Int64 = Self.wallSeconds(), monotonic: @escaping @Sendable () -> UInt64 = Self.monotonicNanoseconds
    ) -> @Sendable () -> Int64 {
        let start = monotonic()
        return { wall + Int64((monotonic() &- start) / 1_000_000_000) }
    }

    /// The machine's time of day, in seconds since 1970.
    @Sendable public static func wallSeconds() -> Int64 { Int64(time(nil)) }

    /// Nanoseconds since the machine started, including the time it was suspended.
    @Sendable public static func monotonicNanoseconds() -> UInt64 { readClock(CLOCK_BOOTTIME) }
}

/// The CPU time of the calling thread.
public enum ThreadTime {
    /// Nanoseconds since the thread began.
    @Sendable public static func nanoseconds() -> UInt64 { readClock(CLOCK_THREAD_CPUTIME_ID) }
}

/// The priority of the calling thread.
public enum ThreadPriority {
    /// The lowest priority ("nice" of Linux): such threads get a seventieth of the CPU time of a normal one.
    private static let leastPriority: Int32 = 19

    /// Lowers the priority of the calling thread permanently: raising it again needs a privilege.
    public static func lower() {
        // Linux applies it to the thread, POSIX to the process. It fails only if a policy forbids it; the priority is
        // then unchanged.
        _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.leastPriority)
    }
}

private func readClock(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension UInt64 {
    /// The sum, or `.max` if it overflows.
    @inlinable public func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = self.addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or 0 if it is negative.
    @inlinable public func subtractingClamped(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

extension Duration {
    /// The duration in nanoseconds, clamped to `UInt64`; 0 if it is negative.
    public var nanoseconds: UInt64 { UInt64(clamping: self.attoseconds / 1_000_000_000) }
}
