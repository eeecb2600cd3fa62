import Flights
package import PosterCodec
import Synchronization

/// Worker processes that decode and encode; see ``CodecWorker``. Kept and used again, replaced when they end. Safe from any
/// thread; calls block theirs until the worker has answered.
///
/// How many jobs there are at once is for the callers to bound: each is one of a pool of threads.
package final class CodecWorkerPool: Sendable {
    /// Settings of a pool.
    package struct Configuration: Sendable {
        /// What is executed; by default this program.
        package var program = "/proc/self/exe"
        /// The workers for jobs that are waited for, and the most that are kept for those in the background.
        package var count: Int
        /// Workers that are ready beside these, so that the end of one is waited for by no job.
        package var spareCount = 1
        /// After how many jobs a worker is replaced.
        package var jobLimit = 10_000
        /// By how many bytes the heap of a worker may grow from its first job to its last.
        package var growthLimit = 32 << 20
        /// The limits of every job, which none exceeds.
        package var limits = CodecLimits()

        /// - Parameter count: At least 1.
        package init(count: Int) {
            self.count = max(1, count)
        }
    }

    /// What happened since the start.
    package struct Counters: Hashable, Sendable {
        package var started = 0
        /// Jobs that were done, whether well or not.
        package var jobs = 0
        /// Workers that have ended during a job, or were ended for what they did.
        package var failures = 0
        /// Workers that were ended because a job that was stopped went on.
        package var killed = 0
        /// Workers that were replaced for their age or size.
        package var replaced = 0
    }

    private struct State {
        var idle: [WorkerProcess] = []
        var backgroundIdle: [WorkerProcess] = []
        /// Those that were killed, and whose end was not waited for yet.
        var ending: [WorkerProcess] = []
        /// Those that are being started to have no job.
        var startingCount = 0
        /// Those that have a job, and of the lowest priority.
        var (busyCount, backgroundBusyCount) = (0, 0)
        /// Of these, those that have one for an original that is arriving.
        var arrivingCount = 0
        var counters = Counters()
        var isClosed = false
    }

    let configuration: Configuration
    private let state = Mutex(State())
    /// What confines the workers, as the first of them has reported.
    package let features: IsolationFeatures

    /// Starts the workers, and waits for the first one.
    /// - Throws: ``IsolationFailure`` when none can be started.
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

    /// Workers as many as threads, as an operator has asked for them.
    ///
    /// - Parameters:
    ///   - isolation: With ``Isolation/required``, nothing may be missing.
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

    /// What happened since the start.
    package var counters: Counters { self.state.withLock { $0.counters } }

    /// The workers that there are, and those of them that have a job.
    package var usage: (count: Int, busy: Int) {
        self.state.withLock { state in
            let busy = state.busyCount + state.backgroundBusyCount
            return (state.idle.count + state.backgroundIdle.count + busy, busy)
        }
    }

    /// The processes that have no job, for tests and for reports.
    package var idleProcesses: [Int32] {
        self.state.withLock { ($0.idle + $0.backgroundIdle).map(\.process) }
    }

    /// Ends the workers without a job, and each other one with its job.
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
            program: configuration.program, isBackground: isBackground, dataLimit: largest + WorkerBudget.baseBytes,
            fileLimit: WorkerBudget.fileBytes(limits.maxWorkingBytes), required: required)
    }

    /// Starts workers until there are as many as there should be. They get ready while jobs go on.
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
            // What cannot be started now is started when it is needed, and fails then.
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

    /// Takes a worker, which is given back to ``giveBack(_:isFit:)``.
    func take(isBackground: Bool, isArriving: Bool = false) throws(IsolationFailure) -> WorkerProcess {
        enum Found {
            case worker(WorkerProcess)
            case none
            case refused(String)
        }
        let found = self.state.withLock { state -> Found in
            if state.isClosed { return .refused("the service stops") }
            if isArriving {
                guard state.arrivingCount < self.configuration.count else {
                    return .refused("too many are decoded early")
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
            // None is started while one that was killed is kept: there are never more of these than workers.
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

    /// - Parameter isFit: Whether it can be used again; otherwise it is ended.
    func giveBack(_ worker: WorkerProcess, isFit: Bool, isArriving: Bool = false) {
        if !self.keep(worker, isFit: isFit, isArriving: isArriving) { worker.end() }
        self.endKilled()
        // Not on a thread of the lowest priority, which a new process would inherit.
        if !worker.isBackground { self.fill() }
    }

    /// Waits for the ends of workers that were killed; blocks.
    func endKilled() {
        let killed = self.state.withLock { state in
            defer { state.ending = [] }
            return state.ending
        }
        for worker in killed { worker.end() }
    }

    /// As ``giveBack(_:isFit:isArriving:)``, for threads that must not block, and jobs that another worker does: the next job that
    /// ends, or needs a new worker, waits for the end of one that cannot be used again.
    func giveBackWithoutWaiting(_ worker: WorkerProcess, isFit: Bool, isArriving: Bool = false) {
        guard !self.keep(worker, isFit: isFit, isArriving: isArriving) else { return }
        worker.kill()
        self.state.withLock { $0.ending.append(worker) }
    }

    /// - Returns: Whether the worker waits for its next job now.
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

    /// Counts how a job has ended.
    func count(_ change: (inout Counters) -> Void) {
        self.state.withLock { change(&$0.counters) }
    }
}
