import Foundation
import Testing

/// Runs tests that compute for seconds on a thread of their own, one after another.
///
/// Otherwise they would occupy the cooperative threads, of which there are as many as cores, and delay tests with real time
/// limits. Under AddressSanitizer, where there are no such tests and none that measures the process's memory, each core has one.
struct ComputingThread: SuiteTrait, TestTrait, TestScoping {
    private static let thread = Executor()

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.thread) {
            try await function()
        }
    }

    private final class Executor: TaskExecutor {
        private let queue = OperationQueue()

        init() {
            self.queue.name = "onesheet.tests.computing"
            self.queue.maxConcurrentOperationCount =
                PeakMemory.isHidden ? ProcessInfo.processInfo.activeProcessorCount : 1
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}

extension Trait where Self == ComputingThread {
    static var computingThread: Self { ComputingThread() }
}
