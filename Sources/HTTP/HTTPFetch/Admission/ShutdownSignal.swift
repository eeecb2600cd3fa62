import Synchronization

/// A one-shot signal to all fetches that the fetcher is shut down.
///
/// Under the lock: the waiters, at most one for each fetch.
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

    /// Returns once the signal is given.
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
            // Read under the lock that the cancellation handler takes: it may have run before.
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
