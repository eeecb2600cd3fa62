import Synchronization

/// A task that is suspended in ``withWaiter(id:enqueue:cancel:)``; to be resumed exactly once, outside of any lock.
public struct Waiter<Value: Sendable>: Sendable {
    /// Different for any two waiters of the process.
    public typealias ID = UInt64

    /// What ``withWaiter(id:enqueue:cancel:)`` names it by when it is cancelled.
    public let id: ID
    fileprivate let continuation: CheckedContinuation<Value, any Error>

    /// An id that no other waiter has.
    public static func nextID() -> ID { lastID.add(1, ordering: .relaxed).newValue }

    /// Lets the task go on with an outcome.
    public func resume(with outcome: Result<Value, any Error>) {
        self.continuation.resume(with: outcome)
    }

    /// Lets the task go on with an error.
    public func resume(throwing error: any Error) {
        self.continuation.resume(throwing: error)
    }
}

extension Waiter<Void> {
    /// Lets the task go on.
    public func resume() {
        self.continuation.resume()
    }
}

/// Suspends the current task until its waiter is resumed or the task is cancelled, whichever is first.
///
/// A cancellation may come before the waiter is enqueued, when `cancel` finds nothing to take out. So `cancel` is called
/// once more after `enqueue` when the task is cancelled by then: the flag is set before the first call.
///
/// - Parameters:
///   - id: A new one; only needed by callers that use it before `enqueue` is called.
///   - enqueue: Stores the waiter, or resumes it. Called in the current task, at most once, and not when the task is
///     cancelled already.
///   - cancel: Takes the waiter out and resumes it with `CancellationError`; has no effect when it is not stored (any
///     more). Called on any thread, at any moment, up to twice.
/// - Throws: What the waiter is resumed with; `CancellationError`.
public func withWaiter<Value: Sendable>(
    id: Waiter<Value>.ID = Waiter<Value>.nextID(), enqueue: (Waiter<Value>) -> Void,
    cancel: @Sendable (Waiter<Value>.ID) -> Void
) async throws -> Value {
    try Task.checkCancellation()
    return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(Waiter(id: id, continuation: continuation))
            if Task.isCancelled { cancel(id) }
        }
    } onCancel: {
        cancel(id)
    }
}

private let lastID = Atomic<UInt64>(0)
