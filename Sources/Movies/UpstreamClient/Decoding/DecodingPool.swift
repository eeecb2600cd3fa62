import Flights
import NIOPosix
import Synchronization

/// A thread pool for decoding large responses, with a bounded queue ordered by urgency, which keeps them off the
/// threads that serve requests.
///
/// The lock guards the threads, which start with the first large response.
package final class DecodingPool: TaskExecutor {
    package struct Limits: Sendable {
        package var threads = 2
        /// The maximal number of queued responses, of at most ``UpstreamClient/maxResponseBytes`` each.
        package var queue = 32
        /// The size limit in bytes for decoding on the caller's thread, which takes a few milliseconds.
        package var inlineBytes = 64 * 1024
        /// The time limit of one response, including its time in the queue.
        package var timeout = Duration.seconds(20)

        package init() {}
    }

    struct TimedOut: Error {}

    /// Whether the current task decodes in a pool and is cancelled: its result is discarded.
    static var hasEnded: Bool { Task.isCancelled && Self.isDecoding }

    /// Call before decoded values are used for other purposes than the result, such as caching.
    /// - Throws: `CancellationError` if parts of the response may be missing.
    package static func checkCompleteness() throws {
        if Self.hasEnded { throw CancellationError() }
    }

    @TaskLocal private static var isDecoding = false

    private let limits: Limits
    private let semaphore: WeightedSemaphore
    private let threads = Mutex<NIOThreadPool?>(nil)
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: Waits for ``Limits/timeout``.
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

    var usage: WeightedSemaphore.Usage { self.semaphore.usage }

    /// Runs `decode`, on one of the threads if the response exceeds ``Limits/inlineBytes``.
    ///
    /// On a thread, a cancellation or timeout ends decoding early: ``hasEnded`` becomes true, and the result is
    /// discarded.
    ///
    /// - Throws: `WeightedSemaphore.QueueFull`, ``TimedOut``, `CancellationError`, errors of `decode`.
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

    /// Conforms to `TaskExecutor`; use ``run(byteCount:_:)``.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let threads = self.threads.withLock { threads in
            let started = threads ?? NIOThreadPool(numberOfThreads: self.semaphore.limits.count)
            threads = started
            return started
        }
        threads.start()
        // Runs the job even during shutdown: a dropped job is a task that never ends.
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
