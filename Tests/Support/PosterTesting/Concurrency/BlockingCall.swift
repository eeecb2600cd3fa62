import Foundation

/// Runs what blocks on a thread of its own and waits for it without blocking.
///
/// Not on a dispatch queue: on Linux the cooperative threads come from the same few, and would not run meanwhile.
public func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
