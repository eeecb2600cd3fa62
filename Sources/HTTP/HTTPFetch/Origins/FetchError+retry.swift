extension FetchError {
    /// Whether trying again soon may help.
    var isTransient: Bool {
        switch self {
        case .connectFailed, .truncated, .tls: true
        default: false
        }
    }

    /// Whether nothing was sent because it was not the time for it: what an earlier attempt was told is worth more.
    var isRefusal: Bool {
        switch self {
        case .overloaded, .originPaused, .circuitOpen: true
        default: false
        }
    }

    /// What it tells about the origin, unless more is known; see ``HopFailure`` and ``OriginExposure``.
    var outcome: CircuitBreaker.Outcome {
        switch self {
        case .connectFailed, .tls, .certificate, .timedOut(.connect), .tooSlow, .truncated, .failed: .failure
        // It answers, though not as it should.
        case .tooLarge, .headTooLarge, .tooManyRedirects, .badRedirect: .success
        // The whole time may have gone by in our own queues.
        case .timedOut(.total): .none
        case .invalidURL, .forbiddenScheme, .invalidHeader, .addressRefused, .resolutionFailed: .none
        case .sinkFailed, .overloaded, .originPaused, .circuitOpen, .outOfDescriptors, .shutDown: .none
        }
    }
}
