import PosterPipeline

/// Runs functions that block on threads of their own: tasks share few threads, and so do other users of NIO's pool,
/// some of which are lost to file systems that hang.
enum Blocking {
    /// More than the number of checks that block.
    private static let threadCount = 16
    private static let threads = BoundedThreadPool(count: Self.threadCount, queueLimit: Self.threadCount)

    /// - Throws: Errors of `body`; `CancellationError` if the task is cancelled before it begins.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await Self.threads.run(body)
    }
}
