import Synchronization

/// How long the hops of one fetch were with its origin, which decides whether a total timeout counts as the origin's failure.
///
/// Waiting for a slot, a rate limit, a name or a connection is this process's own queueing. The origin has failed only if a
/// transfer ran for ``FetchConfiguration/minExposure``, or if an earlier attempt had failed because of it.
///
/// The fetch thread writes, the fetch reads. Under the lock: two times and a flag; everything is O(1).
final class OriginExposure: Sendable {
    private struct State {
        var begunAt: UInt64?
        var longest: UInt64 = 0
        var hasFailed = false
    }

    private let origin: Origin
    private let minExposure: UInt64
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter now: A monotonic time in nanoseconds.
    init(origin: Origin, minExposure: Duration, now: @escaping @Sendable () -> UInt64) {
        self.origin = origin
        self.minExposure = minExposure.nanoseconds
        self.now = now
    }

    /// Records that a transfer starts.
    ///
    /// - Returns: Why it must not: the origin sent a `Retry-After` while the hop waited.
    func recordStart(of url: FetchURL) -> FetchError? {
        if url.origin == self.origin.key, let refusal = self.origin.pauseRefusal { return refusal }
        let now = self.now()
        self.state.withLock { $0.begunAt = now }
        return nil
    }

    /// Records that the transfer has ended; has no effect for one that did not begin.
    func recordEnd() {
        let now = self.now()
        self.state.withLock { state in
            guard let begunAt = state.begunAt.take() else { return }
            state.longest = max(state.longest, now.subtractedClamped(begunAt))
        }
    }

    /// Records that an attempt has failed because of the origin.
    func recordFailure() {
        self.state.withLock { $0.hasFailed = true }
    }

    /// What the circuit breaker counts a fetch as that ended with `error`.
    func outcome(of error: any Error) -> CircuitBreaker.Outcome {
        switch error {
        case let failure as HopFailure: failure.outcome
        case FetchError.timedOut(.total):
            self.state.withLock { $0.hasFailed || $0.longest >= self.minExposure } ? .failure : .ignored
        case let error as FetchError: error.outcome
        default: .ignored
        }
    }
}
