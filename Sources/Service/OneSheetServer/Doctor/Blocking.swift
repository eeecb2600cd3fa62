import NIOPosix

/// Runs functions that block on a thread of their own, because tasks share few threads.
enum Blocking {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
