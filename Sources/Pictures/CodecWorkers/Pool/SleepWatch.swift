import Glibc

/// Detects a worker that sleeps for at least 5 s although it has a job, and estimates its time without a processor.
///
/// Elapsed time alone proves nothing on a busy machine. A process that waits for a processor counts as running in
/// /proc, one that waits for a disk or for memory has a state of its own; neither is asleep. Looks are counted rather
/// than seconds: a server that is itself suspended or starved sees no sleep in that time.
struct SleepWatch {
    /// Calls of ``hasSleptTooLong(at:cpuTime:state:)`` per look at the state: one look every 250 ms.
    static let callsPerLook = 50
    /// Default number of consecutive looks after which a worker has slept too long.
    static let lookLimit = 20
    /// CPU time between two looks that still counts as sleeping, in nanoseconds.
    static let cpuAllowance: UInt64 = 2_000_000

    private let limit: Int
    private var calls = 0
    private var sleepCount = 0
    // At the last look, in nanoseconds.
    private var time: UInt64
    private var cpuTime: UInt64
    /// Estimated time without a processor, or waiting for a disk or memory, in nanoseconds: the state at a look is
    /// taken for the interval since the previous one.
    private(set) var delay: UInt64 = 0

    /// Whether the last call was a look.
    var hasLooked: Bool { self.calls % Self.callsPerLook == 0 }

    /// - Parameters:
    ///   - limit: Number of looks.
    ///   - time: When the job began, in nanoseconds.
    ///   - cpuTime: CPU time of the process at that time, in nanoseconds.
    init(limit: Int, time: UInt64, cpuTime: UInt64) {
        self.limit = limit
        self.time = time
        self.cpuTime = cpuTime
    }

    /// Call it every few milliseconds during a job.
    ///
    /// - Parameters:
    ///   - time: The current time, in nanoseconds.
    ///   - cpuTime: CPU time of the process in nanoseconds.
    ///   - state: `nil` if it is unknown.
    mutating func hasSleptTooLong(
        at time: UInt64, cpuTime: UInt64, state: @autoclosure () -> ProcessState.Activity?
    ) -> Bool {
        self.calls += 1
        guard self.hasLooked else { return false }
        let used = cpuTime &- self.cpuTime
        let elapsed = time &- self.time
        (self.time, self.cpuTime) = (time, cpuTime)
        let state = state()
        self.sleepCount = used <= Self.cpuAllowance && state == .sleeping ? self.sleepCount + 1 : 0
        if state == .active { self.delay += elapsed - min(used, elapsed) }
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

    enum Activity {
        /// In an interruptible sleep, which excludes disk waits.
        case sleeping
        /// Running, runnable, or in an uninterruptible sleep.
        case active
        /// Stopped or ended.
        case other
    }

    /// `nil` if it is unknown.
    var activity: Activity? {
        guard self.descriptor >= 0 else { return nil }
        var text = [UInt8](repeating: 0, count: 256)
        let count = pread(self.descriptor, &text, text.count, 0)
        return count > 0 ? Self.activity(text.prefix(count)) : nil
    }

    /// - Parameter stat: The process's number, its name in parentheses, which may contain any characters, its state as
    ///   a letter, and further fields (proc_pid_stat(5)).
    static func activity(_ stat: ArraySlice<UInt8>) -> Activity? {
        guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let state = stat[(end + 1)...].prefix(3)
        guard state.count == 3, state.first == UInt8(ascii: " "), state.last == UInt8(ascii: " ") else { return nil }
        return switch state[state.startIndex + 1] {
        case UInt8(ascii: "S"): .sleeping
        case UInt8(ascii: "R"), UInt8(ascii: "D"): .active
        default: .other
        }
    }
}
