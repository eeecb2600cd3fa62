extension FetchError {
    /// Whether trying again soon may help.
    var isPassing: Bool {
        switch self {
        case .connectFailed, .truncated, .tls: true
        default: false
        }
    }

    /// What it tells about the origin.
    var verdict: CircuitBreaker.Verdict {
        switch self {
        case .connectFailed, .tls, .certificate, .timedOut, .tooSlow, .truncated, .failed: .failure
        // It answers, though not as it should.
        case .tooLarge, .headTooLarge, .tooManyRedirects, .badRedirect: .success
        case .invalidURL, .forbiddenScheme, .invalidHeader, .addressRefused, .resolutionFailed: .none
        case .sinkFailed, .overloaded, .originPaused, .circuitOpen, .outOfDescriptors, .shutDown: .none
        }
    }
}
