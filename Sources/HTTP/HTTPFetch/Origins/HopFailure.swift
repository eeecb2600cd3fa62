/// Why a hop got no response, and what follows from that.
///
/// The same ``FetchError`` may be the origin's failure or a local one: a timeout of name resolution is the resolver's.
struct HopFailure: Error, Hashable {
    /// What ``Fetcher/fetch(_:into:)`` throws.
    let error: FetchError
    /// Whether a retry may help.
    let isTransient: Bool
    /// What the circuit breaker counts it as.
    let outcome: CircuitBreaker.Outcome

    /// With the error's usual consequences.
    init(_ error: FetchError) {
        self.init(error, isTransient: error.isTransient, outcome: error.outcome)
    }

    private init(_ error: FetchError, isTransient: Bool, outcome: CircuitBreaker.Outcome) {
        self.error = error
        self.isTransient = isTransient
        self.outcome = outcome
    }

    /// A failure that the origin did not cause, whatever the error means elsewhere.
    static func local(_ error: FetchError, isTransient: Bool = false) -> HopFailure {
        HopFailure(error, isTransient: isTransient, outcome: .ignored)
    }
}

extension FetchError {
    /// Whether a retry may help.
    var isTransient: Bool {
        switch self {
        case .connectFailed, .truncated, .tls: true
        default: false
        }
    }

    /// Whether nothing was sent because of a limit, a pause or an open circuit. After an earlier attempt, that attempt's
    /// result is worth more.
    var isRefusal: Bool {
        switch self {
        case .overloaded, .originPaused, .circuitOpen: true
        default: false
        }
    }

    /// What the circuit breaker counts it as, unless more is known; see ``HopFailure`` and ``OriginExposure``.
    var outcome: CircuitBreaker.Outcome {
        switch self {
        case .connectFailed, .tls, .certificate, .timedOut(.connect), .tooSlow, .truncated, .failed: .failure
        // The origin responds, though not as it should.
        case .tooLarge, .headTooLarge, .tooManyRedirects, .badRedirect: .success
        // May have passed in this process's own queues.
        case .timedOut(.total): .ignored
        case .invalidURL, .forbiddenScheme, .invalidHeader, .addressRefused, .resolutionFailed: .ignored
        case .sinkFailed, .overloaded, .originPaused, .circuitOpen, .outOfDescriptors, .shutDown: .ignored
        }
    }
}
