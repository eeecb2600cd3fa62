import Foundation
import Testing

/// Runs tests that compute for seconds on separate threads, as many as there are cores.
///
/// Otherwise they would occupy the cooperative threads, which are as many, and delay tests with real-time limits, which
/// take precedence.
struct ComputingThread: SuiteTrait, TestTrait, TestScoping {
    private static let threads = Threads(count: ProcessInfo.processInfo.activeProcessorCount)

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.threads) {
            try await function()
        }
    }

    private final class Threads: TaskExecutor, @unchecked Sendable {
        // Unchecked: the condition guards the jobs.
        private let condition = NSCondition()
        private var jobs: [UnownedJob] = []

        /// Linux's nice value: under load, other threads get three times as much CPU time.
        private static let niceness: Int32 = 5

        init(count: Int) {
            for _ in 0..<count {
                Thread.detachNewThread {
                    _ = setpriority(.init(PRIO_PROCESS.rawValue), 0, Self.niceness)
                    while true { self.next().runSynchronously(on: self.asUnownedTaskExecutor()) }
                }
            }
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            self.condition.withLock {
                self.jobs.append(job)
                self.condition.signal()
            }
        }

        private func next() -> UnownedJob {
            self.condition.withLock {
                while self.jobs.isEmpty { self.condition.wait() }
                return self.jobs.removeFirst()
            }
        }
    }
}

extension Trait where Self == ComputingThread {
    static var computingThread: Self { ComputingThread() }
}
