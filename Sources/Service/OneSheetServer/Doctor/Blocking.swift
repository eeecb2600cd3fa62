import NIOPosix

/// Runs functions that block on threads other than those of tasks.
enum Blocking {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}
