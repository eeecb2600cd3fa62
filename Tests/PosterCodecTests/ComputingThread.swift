import PosterPipeline
import Testing

/// Runs tests that compute for seconds on a thread of their own.
///
/// Tests run on the cooperative threads, of which there are as many as cores; these here would keep them from all tests
/// that wait for sockets with real time limits.
struct ComputingThread: SuiteTrait, TestTrait, TestScoping {
    private static let thread = WorkThreads(count: 1, queueLimit: 0)

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Self.thread) {
            try await function()
        }
    }
}

extension Trait where Self == ComputingThread {
    static var computingThread: Self { ComputingThread() }
}
