import HTTPFetch

/// Why a store did not do what it was asked for. Descriptions hold no keys.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has failed in a row, and nothing is sent to it for a while.
    case suspended
    /// It could not be reached, took too long, or answered with a status from 500 on, or 429.
    case unavailable(String)
    /// It refused, most likely because of the configuration; the code is S3's.
    case refused(status: Int, code: String)
    /// It sent something that cannot be understood.
    case unintelligible(String)
    /// Nothing is wrong with it: a limit of this process is reached.
    case busy
    /// The receiver did not want the bytes.
    case unwanted

    package var description: String {
        switch self {
        case .suspended: "the store has failed repeatedly and is left alone for a while"
        case .unavailable(let reason): "the store is not available: \(reason)"
        case .refused(let status, let code):
            "the store refused with status \(status)\(code.isEmpty ? "" : " (\(code))")"
        case .unintelligible(let reason): "the store's answer cannot be read: \(reason)"
        case .busy: "too much is under way"
        case .unwanted: "the bytes could not be taken"
        }
    }

    /// What the circuit breaker, which suspends reads, too, counts it as: keys may read that must not write or delete.
    func outcome(of operation: StoreOperation) -> CircuitBreaker.Outcome {
        switch self {
        case .unavailable, .unintelligible: .failure
        case .refused: operation.isChange ? .ignored : .failure
        case .suspended, .busy, .unwanted: .ignored
        }
    }

    /// In metrics.
    var label: String {
        switch self {
        case .suspended: "suspended"
        case .unavailable: "unavailable"
        case .refused: "refused"
        case .unintelligible: "unintelligible"
        case .busy: "busy"
        case .unwanted: "unwanted"
        }
    }

    init(_ error: FetchError) {
        switch error {
        case .sinkFailed: self = .unwanted
        case .overloaded, .outOfDescriptors, .shutDown: self = .busy
        case .tooLarge(let limit): self = .unintelligible("it has more than \(limit) bytes")
        case .tooManyRedirects, .badRedirect: self = .refused(status: 307, code: "redirects are not followed")
        case .timedOut, .tooSlow: self = .unavailable("it took too long")
        case .connectFailed(let words), .tls(let words), .certificate(let words), .failed(_, let words):
            self = .unavailable(words)
        case .addressRefused(let address): self = .unavailable("its address \(address) is not allowed")
        case .resolutionFailed: self = .unavailable("its name has no address")
        case .truncated: self = .unavailable("its answer ended early")
        case .badCoding(let words): self = .unintelligible(words)
        case .originPaused, .circuitOpen: self = .unavailable("it asked for a pause")
        case .invalidURL, .forbiddenScheme, .invalidHeader, .headTooLarge: self = .unintelligible("\(error)")
        }
    }
}
