import Synchronization

/// What could not be done lately, so that it is not tried again at once for the next request. Safe from any thread.
final class FailureMemory<Key: Hashable & Sendable>: Sendable {
    private struct Failure {
        let error: PosterError
        /// When to try again, in nanoseconds of the clock.
        let end: UInt64
    }

    private let limit: Int
    private let nanoseconds: UInt64
    private let now: @Sendable () -> UInt64
    private let state = Mutex(LRUState<Key, Failure>())

    /// - Parameters:
    ///   - limit: The most failures remembered.
    ///   - duration: For how long; zero remembers nothing.
    ///   - now: A monotonic time in nanoseconds.
    init(limit: Int, duration: Duration, now: @escaping @Sendable () -> UInt64) {
        self.limit = limit
        self.nanoseconds = UInt64(max(0, duration / .nanoseconds(1)))
        self.now = now
    }

    /// The failure of `key`, unless it is too long ago.
    func failure(of key: Key) -> PosterError? {
        self.state.withLock { state in
            guard state.count > 0, let failure = state.touch(key) else { return nil }
            if self.now() < failure.end { return failure.error }
            _ = state.remove(key)
            return nil
        }
    }

    func remember(_ error: PosterError, of key: Key) {
        guard self.nanoseconds > 0 else { return }
        let failure = Failure(error: error, end: self.now() + self.nanoseconds)
        let dropped = self.state.withLock { $0.insert(failure, for: key, cost: 1, limit: self.limit) }
        withExtendedLifetime(dropped) {}
    }

    func forget(_ key: Key) {
        let dropped = self.state.withLock { $0.remove(key) }
        withExtendedLifetime(dropped) {}
    }
}
