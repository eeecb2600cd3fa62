import Foundation

/// Runs blocking work on its own thread and awaits its result.
///
/// Not on a dispatch queue: on Linux these share their threads with the cooperative pool, which would stall.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
