package import Flights
import HTTPSemantics
import NIOPosix

/// A thread pool for work that computes or blocks, with a bounded queue ordered by urgency.
///
/// The work stays part of its task: `Task.isCancelled`, task-locals and priority reach it as usual.
public final class BoundedThreadPool: TaskExecutor {
    private let threads: NIOThreadPool
    private let semaphore: WeightedSemaphore

    /// - Parameters:
    ///   - weightLimit: What the calls that run may weigh together.
    ///   - whenAdmitted: Called for each admitted call with the nanoseconds it waited; must not block.
    package init(
        count: Int, queueLimit: Int, weightLimit: Int = .max,
        now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds, whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) {
        self.threads = NIOThreadPool(numberOfThreads: max(1, count))
        self.semaphore = WeightedSemaphore(
            WeightedSemaphore.Limits(count: count, queue: queueLimit, weight: weightLimit), now: now,
            whenAdmitted: whenAdmitted)
        self.threads.start()
    }

    package var count: Int { self.semaphore.limits.count }

    package var queueLimit: Int { self.semaphore.limits.queue }

    package var weightLimit: Int { self.semaphore.limits.weight }

    package var usage: WeightedSemaphore.Usage { self.semaphore.usage }

    /// Whether anything more urgent waits.
    package func hasWaiting(above level: Urgency.Level) -> Bool {
        level < .interactive && self.usage.waiting.contains { $0.key > level && $0.value > 0 }
    }

    /// Whether a call that runs takes time from nothing: nothing waits, and one thread is idle unless there is only one.
    package var hasSpareTime: Bool {
        let usage = self.usage
        return usage.waitingCount == 0 && usage.held <= max(1, self.count - 1)
    }

    /// Returns once one of the threads is idle and nothing waits for it; it may be taken again by then.
    /// - Parameter reserved: Idle threads that do not count.
    /// - Throws: `CancellationError` when the task is cancelled first.
    package func waitUntilIdle(besides reserved: Int = 0) async throws {
        try await self.semaphore.waitForFreePermit(besides: reserved)
    }

    /// Charges memory for work on other threads, if there is room for it and nothing waits.
    package func holdFreeWeight(_ weight: Int) -> WeightedSemaphore.HeldWeight? {
        self.semaphore.holdFreeWeight(weight)
    }

    /// Ends the threads after the work that is queued.
    package func shutDown() async throws {
        try await self.threads.shutdownGracefully()
    }

    /// Part of `TaskExecutor`; use ``run(weight:urgency:_:)``.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Run even when the pool is shutting down: a job that is dropped is a task that never ends.
        self.threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs `work` on one of the threads, the most urgent first.
    ///
    /// A call that is cancelled while it waits leaves the queue at once.
    ///
    /// - Parameters:
    ///   - weight: What it counts for in the limit of weight, while it runs.
    ///   - urgency: May rise while it waits; nil for ``Urgency/current``, or else interactive.
    /// - Throws: ``PosterError/overloaded(retryAfter:)`` at once when the queue is full, `CancellationError` when the
    ///   task was cancelled before its turn, or what `work` throws.
    package func run<Value: Sendable>(
        weight: Int = 0, urgency: Urgency? = nil, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await self.semaphore.withPermit(
                weight: weight, urgency: urgency ?? Urgency.current ?? Urgency(.interactive)
            ) {
                try await withTaskExecutorPreference(self) {
                    try Task.checkCancellation()
                    return try work()
                }
            }
        } catch let full as WeightedSemaphore.QueueFull {
            throw PosterError.overloaded(retryAfter: full.retryAfterSeconds)
        }
    }

    /// As ``run(weight:urgency:_:)``, for work that learns only on its thread what it weighs.
    ///
    /// - Throws: The same.
    package func run<Value: Sendable>(
        weight: Int, urgency: Urgency, _ work: @escaping @Sendable (WeightedSemaphore.Permit) throws -> Value
    ) async throws -> Value {
        do {
            return try await self.semaphore.withPermit(weight: weight, urgency: urgency) { permit in
                try await withTaskExecutorPreference(self) {
                    try Task.checkCancellation()
                    return try work(permit)
                }
            }
        } catch let full as WeightedSemaphore.QueueFull {
            throw PosterError.overloaded(retryAfter: full.retryAfterSeconds)
        }
    }

    /// Runs `work` on one of the threads if one is idle and nothing waits, and otherwise not at all.
    /// - Returns: Whether it ran.
    @discardableResult
    package func runIfIdle(weight: Int = 0, _ work: @escaping @Sendable () -> Void) async -> Bool {
        let outcome: Void? = await self.semaphore.withFreePermit(weight: weight) {
            await withTaskExecutorPreference(self) { work() }
        }
        return outcome != nil
    }

    /// Runs a short step of something that was admitted before, such as the next read for a response that has begun. It
    /// takes no place in the queue: how many there are at once is for the caller to bound.
    ///
    /// - Throws: `CancellationError` when the task was cancelled before its turn, or what `step` throws.
    package func runStep<Value: Sendable>(_ step: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withTaskExecutorPreference(self) {
            try Task.checkCancellation()
            return try step()
        }
    }
}

extension WeightedSemaphore.QueueFull {
    /// For `Retry-After`: whole seconds, from 1 to 60.
    package var retryAfterSeconds: Int { min(60, RetryAfter.seconds(self.estimatedWait)) }
}
