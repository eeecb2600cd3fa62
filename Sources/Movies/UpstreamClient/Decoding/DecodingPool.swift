import Flights
import NIOPosix
import Synchronization

/// A thread pool for decoding large responses, with a bounded queue ordered by urgency: none occupies a thread that serves
/// requests.
///
/// Under the lock: the threads, which start with the first large response.
package final class DecodingPool: TaskExecutor {
    /// The bounds of a pool.
    package struct Limits: Sendable {
        /// The most responses that are decoded at once.
        package var threads = 2
        /// The most responses that wait, of at most ``UpstreamClient/maxResponseBytes`` each.
        package var queue = 32
        /// The largest response that is decoded at once on the caller's thread, in bytes: that takes a few milliseconds.
        package var inlineBytes = 64 * 1024
        /// The longest time for one response, that in the queue included.
        package var timeout = Duration.seconds(20)

        /// The defaults.
        package init() {}
    }

    /// ``Limits/timeout`` has passed.
    struct TimedOut: Error {}

    /// Whether the current task decodes in a pool and is cancelled: the outcome is discarded.
    static var hasEnded: Bool { Task.isCancelled && Self.isDecoding }

    /// To be called before decoded values are used beyond the outcome.
    /// - Throws: `CancellationError` when it may be without a part of the response.
    package static func checkCompleteness() throws {
        if Self.hasEnded { throw CancellationError() }
    }

    @TaskLocal private static var isDecoding = false

    private let limits: Limits
    private let semaphore: WeightedSemaphore
    private let threads = Mutex<NIOThreadPool?>(nil)
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: Used for ``Limits/timeout``.
    package init(
        _ limits: Limits = Limits(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.limits = limits
        self.semaphore = WeightedSemaphore(
            WeightedSemaphore.Limits(count: limits.threads, queue: limits.queue), now: Uptime.nanoseconds)
        self.sleep = sleep
    }

    deinit {
        self.threads.withLock { $0 }?.shutdownGracefully { _ in }
    }

    /// The present load.
    var usage: WeightedSemaphore.Usage { self.semaphore.usage }

    /// Runs `decode`, on one of the threads when the response exceeds ``Limits/inlineBytes``.
    ///
    /// A decoding on a thread ends early when the task is cancelled or the time is over: ``hasEnded`` is true then, and the
    /// outcome is discarded.
    ///
    /// - Throws: `WeightedSemaphore.QueueFull`, ``TimedOut``, `CancellationError`, what `decode` throws.
    func run<Value: Sendable>(
        byteCount: Int, _ decode: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard byteCount > self.limits.inlineBytes else { return try decode() }
        return try await withTimeout(self.limits.timeout, throwing: TimedOut(), sleep: self.sleep) {
            try await self.semaphore.withPermit(urgency: Urgency.current ?? Urgency(.interactive)) {
                try await withTaskExecutorPreference(self) {
                    try Task.checkCancellation()
                    let outcome = Self.$isDecoding.withValue(true) { Result { try decode() } }
                    try Task.checkCancellation()
                    return try outcome.get()
                }
            }
        }
    }

    /// Part of `TaskExecutor`; use ``run(byteCount:_:)``.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let threads = self.threads.withLock { threads in
            let started = threads ?? NIOThreadPool(numberOfThreads: self.semaphore.limits.count)
            threads = started
            return started
        }
        threads.start()
        // Run even when the pool is shutting down: a job that is dropped is a task that never ends.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
