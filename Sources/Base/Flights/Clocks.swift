import Glibc

/// The machine's monotonic clock, for durations only.
public enum Uptime {
    /// Nanoseconds since an arbitrary moment.
    @Sendable public static func nanoseconds() -> UInt64 { readClock(CLOCK_MONOTONIC) }
}

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
    @Sendable public static func wallSeconds() -> Int64 { Int64(time(nil)) }

    /// Nanoseconds since the machine started, those it slept included.
    @Sendable public static func monotonicNanoseconds() -> UInt64 { readClock(CLOCK_BOOTTIME) }
}

/// The CPU time of the calling thread.
public enum ThreadTime {
    /// In nanoseconds, since the thread began.
    @Sendable public static func nanoseconds() -> UInt64 { readClock(CLOCK_THREAD_CPUTIME_ID) }
}

/// The priority of the calling thread.
public enum ThreadPriority {
    /// Linux's "nice" of threads that leave the processor to all others: they get a seventieth of what another one gets.
    private static let leastPriority: Int32 = 19

    /// Lowers the priority of the calling thread for good: raising it again needs a privilege.
    public static func lower() {
        // Of the thread, though POSIX has it of the process; it fails only if a policy forbids it, and then all else is
        // as before.
        _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.leastPriority)
    }
}

private func readClock(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension UInt64 {
    /// The sum, or the largest number.
    @inlinable public func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = self.addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or 0.
    @inlinable public func subtractingClamped(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}

extension Duration {
    /// Clamped to what fits; 0 for a negative duration.
    public var nanoseconds: UInt64 { UInt64(clamping: self.attoseconds / 1_000_000_000) }
}
