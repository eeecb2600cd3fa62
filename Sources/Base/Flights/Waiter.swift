import Synchronization

/// A task that is suspended in ``withWaiter(id:enqueue:cancel:)``; to be resumed exactly once, outside of any lock.
public struct Waiter<Value: Sendable>: Identifiable, Sendable {
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
@inline(__always)  // a frame less on the way to every flight and permit
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

/// An event that happens once; tasks wait until it has happened. Safe from any thread, C callbacks included.
///
/// Under the lock: the waiters; opening is linear in them, everything else O(1).
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Waiter<Void>.ID: Waiter<Void>] = [:]
    }

    private let state = Mutex(State())

    /// A closed gate.
    public init() {}

    /// Whether ``open()`` was called.
    public var isOpen: Bool { self.state.withLock { $0.isOpen } }

    /// The number of tasks that wait.
    public var waiterCount: Int { self.state.withLock { $0.waiters.count } }

    /// Lets all tasks pass, now and later.
    public func open() {
        let waiters = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the gate is open, also for a task that is cancelled by then.
    /// - Throws: `CancellationError` when the task is cancelled first.
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
