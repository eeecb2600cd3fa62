import Synchronization

/// Suspends tasks until a test opens it.
///
/// Once open, it stays open.
///
/// Safe to use from any thread, and ``open()`` from a C callback too.
public final class Gate: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var isOpen = false
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Mutex(State())

    /// A closed gate.
    public init() {}

    /// Whether ``open()`` was called.
    public var isOpen: Bool { self.state.withLock { $0.isOpen } }

    /// The number of waiting tasks.
    public var waiterCount: Int { self.state.withLock { $0.waiters.count } }

    /// Resumes all waiters; later waits return at once.
    public func open() {
        let waiters = self.state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the gate is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func wait() async throws {
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { self.join(id, $0) }
        } onCancel: {
            self.leave(id)
        }
    }

    private func join(_ id: Int, _ waiter: Waiter) {
        let outcome = self.state.withLock { state -> Result<Void, any Error>? in
            if state.isOpen { return .success(()) }
            // Under the lock that `leave` takes: it may have run before and found no waiter.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = waiter
            return nil
        }
        if let outcome { waiter.resume(with: outcome) }
    }

    private func leave(_ id: Int) {
        let waiter = self.state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.resume(throwing: CancellationError())
    }
}
