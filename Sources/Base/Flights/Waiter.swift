import Synchronization

/// A task suspended in ``withWaiter(id:enqueue:cancel:)``. It must be resumed exactly once, outside of any lock.
public struct Waiter<Value: Sendable>: Identifiable, Sendable {
    /// Unique within the process.
    public typealias ID = UInt64

    /// The id that ``withWaiter(id:enqueue:cancel:)`` passes to `cancel`.
    public let id: ID
    fileprivate let continuation: CheckedContinuation<Value, any Error>

    /// Returns an unused id.
    public static func nextID() -> ID { lastID.add(1, ordering: .relaxed).newValue }

    /// Resumes the task with an outcome.
    public func resume(with outcome: Result<Value, any Error>) {
        self.continuation.resume(with: outcome)
    }

    /// Resumes the task by throwing an error.
    public func resume(throwing error: any Error) {
        self.continuation.resume(throwing: error)
    }
}

extension Waiter<Void> {
    /// Resumes the task.
    public func resume() {
        self.continuation.resume()
    }
}

/// Suspends the current task until its waiter is resumed or the task is cancelled, whichever is first.
///
/// A cancellation may arrive before the waiter is enqueued, when `cancel` finds nothing to remove. Therefore `cancel`
/// is called again after `enqueue` if the task is cancelled: the flag is set before the first call.
///
/// - Parameters:
///   - id: An unused id; needed only by callers that use it before `enqueue` is called.
///   - enqueue: Stores the waiter or resumes it. Called in the current task, at most once, and not if the task was
///     cancelled before.
///   - cancel: Removes the waiter and resumes it with `CancellationError`; has no effect if the waiter is not stored.
///     Called on any thread, at any time, at most twice.
/// - Throws: The error that the waiter is resumed with; `CancellationError`.
@inline(__always)  // saves a stack frame in every flight and permit
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

/// A one-time event that tasks can wait for. Safe from any thread, including C callbacks.
///
/// The lock guards the waiters; opening is linear in them, everything else is O(1).
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Waiter<Void>.ID: Waiter<Void>] = [:]
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether ``open()`` was called.
    public var isOpen: Bool { self.state.withLock { $0.isOpen } }

    /// The number of waiting tasks.
    public var waiterCount: Int { self.state.withLock { $0.waiters.count } }

    /// Opens the gate: resumes all waiting tasks, and later waits return at once.
    public func open() {
        let waiters = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open; returns at once if it is open, even in a cancelled task.
    /// - Throws: `CancellationError` if the task is cancelled before the gate opens.
    public func wait() async throws {
        if self.isOpen { return }
        try await withWaiter { (waiter: Waiter<Void>) in
            let isOpen = self.state.withLock { state in
                if !state.isOpen { state.waiters[waiter.id] = waiter }
                return state.isOpen
            }
            if isOpen { waiter.resume() }
        } cancel: { id in
            self.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }
}
