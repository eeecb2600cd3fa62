import Synchronization

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
    ///
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
