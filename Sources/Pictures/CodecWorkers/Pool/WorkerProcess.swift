import CPosterSandbox
import Flights
import Glibc
import PosterCodec

/// A worker as its server sees it: a process that may do anything within its limits, and that is ended for whatever a worker
/// would not do. Used by one thread at a time.
final class WorkerProcess: @unchecked Sendable {
    // Unchecked because of the variables: only the job that has taken the worker from its pool uses them.

    /// Why a job has no result.
    enum Failure: Error {
        /// It was ended because the job was stopped.
        case stopped
        /// It was ended for the CPU time that it used, in nanoseconds.
        case tookTooLong(UInt64)
        /// It has ended, or was ended for another reason, as a clause.
        case ended(String)
        /// It was not there any more when the job was to begin.
        case gone
    }

    /// The limits of one job.
    struct Budget {
        /// Private memory beside what the worker has without a job, in bytes.
        var dataBytes: Int
        /// The longest result, in bytes.
        var fileBytes: Int
        var cpuNanoseconds: UInt64
    }

    /// How often a job's words are passed on, and its limits are checked.
    private static let tickMilliseconds: Int32 = 5
    /// How long a stopped job may go on, in nanoseconds.
    static let stopGrace: UInt64 = 50_000_000
    /// How long a worker may go on beyond its CPU time, which it checks itself, in nanoseconds.
    private static let cpuGrace: UInt64 = 250_000_000
    /// The time that a job may take in all, by its CPU time, and beside it in nanoseconds.
    private static let (wallFactor, wallGrace): (UInt64, UInt64) = (10, 10_000_000_000)
    /// How long a worker may take to start, in nanoseconds.
    private static let startLimit: UInt64 = 10_000_000_000
    /// What the heap may hold besides the job: what it keeps of earlier ones, and fragments.
    private static let dataSlack = 24 << 20

    let process: pid_t
    /// When it was started, by ``Uptime``.
    let start = Uptime.nanoseconds()
    /// Whether it has the lowest priority.
    let isBackground: Bool
    /// nil until it has reported.
    private(set) var features: IsolationFeatures?
    private(set) var jobCount = 0
    /// What its heap held after its first and its last job, in bytes.
    private(set) var heapBytes: (first: UInt64, last: UInt64)?

    private let channel: WorkerChannel
    private let page: ControlPage
    private var dataBytes: UInt64 = 0
    private var isReaped = false

    /// - Parameters:
    ///   - program: Executed with ``CodecWorker/argument``.
    ///   - dataLimit, fileLimit: Of any job.
    /// - Throws: ``IsolationFailure``.
    init(program: String, isBackground: Bool, dataLimit: Int, fileLimit: Int) throws(IsolationFailure) {
        let memory = poster_shared_memory_create()
        guard memory >= 0 else { throw Self.failure("memory for it cannot be shared", errno) }
        defer { close(memory) }
        guard ftruncate(memory, off_t(ControlPage.byteCount)) == 0, poster_shared_memory_fix_size(memory) == 0 else {
            throw Self.failure("memory for it cannot be shared", errno)
        }
        let readable = poster_shared_memory_reopen(memory)
        guard readable >= 0 else { throw Self.failure("/proc cannot be read", errno) }
        defer { close(readable) }
        var (own, theirs): (Int32, Int32) = (-1, -1)
        let error = poster_channel_open(&own, &theirs)
        guard error == 0 else { throw Self.failure("a socket cannot be made", error) }
        defer { close(theirs) }
        let channel = WorkerChannel(own)
        guard let page = ControlPage(memory, isWritable: true) else {
            throw Self.failure("memory for it cannot be shared", errno)
        }
        var process: pid_t = 0
        let spawned = poster_process_spawn(
            program, CodecWorker.argument, theirs, readable, isBackground ? Self.backgroundNice : 0, &process)
        guard spawned == 0 else {
            page.unmap()
            throw Self.failure("\(program) cannot be executed", spawned)
        }
        // Before it has reported, it has done nothing with foreign bytes.
        _ = poster_process_limit_for_good(process, UInt64(dataLimit + Self.dataSlack), UInt64(fileLimit))
        self.process = process
        self.isBackground = isBackground
        self.page = page
        self.channel = channel
    }

    /// Linux's "nice" of processes that leave the processor to all others.
    private static let backgroundNice: Int32 = 19

    private static func failure(_ text: String, _ error: Int32) -> IsolationFailure {
        IsolationFailure(description: "\(text): \(String(cString: strerror(error)))")
    }

    deinit {
        if !self.isReaped { _ = poster_process_end(self.process) }
        self.page.unmap()
    }

    /// Waits until it is confined and has reported.
    /// - Throws: ``Failure/gone``.
    func prepare() throws(Failure) {
        if self.features != nil { return }
        do {
            while try !self.channel.waits(milliseconds: Self.tickMilliseconds) {
                guard Uptime.nanoseconds() &- self.start < Self.startLimit else { throw Failure.gone }
            }
            let message = try self.channel.receive()
            let (kind, body) = try MessageFrame.parse(message.bytes)
            guard kind == .hello else { throw Failure.gone }
            let hello = try BinaryDecoder.decode(HelloReply.self, from: body)
            self.dataBytes = min(hello.dataBytes, 1 << 30)
            self.features = IsolationFeatures(
                hasSeccomp: hello.seccompError == 0, landlockVersion: Int(hello.landlockVersion),
                hasNoNewPrivileges: hello.hasNoNewPrivileges)
        } catch {
            throw .gone
        }
    }

    /// Sends a job and waits for its reply on the calling thread.
    ///
    /// - Parameters:
    ///   - stop: Says whether the job is not wanted any more.
    ///   - dropped: A bit for each target that is not.
    ///   - arrived: How much of its input has arrived.
    func exchange(
        _ message: [UInt8], _ descriptors: [Int32], budget: Budget, stop: StopFlag, dropped: () -> UInt64,
        arrived: Int = 0
    ) throws(Failure) -> ReceivedMessage {
        try self.prepare()
        let cpuStart = poster_process_cpu_time(self.process)
        self.page.setStopped(false)
        self.page.setDropped(dropped())
        self.page.setArrived(arrived)
        let seconds = (cpuStart + budget.cpuNanoseconds + Self.cpuGrace) / 1_000_000_000 + 2
        _ = poster_process_limit(
            self.process, self.dataBytes + UInt64(budget.dataBytes + Self.dataSlack), UInt64(budget.fileBytes), seconds)
        do {
            try self.channel.send(message, descriptors)
        } catch {
            throw .gone
        }
        self.jobCount += 1
        return try self.reply(budget, since: cpuStart, stop: stop, dropped: dropped)
    }

    private func reply(
        _ budget: Budget, since cpuStart: UInt64, stop: StopFlag, dropped: () -> UInt64
    ) throws(Failure) -> ReceivedMessage {
        let begin = Uptime.nanoseconds()
        var stoppedAt: UInt64?
        do {
            while try !self.channel.waits(milliseconds: Self.tickMilliseconds) {
                let now = Uptime.nanoseconds()
                self.page.setDropped(dropped())
                if stop.isRaised {
                    self.page.setStopped(true)
                    guard now &- (stoppedAt ?? now) <= Self.stopGrace else {
                        self.end()
                        throw Failure.stopped
                    }
                    stoppedAt = stoppedAt ?? now
                }
                let used = poster_process_cpu_time(self.process) &- cpuStart
                if used < 1 << 62, used > budget.cpuNanoseconds + Self.cpuGrace {
                    self.end()
                    throw Failure.tookTooLong(used)
                }
                if now &- begin > budget.cpuNanoseconds * Self.wallFactor + Self.wallGrace {
                    self.end()
                    throw Failure.ended("its decoder did not answer")
                }
            }
            return try self.channel.receive()
        } catch let failure as Failure {
            throw failure
        } catch WorkerChannel.Failure.malformed {
            self.end()
            throw .ended("its decoder has sent a malformed message")
        } catch {
            throw .ended(Self.clause(self.end()))
        }
    }

    /// Notes what a reply says of its worker.
    func note(_ usage: WorkerUsage) {
        self.heapBytes = (self.heapBytes?.first ?? usage.heapBytes, usage.heapBytes)
    }

    /// Ends the input that was arriving.
    func endArriving() -> Bool {
        guard let message = try? MessageFrame.encode(.endArriving, EndRequest()) else { return false }
        return (try? self.channel.send(message)) != nil
    }

    /// Whether it has ended by itself while it was idle.
    var hasEnded: Bool {
        guard !self.isReaped else { return true }
        var status: Int32 = 0
        guard poster_process_poll(self.process, &status) != 0 else { return false }
        self.isReaped = true
        return true
    }

    /// Ends the process and waits for that.
    /// - Returns: What `waitpid` has reported.
    @discardableResult
    func end() -> Int32 {
        guard !self.isReaped else { return 0 }
        self.isReaped = true
        return poster_process_end(self.process)
    }

    /// How a process ended.
    static func clause(_ status: Int32) -> String {
        let signal = status & 0x7F
        guard signal != 0 else { return "its decoder has exited with status \(status >> 8 & 0xFF)" }
        switch signal {
        case SIGSEGV, SIGBUS: return "its decoder has accessed memory that it does not have"
        case SIGABRT: return "its decoder has aborted"
        case SIGILL, SIGTRAP: return "its decoder has trapped"
        case SIGSYS: return "its decoder has made a system call that it may not make"
        case SIGXCPU: return "its decoder has taken too much CPU time"
        case SIGXFSZ: return "its decoder has made a result that is too large"
        default: return "its decoder was ended by signal \(signal)"
        }
    }
}
