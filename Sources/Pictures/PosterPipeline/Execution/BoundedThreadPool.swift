package import Flights
import HTTPSemantics
import NIOPosix

/// A thread pool for work that computes or blocks, with a bounded queue ordered by urgency.
///
/// Work stays part of its task: `Task.isCancelled`, task-locals and priority reach it as usual.
public final class BoundedThreadPool: Sendable {
    private let executor: any TaskExecutor
    private let semaphore: WeightedSemaphore

    /// - Parameters:
    ///   - weightLimit: Maximum total weight of running calls.
    ///   - whenAdmitted: Called for each admitted call with its waiting time in nanoseconds; must not block.
    ///   - hasLowPriority: Whether the pool's own threads have the lowest priority.
    ///   - executor: Runs at most `count` calls at once; `nil` for threads of the pool's own.
    package init(
        count: Int, queueLimit: Int, weightLimit: Int = .max,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds, whenAdmitted: (@Sendable (UInt64) -> Void)? = nil,
        hasLowPriority: Bool = false, executor: (any TaskExecutor)? = nil
    ) {
        self.executor = executor ?? ThreadExecutor(threadCount: max(1, count), hasLowPriority: hasLowPriority)
        self.semaphore = WeightedSemaphore(
            WeightedSemaphore.Limits(count: count, queue: queueLimit, weight: weightLimit), now: now,
            whenAdmitted: whenAdmitted)
    }

    package var count: Int { self.semaphore.limits.count }

    package var queueLimit: Int { self.semaphore.limits.queue }

    package var weightLimit: Int { self.semaphore.limits.weight }

    package var usage: WeightedSemaphore.Usage { self.semaphore.usage }

    package func hasWaiting(above level: Urgency.Level) -> Bool {
        level < .interactive && self.usage.waiting.contains { $0.key > level && $0.value > 0 }
    }

    /// Whether a running call delays no other work: the queue is empty, and a thread is idle unless there is only one.
    package var hasSpareTime: Bool {
        let usage = self.usage
        return usage.waitingCount == 0 && usage.held <= max(1, self.count - 1)
    }

    /// Waits until a thread is idle and the queue is empty; the thread may be busy again on return.
    /// - Parameter reserved: Number of idle threads to ignore.
    /// - Throws: `CancellationError`.
    package func waitUntilIdle(besides reserved: Int = 0) async throws {
        try await self.semaphore.waitForFreePermit(besides: reserved)
    }

    /// Charges memory for work on other threads, if there is room for it and the queue is empty.
    package func holdFreeWeight(_ weight: Int) -> WeightedSemaphore.HeldWeight? {
        self.semaphore.holdFreeWeight(weight)
    }

    /// Stops the threads after the queued work.
    package func shutDown() async throws {
        try await (self.executor as? ThreadExecutor)?.threads.shutdownGracefully()
    }

    /// Runs `work` on one of the threads, the most urgent first.
    ///
    /// A call that is cancelled while it waits leaves the queue at once.
    ///
    /// - Parameters:
    ///   - weight: Charged against ``weightLimit`` while the work runs.
    ///   - urgency: May rise during the wait; `nil` is ``Urgency/current``, or interactive without one.
    /// - Throws: ``PosterError/overloaded(retryAfter:)`` at once if the queue is full, `CancellationError` if the task
    ///   is cancelled while it waits, or the error of `work`.
    package func run<Value: Sendable>(
        weight: Int = 0, urgency: Urgency? = nil, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await self.semaphore.withPermit(
                weight: weight, urgency: urgency ?? Urgency.current ?? Urgency(.interactive)
            ) {
                try await withTaskExecutorPreference(self.executor) {
                    try Task.checkCancellation()
                    return try work()
                }
            }
        } catch let full as WeightedSemaphore.QueueFull {
            throw PosterError.overloaded(retryAfter: full.retryAfterSeconds)
        }
    }

    /// As ``run(weight:urgency:_:)``, for work that determines its weight only on its thread.
    package func run<Value: Sendable>(
        weight: Int, urgency: Urgency, _ work: @escaping @Sendable (WeightedSemaphore.Permit) throws -> Value
    ) async throws -> Value {
        do {
            return try await self.semaphore.withPermit(weight: weight, urgency: urgency) { permit in
                try await withTaskExecutorPreference(self.executor) {
                    try Task.checkCancellation()
                    return try work(permit)
                }
            }
        } catch let full as WeightedSemaphore.QueueFull {
            throw PosterError.overloaded(retryAfter: full.retryAfterSeconds)
        }
    }

    /// Runs `work` if a thread is idle and the queue is empty; otherwise does nothing.
    /// - Returns: Whether it ran.
    @discardableResult
    package func runIfIdle(weight: Int = 0, _ work: @escaping @Sendable () -> Void) async -> Bool {
        let outcome: Void? = await self.semaphore.withFreePermit(weight: weight) {
            await withTaskExecutorPreference(self.executor) { work() }
        }
        return outcome != nil
    }

    /// Runs a short step of work admitted earlier, such as the next read for a response that has begun. It bypasses the
    /// queue; the caller bounds the number of concurrent steps.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before its turn, or the error of `step`.
    package func runStep<Value: Sendable>(_ step: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(self.executor) {
            try Task.checkCancellation()
            return try step()
        }
    }
}

extension WeightedSemaphore.QueueFull {
    /// `Retry-After` in whole seconds, from 1 to 60.
    package var retryAfterSeconds: Int { min(60, RetryAfter.seconds(self.estimatedWait)) }
}

/// Runs jobs of tasks on threads.
private final class ThreadExecutor: TaskExecutor {
    let threads: NIOThreadPool
    private let hasLowPriority: Bool

    init(threadCount: Int, hasLowPriority: Bool) {
        self.hasLowPriority = hasLowPriority
        self.threads = NIOThreadPool(numberOfThreads: threadCount)
        self.threads.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Also during a shutdown: a task with a dropped job would never end.
        self.threads.submit { _ in
            if self.hasLowPriority { ThreadPriority.lower() }
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
