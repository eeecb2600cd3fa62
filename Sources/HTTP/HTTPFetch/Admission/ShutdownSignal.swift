import Synchronization

/// Tells everyone who waits for it, once, that the fetcher is over.
///
/// Under the lock: who waits; no more than there are fetches.
final class ShutdownSignal: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var isGiven = false
        var lastID: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]
    }

    private let state = Mutex(State())

    var isGiven: Bool { self.state.withLock { $0.isGiven } }

    func give() {
        let waiters = self.state.withLock { state in
            state.isGiven = true
            return state.waiters.take()
        }
        for waiter in waiters.values { waiter.resume() }
    }

    /// Returns once it is given.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        let id = self.state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { self.join(id, $0) }
        } onCancel: {
            self.state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(throwing: CancellationError())
        }
    }

    private func join(_ id: UInt64, _ waiter: Waiter) {
        let outcome = self.state.withLock { state -> Result<Void, any Error>? in
            if state.isGiven { return .success(()) }
            // Under the lock that the cancellation takes: it may have run before us and found nobody.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = waiter
            return nil
        }
        if let outcome { waiter.resume(with: outcome) }
    }
}

extension Dictionary {
    fileprivate mutating func take() -> Self {
        defer { self = [:] }
        return self
    }
}
