import CPosterSandbox
import Flights
import Glibc
import PosterCodec

/// A worker from its server's point of view: a process that may do anything within its limits, and is ended for
/// anything that a correct worker would not do. Used by one thread at a time.
final class WorkerProcess: @unchecked Sendable {
    // Unchecked because of the variables: only the job that has taken the worker from its pool uses them.

    enum Failure: Error {
        /// It was ended because the job was stopped, or because a background job made no progress.
        case stopped
        /// It was ended for its CPU time, in nanoseconds.
        case tookTooLong(UInt64)
        /// It has ended, or was ended for another reason, given as a clause.
        case ended(String)
        /// It was killed from outside, for example by the kernel of a machine without memory.
        case killed
        /// It had ended before the job began.
        case gone
        /// Its reply has descriptors, and this process has reached its limit.
        case exhausted
    }

    struct Budget {
        /// Private memory in addition to the worker's own without a job, in bytes.
        var dataBytes: Int
        /// Maximum size of a result in bytes.
        var fileBytes: Int
        /// Size of mapped input in bytes.
        var mappedBytes: Int
        var cpuNanoseconds: UInt64
        /// Whether excessive CPU time is the original's fault, rather than the fault of an encoder that cannot be
        /// stopped.
        var blamesOriginal = false
        /// Maximum sleep; see ``SleepWatch``.
        var sleepLimit = SleepWatch.lookLimit
    }

    /// Interval of updating the control page and checking the limits.
    private static let tickMilliseconds: Int32 = 5
    /// Maximum time that a stopped job may continue, in nanoseconds.
    static let stopGrace: UInt64 = 50_000_000
    /// CPU time granted beyond the job's limit, which the worker checks itself, in nanoseconds.
    private static let cpuGrace: UInt64 = 250_000_000
    /// The limit of a job's elapsed time without ``SleepWatch/delay`` is this multiple of its CPU time, and
    /// ``replyGrace``.
    private static let wallFactor: UInt64 = 10
    /// Maximum ``SleepWatch/delay`` that is granted to a job, in nanoseconds.
    static let delayLimit: UInt64 = 600_000_000_000
    /// Maximum time to start, in nanoseconds: generous, because without workers originals are decoded on threads.
    private static let startLimit: UInt64 = 60_000_000_000
    /// Heap memory in addition to the job's, in bytes: caches of earlier jobs, and fragmentation.
    static let dataSlack = 48 << 20
    /// Address space in addition to data, input and two results, in bytes.
    private static let spaceSlack = 64 << 20
    /// CPU time allowed between two jobs for returning memory, in nanoseconds.
    private static let idleCPULimit: UInt64 = 1_000_000_000

    let process: pid_t
    let start = Uptime.nanoseconds()
    let isBackground: Bool
    /// `nil` until it has reported.
    private(set) var features: IsolationFeatures?
    private(set) var jobCount = 0
    /// The first and last measured sizes of its heap, in bytes.
    private(set) var heapBytes: (first: UInt64, last: UInt64)?

    let channel: WorkerChannel
    private let page: ControlPage
    private let state: ProcessState
    /// In nanoseconds.
    private let replyGrace: UInt64
    /// The features that the worker must report; `nil` to accept any.
    private let required: IsolationFeatures?
    private var (dataBytes, spaceBytes): (UInt64, UInt64) = (0, 0)
    /// CPU time at the end of its last job, in nanoseconds.
    private var cpuAtEnd: UInt64?
    private var isReaped = false

    /// - Parameters:
    ///   - program: Executed with ``CodecWorker/argument``, the fonts' version and their files.
    ///   - fonts: As in `CodecWorkerPool.Configuration`.
    ///   - dataLimit, fileLimit: Limits of all jobs.
    ///   - replyGrace: As in `CodecWorkerPool.Configuration`.
    ///   - required: The features that the worker must report; `nil` for the first one, which determines them.
    /// - Throws: ``IsolationFailure``.
    init(
        program: String, fonts: CodecWorkerPool.Fonts, isBackground: Bool, dataLimit: Int, fileLimit: Int,
        replyGrace: UInt64, required: IsolationFeatures?
    ) throws(IsolationFailure) {
        let memory = poster_shared_memory_create()
        guard memory >= 0 else { throw Self.failure("cannot create shared memory for a worker", errno) }
        defer { close(memory) }
        guard ftruncate(memory, off_t(ControlPage.byteCount)) == 0, poster_shared_memory_fix_size(memory) == 0 else {
            throw Self.failure("cannot create shared memory for a worker", errno)
        }
        let readable = poster_shared_memory_reopen(memory)
        guard readable >= 0 else { throw Self.failure("/proc cannot be read", errno) }
        defer { close(readable) }
        var (own, theirs): (Int32, Int32) = (-1, -1)
        let error = poster_channel_open(&own, &theirs)
        guard error == 0 else { throw Self.failure("cannot create a socket", error) }
        defer { close(theirs) }
        let channel = WorkerChannel(own)
        guard let page = ControlPage(memory, isWritable: true) else {
            throw Self.failure("cannot create shared memory for a worker", errno)
        }
        var process: pid_t = 0
        var arguments = (["onesheet", CodecWorker.argument, fonts.version] + fonts.files).map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        // A missing argument would end the list.
        guard arguments.dropLast().allSatisfy({ $0 != nil }) else {
            page.unmap()
            throw Self.failure("cannot start a worker", ENOMEM)
        }
        let spawned = poster_process_spawn(
            program, &arguments, theirs, readable, isBackground ? Self.backgroundNice : 0, &process)
        guard spawned == 0 else {
            page.unmap()
            throw Self.failure("\(program) cannot be executed", spawned)
        }
        let state = ProcessState(of: process)
        // Until it has reported, it has processed no foreign bytes.
        let limited = poster_process_limit_for_good(process, UInt64(dataLimit + Self.dataSlack), UInt64(fileLimit))
        guard limited == 0 else {
            page.unmap()
            _ = poster_process_end(process)
            throw Self.failure("cannot limit the worker's memory", limited)
        }
        self.process = process
        self.replyGrace = replyGrace
        self.required = required
        self.isBackground = isBackground
        self.page = page
        self.state = state
        self.channel = channel
    }

    /// The nice value of background workers: Linux's lowest priority.
    private static let backgroundNice: Int32 = 19

    private static func failure(_ text: String, _ error: Int32) -> IsolationFailure {
        IsolationFailure(
            description: "\(text): \(String(cString: strerror(error)))",
            isTransient: [EMFILE, ENFILE, ENOMEM, EAGAIN].contains(error))
    }

    deinit {
        if !self.isReaped { _ = poster_process_end(self.process) }
        self.page.unmap()
    }

    /// Waits until the worker is confined and has reported.
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
            let hello = try MessageReader.read(HelloReply.self, from: body)
            self.dataBytes = min(hello.dataBytes, 1 << 30)
            self.spaceBytes = min(hello.spaceBytes, WorkerUsage.limit)
            let features = IsolationFeatures(
                hasSeccomp: hello.seccompError == 0, landlockVersion: Int(hello.landlockVersion),
                hasNoNewPrivileges: hello.hasNoNewPrivileges)
            guard features == self.required ?? features else { throw Failure.gone }
            self.features = features
        } catch {
            throw .gone
        }
    }

    /// Sends a job and waits for its reply on the calling thread.
    ///
    /// - Parameters:
    ///   - stop: Stops the job.
    ///   - dropped: Returns a bit for each dropped target.
    ///   - arrived: How much of the input has arrived; see `ArrivingBytes.word`.
    func exchange(
        _ message: [UInt8], _ descriptors: [Int32], budget: Budget, stop: StopFlag, dropped: () -> UInt64,
        arrived: Int = 0
    ) throws(Failure) -> ReceivedMessage {
        try self.prepare()
        let cpuStart = poster_process_cpu_time(self.process)
        // A worker that has ended, sent an unrequested message, or used CPU time without a job is replaced.
        guard (try? self.channel.waits(milliseconds: 0)) == false,
            cpuStart &- (self.cpuAtEnd ?? cpuStart) < Self.idleCPULimit
        else { throw .gone }
        self.page.setStopped(false)
        self.page.setDropped(dropped())
        self.page.setArrived(arrived)
        let seconds = (cpuStart + budget.cpuNanoseconds + Self.cpuGrace) / 1_000_000_000 + 2
        let dataBytes = UInt64(budget.dataBytes + Self.dataSlack)
        let otherBytes = UInt64(budget.mappedBytes + 2 * budget.fileBytes + Self.spaceSlack)
        guard
            poster_process_limit(
                self.process, self.dataBytes + dataBytes, self.spaceBytes + dataBytes + otherBytes,
                UInt64(budget.fileBytes), seconds) == 0
        else { throw .gone }
        do {
            try self.channel.send(message, descriptors)
        } catch {
            throw .gone
        }
        self.jobCount += 1
        let reply = try self.reply(budget, since: cpuStart, stop: stop, dropped: dropped)
        self.cpuAtEnd = poster_process_cpu_time(self.process)
        return reply
    }

    private func reply(
        _ budget: Budget, since cpuStart: UInt64, stop: StopFlag, dropped: () -> UInt64
    ) throws(Failure) -> ReceivedMessage {
        let begin = Uptime.nanoseconds()
        var stoppedAt: UInt64?
        var sleep = SleepWatch(limit: budget.sleepLimit, time: begin, cpuTime: cpuStart)
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
                let cpuTime = poster_process_cpu_time(self.process)
                let used = cpuTime &- cpuStart
                if used < 1 << 62, used > budget.cpuNanoseconds + Self.cpuGrace {
                    self.end()
                    throw Failure.tookTooLong(used)
                }
                if sleep.hasSleptTooLong(at: now, cpuTime: cpuTime, state: self.state.activity) {
                    self.end()
                    throw Failure.ended("the decoder slept instead of decoding")
                }
                // After a pause of the whole machine, only a new look tells what the worker does.
                if sleep.hasLooked,
                    let failure = Self.failure(
                        elapsed: now &- begin, limit: budget.cpuNanoseconds * Self.wallFactor + self.replyGrace,
                        delay: sleep.delay, isBackground: self.isBackground)
                {
                    self.end()
                    throw failure
                }
            }
            return try self.channel.receive()
        } catch let failure as Failure {
            throw failure
        } catch WorkerChannel.Failure.malformed {
            self.end()
            throw .ended("the decoder sent a malformed message")
        } catch WorkerChannel.Failure.system(EMFILE) {
            throw .exhausted
        } catch {
            let status = self.end()
            switch status & 0x7F {
            case SIGKILL: throw .killed
            case SIGXCPU: throw .tookTooLong(budget.cpuNanoseconds + Self.cpuGrace)
            default: throw .ended(Self.clause(status))
            }
        }
    }

    /// Why a job without a reply is ended; `nil` to wait longer. Times are in nanoseconds.
    ///
    /// - Parameters:
    ///   - limit: The limit of `elapsed - delay`.
    ///   - delay: Time without a processor, which is not the original's fault.
    static func failure(elapsed: UInt64, limit: UInt64, delay: UInt64, isBackground: Bool) -> Failure? {
        guard elapsed > limit else { return nil }
        // At the lowest priority it may have had no processor, even if its state cannot be read.
        if isBackground { return .stopped }
        let granted = min(delay, Self.delayLimit, elapsed)
        return elapsed - granted > limit ? .ended("the decoder did not respond") : nil
    }

    func note(_ usage: WorkerUsage) {
        let bytes = min(usage.heapBytes, WorkerUsage.limit)
        self.heapBytes = (self.heapBytes?.first ?? bytes, bytes)
    }

    /// Tells the worker to drop its arriving input.
    /// - Returns: Whether the message was sent.
    func endArriving() -> Bool {
        guard let message = try? MessageFrame.encode(.endArriving, EndRequest()) else { return false }
        return (try? self.channel.send(message)) != nil
    }

    /// Kills the process without waiting for its end.
    func kill() {
        guard !self.isReaped else { return }
        _ = Glibc.kill(self.process, SIGKILL)
    }

    /// Kills the process and waits for its end.
    /// - Returns: The status reported by `waitpid`; 0 if the process was reaped before.
    @discardableResult
    func end() -> Int32 {
        guard !self.isReaped else { return 0 }
        self.isReaped = true
        return poster_process_end(self.process)
    }

    /// Describes the status of an ended process.
    static func clause(_ status: Int32) -> String {
        let signal = status & 0x7F
        guard signal != 0 else { return "the decoder exited with status \(status >> 8 & 0xFF)" }
        switch signal {
        case SIGSEGV, SIGBUS: return "the decoder accessed invalid memory"
        case SIGABRT: return "the decoder aborted"
        case SIGILL, SIGTRAP: return "the decoder trapped"
        case SIGSYS: return "the decoder made a forbidden system call"
        case SIGXCPU: return "the decoder exceeded its CPU time limit"
        case SIGXFSZ: return "the decoder's result is too large"
        default: return "the decoder was terminated by signal \(signal)"
        }
    }
}
