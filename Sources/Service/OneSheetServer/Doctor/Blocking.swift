import PosterPipeline

/// Runs blocking functions on own threads: the threads of tasks and of NIO's pool are few and shared, and a hanging
/// file system holds one for good.
enum Blocking {
    /// More than the number of checks that block.
    private static let threadCount = 16
    private static let threads = BoundedThreadPool(count: Self.threadCount, queueLimit: Self.threadCount)

    /// - Throws: Errors of `body`; `CancellationError` if the task is cancelled before it begins.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await Self.threads.run(body)
    }
}
