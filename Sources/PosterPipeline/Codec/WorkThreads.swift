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
    /// Who is cancelled before his turn makes room at once.
    ///
    /// - Throws: ``PosterError/overloaded`` at once when the queue is full, `CancellationError` when the task was
    ///   cancelled before its turn, or what `work` throws.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let place = Place()
        guard self.admitted.add(1, ordering: .relaxed).newValue <= self.limit else {
            self.admitted.subtract(1, ordering: .relaxed)
            throw PosterError.overloaded
        }
        defer { if place.leave() { self.admitted.subtract(1, ordering: .relaxed) } }
        return try await withTaskCancellationHandler {
            try await withTaskExecutorPreference(self) {
                try Task.checkCancellation()
                place.begin()
                return try work()
            }
        } onCancel: {
            if place.leaveQueue() { self.admitted.subtract(1, ordering: .relaxed) }
        }
    }

    /// A place among those who wait or run; it is given back once.
    private final class Place: Sendable {
        private enum State {
            case waiting, running, left
        }

        private let state = Mutex(State.waiting)

        func begin() {
            self.state.withLock { if $0 == .waiting { $0 = .running } }
        }

        /// - Returns: Whether the place was still taken.
        func leave() -> Bool {
            self.state.withLock { state in
                defer { state = .left }
                return state != .left
            }
        }

        /// - Returns: Whether the place was one of those who wait.
        func leaveQueue() -> Bool {
            self.state.withLock { state in
                guard state == .waiting else { return false }
                state = .left
                return true
            }
        }
    }
}
