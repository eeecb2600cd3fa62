import Glibc

/// Notices a worker that sleeps for 5 s and more although it has a job.
///
/// Time alone would say nothing on a busy machine. A process that waits for a processor counts as running there, one that waits for a
/// disk or for memory is in a state of its own, and neither has the state of a sleep. Looks are counted, not seconds: a server that is
/// itself suspended or starved meanwhile sees no sleep in that time.
struct SleepWatch {
    /// How often the state is looked at, in calls of ``hasSleptTooLong(cpuTime:isAsleep:)``: every 250 ms.
    static let callsPerLook = 50
    /// After how many looks in a row a worker has slept too long by default.
    static let lookLimit = 20
    /// The CPU time between two looks that a process takes to fall asleep again, in nanoseconds.
    static let cpuAllowance: UInt64 = 2_000_000

    private let limit: Int
    private var calls = 0
    private var sleepCount = 0
    /// At the last look, in nanoseconds.
    private var cpuTime: UInt64

    /// - Parameters:
    ///   - limit: In looks.
    ///   - cpuTime: That of the process at the beginning of its job, in nanoseconds.
    init(limit: Int, cpuTime: UInt64) {
        self.limit = limit
        self.cpuTime = cpuTime
    }

    /// To be called every few milliseconds while a job is waited for.
    ///
    /// - Parameters:
    ///   - cpuTime: That of the process, in nanoseconds.
    ///   - isAsleep: Whether it has the state of a sleep.
    mutating func hasSleptTooLong(cpuTime: UInt64, isAsleep: @autoclosure () -> Bool) -> Bool {
        self.calls += 1
        guard self.calls % Self.callsPerLook == 0 else { return false }
        let hasRun = cpuTime &- self.cpuTime > Self.cpuAllowance
        self.cpuTime = cpuTime
        self.sleepCount = !hasRun && isAsleep() ? self.sleepCount + 1 : 0
        return self.sleepCount >= self.limit
    }
}

/// What a process does, as the kernel reports it.
struct ProcessState: ~Copyable {
    /// -1 when it could not be opened.
    private let descriptor: Int32

    /// - Parameter process: Has just been started: once it is confined, others cannot open this where /proc hides processes.
    init(of process: pid_t) {
        self.descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    }

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    /// Whether it sleeps until something happens, other than the end of a disk access; false when that is unknown.
    var isAsleep: Bool {
        guard self.descriptor >= 0 else { return false }
        var text = [UInt8](repeating: 0, count: 256)
        let count = pread(self.descriptor, &text, text.count, 0)
        return count > 0 && Self.isAsleep(text.prefix(count))
    }

    /// - Parameter stat: The number of the process, its name in parentheses, which may have any characters, and its state as a letter
    ///   (proc_pid_stat(5)), with more behind it.
    static func isAsleep(_ stat: ArraySlice<UInt8>) -> Bool {
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return stat[(end + 1)...].starts(with: " S ".utf8)
    }
}
