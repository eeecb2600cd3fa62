import Flights
import Synchronization

/// Measures how long the hops of one fetch ran at its origin, which decides whether a total timeout counts as the
/// origin's failure.
///
/// Waiting for a slot, a rate limit, a name or a connection is this process's own queueing. The origin has failed only
/// if a transfer ran for ``FetchConfiguration/minTransferTime``, or if an earlier attempt had failed because of it.
///
/// Written by the fetch thread, read by the fetch; everything is O(1).
final class OriginTransferTime: Sendable {
    private struct State {
        var begunAt: UInt64?
        var longest: UInt64 = 0
        var hasFailed = false
    }

    private let origin: Origin
    private let state = Mutex(State())

    init(_ origin: Origin) {
        self.origin = origin
    }

    /// - Returns: Why the transfer must not start: the origin sent a `Retry-After` while the hop waited.
    func recordStart(of url: FetchURL) -> FetchError? {
        if url.origin == self.origin.key, let refusal = self.origin.pauseRefusal { return refusal }
        let now = self.origin.now()
        self.state.withLock { $0.begunAt = now }
        return nil
    }

    /// Records that the transfer has ended; has no effect if it did not start.
    func recordEnd() {
        let now = self.origin.now()
        let duration = self.state.withLock { state -> UInt64? in
            guard let begunAt = state.begunAt.take() else { return nil }
            let duration = now.subtractingClamped(begunAt)
            state.longest = max(state.longest, duration)
            return duration
        }
        if let duration { self.origin.recordTransfer(duration) }
    }

    /// Records that an attempt has failed because of the origin.
    func recordFailure() {
        self.state.withLock { $0.hasFailed = true }
    }

    func outcome(of error: any Error) -> CircuitBreaker.Outcome {
        switch error {
        case let failure as HopFailure: failure.outcome
        case FetchError.timedOut(.total):
            self.state.withLock { $0.hasFailed || $0.longest >= self.origin.minTransferTime } ? .failure : .ignored
        case let error as FetchError: error.outcome
        default: .ignored
        }
    }
}

/// The error of a hop without a response, and its consequences for retries and the circuit breaker.
///
/// The same ``FetchError`` may be the origin's failure or a local one: a timeout of name resolution is the resolver's.
struct HopFailure: Error, Hashable {
    /// The error that ``Fetcher/fetch(_:into:)`` throws.
    let error: FetchError
    /// Whether a retry may help.
    let isTransient: Bool
    let outcome: CircuitBreaker.Outcome
}

extension HopFailure {
    /// Creates a failure with the error's usual consequences.
    init(_ error: FetchError) {
        self.init(error: error, isTransient: error.isTransient, outcome: error.outcome)
    }

    /// A failure that the origin did not cause, whatever the error means elsewhere.
    static func local(_ error: FetchError, isTransient: Bool = false) -> HopFailure {
        HopFailure(error: error, isTransient: isTransient, outcome: .ignored)
    }
}

extension FetchError {
    var isTransient: Bool {
        switch self {
        case .connectFailed, .truncated, .tls: true
        default: false
        }
    }

    /// Whether nothing was sent because of a limit, a pause or an open circuit. After an earlier attempt, that attempt's
    /// result is more useful.
    var isRefusal: Bool {
        switch self {
        case .overloaded, .originPaused, .circuitOpen: true
        default: false
        }
    }

    /// The outcome for the circuit breaker; ``HopFailure`` and ``OriginTransferTime`` override it with more context.
    var outcome: CircuitBreaker.Outcome {
        switch self {
        case .connectFailed, .tls, .certificate, .timedOut(.connect), .tooSlow, .truncated, .failed: .failure
        // The origin responds, though incorrectly.
        case .tooLarge, .headTooLarge, .tooManyRedirects, .badRedirect, .badCoding: .success
        // The time may have passed in this process's own queues.
        case .timedOut(.total): .ignored
        case .invalidURL, .forbiddenScheme, .invalidHeader, .addressRefused, .resolutionFailed: .ignored
        case .sinkFailed, .overloaded, .originPaused, .circuitOpen, .outOfDescriptors, .shutDown: .ignored
        }
    }
}
