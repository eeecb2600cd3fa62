import CodecTesting
import Flights
import Glibc

/// A machine with one thread and a clock of its own, on which a seed determines the order of all work.
///
/// The executor of thread pools and, by a hook of the runtime, of all other tasks of the process. Used on one thread
/// only.
final class SimulatedMachine: TaskExecutor, @unchecked Sendable {
    // Unchecked, as only the main thread uses it.

    private struct ReadyJob {
        /// Ascending in the order of the creation of tasks, which does not depend on hash values.
        let task: UInt64
        let job: UnownedJob
        /// Whether it runs on a thread pool.
        let isPooled: Bool
    }

    private struct Timer {
        enum Action {
            case resume(Waiter<Void>)
            case enqueue(ReadyJob)
        }

        let end: UInt64
        let action: Action
    }

    /// Jobs that are run within another one's, at most.
    private static let depthLimit = 3

    var random: SeededRandom
    /// The monotonic time.
    private(set) var nanoseconds: UInt64 = 1_000_000_000_000
    /// Number of jobs run.
    private(set) var jobCount = 0
    /// Probability that other jobs run at a point where a thread could be preempted.
    var preemptionShare = 0.0
    /// Probability that a thread of a pool begins a job late, so that requests wait, join and leave meanwhile.
    var latenessShare = 0.0
    /// CPU time so far in nanoseconds: one for each reading.
    private var cpuReadings: UInt64 = 0
    private var ready: [ReadyJob] = []
    private var timers: [Timer] = []
    private var depth = 0

    /// Whether to print steps.
    private let isTraced: Bool

    init(seed: UInt64, isTraced: Bool) {
        self.random = SeededRandom(seed: seed)
        self.isTraced = isTraced
    }

    /// Prints a step of a traced schedule.
    func note(_ text: @autoclosure () -> String) {
        if self.isTraced { print("\(self.nanoseconds / 1_000_000 - 1_000_000) ms: \(text())") }
    }

    var hasReadyJob: Bool { !self.ready.isEmpty }
    var hasTimer: Bool { !self.timers.isEmpty }
    /// Seconds since 1970 of the simulated clock.
    var seconds: Int64 { Int64(self.nanoseconds / 1_000_000_000) }

    /// CPU time of the thread in nanoseconds, which work always takes.
    func cpuNanoseconds() -> UInt64 {
        self.cpuReadings += 1
        return self.cpuReadings
    }

    // MARK: Chance

    func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self.random) < share }

    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self.random) }

    func choice<Value>(_ values: [Value]) -> Value { values[self.number(0..<values.count)] }

    // MARK: Jobs

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let ready = ReadyJob(task: jobTaskID(job), job: job, isPooled: true)
        guard self.chance(self.latenessShare) else { return self.enqueue(ready) }
        self.add(.enqueue(ready), after: .milliseconds(self.number(1..<50)))
    }

    private func enqueue(_ job: ReadyJob) {
        let index = self.ready.firstIndex { $0.task > job.task } ?? self.ready.count
        self.ready.insert(job, at: index)
    }

    /// Runs a job that is ready.
    func runJob() {
        self.jobCount += 1
        let next = self.ready.remove(at: self.number(0..<self.ready.count))
        if next.isPooled {
            next.job.runSynchronously(on: self.asUnownedTaskExecutor())
        } else {
            next.job.runSynchronously(on: genericExecutor)
        }
    }

    /// A point of synchronous work at which a thread could be preempted: other jobs may run before it continues. The
    /// caller holds no lock.
    func preempt() {
        guard self.preemptionShare > 0, self.depth < Self.depthLimit, self.hasReadyJob,
            self.chance(self.preemptionShare)
        else { return }
        self.depth += 1
        defer { self.depth -= 1 }
        for _ in 0..<self.number(1..<8) where self.hasReadyJob { self.runJob() }
    }

    // MARK: Time

    /// Advances the clock to the end of the next timer.
    func advanceToTimer() {
        guard let end = self.timers.first?.end else { return }
        self.advance(to: end)
    }

    func advance(by duration: Duration) { self.advance(to: self.nanoseconds + duration.nanoseconds) }

    private func advance(to end: UInt64) {
        self.nanoseconds = max(self.nanoseconds, end)
        while let timer = self.timers.first, timer.end <= self.nanoseconds {
            self.timers.removeFirst()
            switch timer.action {
            case .resume(let waiter): waiter.resume()
            case .enqueue(let job): self.enqueue(job)
            }
        }
    }

    private func add(_ action: Timer.Action, after duration: Duration) {
        let end = self.nanoseconds + duration.nanoseconds
        let index = self.timers.firstIndex { $0.end > end } ?? self.timers.count
        self.timers.insert(Timer(end: end, action: action), at: index)
    }

    func sleep(_ duration: Duration) async throws {
        try await withWaiter { waiter in
            self.add(.resume(waiter), after: duration)
        } cancel: { id in
            let index = self.timers.firstIndex { timer in
                if case .resume(let waiter) = timer.action { waiter.id == id } else { false }
            }
            guard let index, case .resume(let waiter) = self.timers.remove(at: index).action else { return }
            waiter.resume(throwing: CancellationError())
        }
    }

    /// Suspends as blocking I/O does, also a cancelled task: often not at all, sometimes until other jobs have run,
    /// sometimes for a time.
    func pause() async {
        switch self.number(0..<4) {
        case 0: break
        case 1, 2: await withCheckedContinuation { $0.resume() }
        default:
            let end = self.nanoseconds + UInt64(self.number(1..<200)) * 1_000_000
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                // Unstructured, because a cancellation must not end it.
                Task {
                    try? await self.sleep(.nanoseconds(Int64(end - min(end, self.nanoseconds))))
                    continuation.resume()
                }
            }
        }
    }
}

// MARK: The runtime

/// The machine that receives the jobs of all tasks.
nonisolated(unsafe) private var currentMachine: SimulatedMachine?

/// The executor of a task without one, as the runtime names it.
private let genericExecutor = unsafeBitCast((UInt(0), UInt(0)), to: UnownedSerialExecutor.self)

@_silgen_name("swift_task_getJobTaskId")
private func jobTaskID(_ job: UnownedJob) -> UInt64

extension SimulatedMachine {
    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// Makes this machine run all tasks of the process: the runtime's `swift_task_enqueueGlobal` calls a hook, if one is
    /// set. `Task.yield` and `Task.sleep` do not go through it.
    func takeTasks() {
        currentMachine = self
        guard let symbol = dlsym(nil, "swift_task_enqueueGlobal_hook") else {
            fatalError("the runtime has no hook for the jobs of tasks")
        }
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            currentMachine!.enqueue(ReadyJob(task: jobTaskID(job), job: job, isPooled: false))
        }
    }
}
