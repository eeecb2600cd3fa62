import Glibc

/// Detects a worker that sleeps for at least 5 s although it has a job.
///
/// Elapsed time alone proves nothing on a busy machine. A process that waits for a processor counts as running in
/// /proc, one that waits for a disk or for memory has a state of its own; neither is asleep. Looks are counted rather
/// than seconds: a server that is itself suspended or starved sees no sleep in that time.
struct SleepWatch {
    /// Calls of ``hasSleptTooLong(cpuTime:isAsleep:)`` per look at the state: one look every 250 ms.
    static let callsPerLook = 50
    /// Default number of consecutive looks after which a worker has slept too long.
    static let lookLimit = 20
    /// CPU time between two looks that still counts as sleeping, in nanoseconds.
    static let cpuAllowance: UInt64 = 2_000_000

    private let limit: Int
    private var calls = 0
    private var sleepCount = 0
    /// CPU time at the last look, in nanoseconds.
    private var cpuTime: UInt64

    /// - Parameters:
    ///   - limit: Number of looks.
    ///   - cpuTime: CPU time of the process at the beginning of its job, in nanoseconds.
    init(limit: Int, cpuTime: UInt64) {
        self.limit = limit
        self.cpuTime = cpuTime
    }

    /// Call it every few milliseconds during a job.
    ///
    /// - Parameters:
    ///   - cpuTime: CPU time of the process in nanoseconds.
    ///   - isAsleep: Whether its state is a sleep.
    mutating func hasSleptTooLong(cpuTime: UInt64, isAsleep: @autoclosure () -> Bool) -> Bool {
        self.calls += 1
        guard self.calls % Self.callsPerLook == 0 else { return false }
        let hasRun = cpuTime &- self.cpuTime > Self.cpuAllowance
        self.cpuTime = cpuTime
        self.sleepCount = !hasRun && isAsleep() ? self.sleepCount + 1 : 0
        return self.sleepCount >= self.limit
    }
}

/// The state of a process, as reported by the kernel.
struct ProcessState: ~Copyable {
    /// -1 if it could not be opened.
    private let descriptor: Int32

    /// - Parameter process: A process that has just been started: once it is confined, others cannot open its state
    ///   where /proc hides processes.
    init(of process: pid_t) {
        self.descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    /// Whether it is in an interruptible sleep, which excludes disk waits; false if that is unknown.
    var isAsleep: Bool {
        guard self.descriptor >= 0 else { return false }
        var text = [UInt8](repeating: 0, count: 256)
        let count = pread(self.descriptor, &text, text.count, 0)
        return count > 0 && Self.isAsleep(text.prefix(count))
    }

    /// - Parameter stat: The process's number, its name in parentheses, which may contain any characters, its state as
    ///   a letter, and further fields (proc_pid_stat(5)).
    static func isAsleep(_ stat: ArraySlice<UInt8>) -> Bool {
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return stat[(end + 1)...].starts(with: " S ".utf8)
    }
}
