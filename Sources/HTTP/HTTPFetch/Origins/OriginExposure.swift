import Synchronization

/// What one fetch has had of its origin, so that the end of the whole time is laid at the right door.
///
/// Waiting for a slot, a turn, a name or a connection is our own queueing. The origin has failed only if a hop was in
/// libcurl's hands for ``FetchConfiguration/minExposure``, or if an earlier attempt had failed through it.
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

    /// A hop goes to libcurl now.
    ///
    /// - Returns: Why it may not after all: the origin has asked to be left alone while the hop waited.
    func begin(_ url: FetchURL) -> FetchError? {
        if url.origin == self.origin.key, let refusal = self.origin.pauseRefusal { return refusal }
        let now = self.now()
        self.state.withLock { $0.begunAt = now }
        return nil
    }

    /// It is back; of no effect for one that did not begin.
    func end() {
        let now = self.now()
        self.state.withLock { state in
            guard let begunAt = state.begunAt.take() else { return }
            state.longest = max(state.longest, now.subtractedClamped(begunAt))
        }
    }

    /// An attempt has failed through the origin.
    func noteFailure() {
        self.state.withLock { $0.hasFailed = true }
    }

    /// What the fetch's end tells about the origin.
    func outcome(of error: any Error) -> CircuitBreaker.Outcome {
        switch error {
        case let failure as HopFailure: failure.outcome
        case FetchError.timedOut(.total):
            self.state.withLock { $0.hasFailed || $0.longest >= self.minExposure } ? .failure : .none
        case let error as FetchError: error.outcome
        default: .none
        }
    }
}
