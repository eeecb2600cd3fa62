import NIOPosix
import Synchronization

/// Threads of its own for work that computes or blocks instead of waiting, and a bound on how much of it may queue.
///
/// The work stays part of its task: `Task.isCancelled`, task-locals and priority reach it as usual.
public final class WorkThreads: TaskExecutor {
    private let threads: NIOThreadPool
    private let limit: Int
    private let admitted = Atomic<Int>(0)

    /// - Parameters:
    ///   - count: The number of threads, at least 1.
    ///   - queueLimit: How many calls of ``run(_:)`` may wait for a thread.
    public init(count: Int, queueLimit: Int) {
        self.threads = NIOThreadPool(numberOfThreads: max(1, count))
        self.limit = max(1, count) + queueLimit
        self.threads.start()
    }

    /// How many calls of ``run(_:)`` are under way, running and queued together.
    public var load: Int { self.admitted.load(ordering: .relaxed) }

    /// Ends the threads after the work that is queued.
    public func shutDown() async throws {
        try await self.threads.shutdownGracefully()
    }

    /// Part of `TaskExecutor`; use ``run(_:)``.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Run even when the pool is shutting down: a job that is dropped is a task that never ends.
        self.threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs `work` on one of the threads.
    ///
    /// - Throws: ``PosterError/overloaded`` at once when the queue is full, `CancellationError` when the task was
    ///   cancelled before its turn, or what `work` throws.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        defer { self.admitted.subtract(1, ordering: .relaxed) }
        guard self.admitted.add(1, ordering: .relaxed).newValue <= self.limit else { throw PosterError.overloaded }
        return try await withTaskExecutorPreference(self) {
            try Task.checkCancellation()
            return try work()
        }
    }
}
