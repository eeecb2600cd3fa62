import Flights
package import PosterCodec
import Synchronization

/// A pool of worker processes that decode and encode; see ``CodecWorker``. Workers are reused, and replaced when they
/// end. Safe from any thread; calls block until the worker has replied.
///
/// The callers bound the number of concurrent jobs: each runs on a thread of a pool.
package final class CodecWorkerPool: Sendable {
    package struct Configuration: Sendable {
        /// The executed program; this one by default.
        package var program = "/proc/self/exe"
        /// Number of workers for foreground jobs, and maximum number of idle ones for background jobs.
        package var count: Int
        /// Number of additional ready workers, so that no job waits for the replacement of one that has ended; 1 by
        /// default.
        package var spareCount = 1
        /// Number of requests after which a worker is replaced, including each step of an arriving job; 10,000 by
        /// default.
        package var jobLimit = 10_000
        /// Maximum growth of a worker's heap from its first job to its last, in bytes; 32 MiB by default.
        package var growthLimit = 32 << 20
        /// Elapsed time that a request may take beyond ten times its CPU time limit, in nanoseconds; 10 s by default.
        package var replyGraceNanoseconds: UInt64 = 10_000_000_000
        package var limits = CodecLimits()
        /// The workers' fonts for badges; by default `BadgeFonts.shared` at the creation of this value.
        package var fonts = Fonts(version: BadgeFonts.shared.version, files: BadgeFonts.shared.files)

        package init(count: Int) {
            self.count = max(1, count)
        }
    }

    /// Font files, as absolute paths, and the `BadgeFonts.version` that they should have.
    package struct Fonts: Sendable {
        package var version: String
        package var files: [String]
    }

    /// Counts since the start.
    package struct Counters: Hashable, Sendable {
        package var started = 0
        /// Replies of workers, successful or not, including each step of an arriving job.
        package var jobs = 0
        /// Workers that ended during a job, or were ended for their behaviour.
        package var failures = 0
        /// Workers ended because a stopped job continued.
        package var killed = 0
        /// Workers replaced for their age or size.
        package var replaced = 0
    }

    private struct State {
        var idle: [WorkerProcess] = []
        var backgroundIdle: [WorkerProcess] = []
        /// Killed workers that have not been waited for.
        var ending: [WorkerProcess] = []
        /// Number of workers being started without a job.
        var startingCount = 0
        /// Number of workers with a job, and of those with the lowest priority.
        var (busyCount, backgroundBusyCount) = (0, 0)
        /// Number of workers with the job of an arriving original.
        var arrivingCount = 0
        var counters = Counters()
        var isClosed = false
    }

    let configuration: Configuration
    private let state = Mutex(State())
    /// The features reported by the first worker.
    package let features: IsolationFeatures

    /// Starts the workers, and waits for the first one.
    /// - Throws: ``IsolationFailure`` if none can be started.
    package init(_ configuration: Configuration) throws(IsolationFailure) {
        self.configuration = configuration
        let first = try Self.start(configuration, isBackground: false, required: nil)
        do throws(WorkerProcess.Failure) {
            try first.prepare()
        } catch {
            first.end()
            throw IsolationFailure(description: "\(configuration.program) does not run as a worker")
        }
        guard let features = first.features else {
            throw IsolationFailure(description: "\(configuration.program) does not run as a worker")
        }
        self.features = features
        self.state.withLock { state in
            state.idle.append(first)
            state.counters.started += 1
        }
        self.fill()
    }

    /// Creates a pool with one worker per thread, as configured by an operator.
    ///
    /// - Parameters:
    ///   - isolation: ``Isolation/required`` requires all features.
    ///   - spareCount: As in ``Configuration``.
    /// - Throws: ``IsolationFailure``.
    package convenience init(
        threads: Int, limits: CodecLimits, isolation: Isolation, spareCount: Int = 1
    ) throws(IsolationFailure) {
        var configuration = Configuration(count: threads)
        configuration.spareCount = spareCount
        configuration.limits = limits
        try self.init(configuration)
        let missing = self.features.missing
        guard missing.isEmpty || isolation != .required else {
            throw IsolationFailure(
                description: "--isolation=required, but the kernel lacks \(missing.joined(separator: " and "))")
        }
    }

    deinit {
        self.close()
    }

    package var counters: Counters { self.state.withLock { $0.counters } }

    /// The number of workers, and of those with a job.
    package var usage: (count: Int, busy: Int) {
        self.state.withLock { state in
            let busy = state.busyCount + state.backgroundBusyCount
            return (state.idle.count + state.backgroundIdle.count + busy, busy)
        }
    }

    /// The processes without a job, for tests and reports.
    package var idleProcesses: [Int32] {
        self.state.withLock { ($0.idle + $0.backgroundIdle).map(\.process) }
    }

    /// Ends idle workers at once, and the others with their jobs.
    package func close() {
        let idle = self.state.withLock { state in
            state.isClosed = true
            defer { (state.idle, state.backgroundIdle, state.ending) = ([], [], []) }
            return state.idle + state.backgroundIdle + state.ending
        }
        for worker in idle { worker.end() }
    }

    // MARK: Workers

    private static func start(
        _ configuration: Configuration, isBackground: Bool, required: IsolationFeatures?
    ) throws(IsolationFailure) -> WorkerProcess {
        let limits = configuration.limits
        let largest = limits.maxWorkingBytes + limits.maxBytes
        return try WorkerProcess(
            program: configuration.program, fonts: configuration.fonts, isBackground: isBackground,
            dataLimit: largest + WorkerBudget.baseBytes,
            fileLimit: WorkerBudget.fileBytes(limits.maxWorkingBytes), replyGrace: configuration.replyGraceNanoseconds,
            required: required)
    }

    /// Starts workers up to the configured number. They get ready while jobs continue.
    private func fill() {
        while true {
            let isShort = self.state.withLock { state in
                let count = state.idle.count + state.startingCount + state.busyCount
                guard !state.isClosed, count < self.configuration.count + self.configuration.spareCount else {
                    return false
                }
                state.startingCount += 1
                return true
            }
            guard isShort else { return }
            // A worker that cannot be started here is started on demand, and fails then.
            let worker = try? Self.start(self.configuration, isBackground: false, required: self.features)
            self.state.withLock { state in
                state.startingCount -= 1
                guard let worker else { return }
                state.counters.started += 1
                // Below the others, which are ready.
                if !state.isClosed { state.idle.insert(worker, at: 0) }
            }
            if worker == nil { return }
        }
    }

    /// Takes a worker, which the caller passes to ``giveBack(_:isFit:isArriving:)``.
    func take(isBackground: Bool, isArriving: Bool = false) throws(IsolationFailure) -> WorkerProcess {
        enum Found {
            case worker(WorkerProcess)
            case none
            case refused(String)
        }
        let found = self.state.withLock { state -> Found in
            if state.isClosed { return .refused("the service is stopping") }
            if isArriving {
                guard state.arrivingCount < self.configuration.count else {
                    return .refused("too many originals are being decoded during arrival")
                }
                state.arrivingCount += 1
            }
            if isBackground { state.backgroundBusyCount += 1 } else { state.busyCount += 1 }
            // The last one used is the likeliest to be in the processor's caches.
            let worker = isBackground ? state.backgroundIdle.popLast() : state.idle.popLast()
            return worker.map(Found.worker) ?? .none
        }
        switch found {
        case .worker(let worker): return worker
        case .refused(let reason): throw IsolationFailure(description: reason)
        case .none:
            // Reaps killed workers before starting one, so that there are never more of them than workers.
            self.endKilled()
            do throws(IsolationFailure) {
                let worker = try Self.start(
                    self.configuration, isBackground: isBackground, required: self.features)
                self.state.withLock { $0.counters.started += 1 }
                return worker
            } catch {
                self.state.withLock { state in
                    if isBackground { state.backgroundBusyCount -= 1 } else { state.busyCount -= 1 }
                    if isArriving { state.arrivingCount -= 1 }
                }
                throw error
            }
        }
    }

    /// - Parameter isFit: Whether the worker can be reused; otherwise it is ended.
    func giveBack(_ worker: WorkerProcess, isFit: Bool, isArriving: Bool = false) {
        if !self.keep(worker, isFit: isFit, isArriving: isArriving) { worker.end() }
        self.endKilled()
        // Not on a thread of the lowest priority, which a new process would inherit.
        if !worker.isBackground { self.fill() }
    }

    /// Waits for the ends of killed workers; blocks.
    func endKilled() {
        let killed = self.state.withLock { state in
            defer { state.ending = [] }
            return state.ending
        }
        for worker in killed { worker.end() }
    }

    /// As ``giveBack(_:isFit:isArriving:)``, for threads that must not block, and for jobs that another worker takes
    /// over: the next job that ends or needs a new worker waits for the end of the process.
    func giveBackWithoutWaiting(_ worker: WorkerProcess, isFit: Bool, isArriving: Bool = false) {
        guard !self.keep(worker, isFit: isFit, isArriving: isArriving) else { return }
        worker.kill()
        self.state.withLock { $0.ending.append(worker) }
    }

    /// - Returns: Whether the worker is idle, for its next job.
    private func keep(_ worker: WorkerProcess, isFit: Bool, isArriving: Bool) -> Bool {
        let isWorn =
            worker.jobCount >= self.configuration.jobLimit
            || worker.heapBytes.map { $0.last > $0.first + UInt64(self.configuration.growthLimit) } ?? false
        return self.state.withLock { state in
            if worker.isBackground { state.backgroundBusyCount -= 1 } else { state.busyCount -= 1 }
            if isArriving { state.arrivingCount -= 1 }
            if isFit, isWorn { state.counters.replaced += 1 }
            guard isFit, !isWorn, !state.isClosed else { return false }
            let room = self.configuration.count + (worker.isBackground ? 0 : self.configuration.spareCount)
            guard (worker.isBackground ? state.backgroundIdle.count : state.idle.count) < room else { return false }
            if worker.isBackground { state.backgroundIdle.append(worker) } else { state.idle.append(worker) }
            return true
        }
    }

    func count(_ change: (inout Counters) -> Void) {
        self.state.withLock { change(&$0.counters) }
    }
}
