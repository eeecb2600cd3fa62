import Flights
import HTTPFetch

/// Why a request to a store failed. Descriptions contain no keys.
package enum StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The circuit breaker is open after consecutive failures; no request was sent.
    case suspended
    /// The store could not be reached, took too long, or responded with a status of at least 500, or 429.
    case unavailable(String)
    /// The store rejected the request, most likely because of the configuration; the code is S3's.
    case refused(status: Int, code: String)
    /// The response is malformed or too large.
    case unintelligible(String)
    /// A limit of this process is reached; the store is not at fault.
    case busy
    /// The sink rejected the bytes.
    case unwanted

    package var description: String {
        switch self {
        case .suspended: "the store has failed repeatedly; requests to it are suspended"
        case .unavailable(let reason): "the store is not available: \(reason)"
        case .refused(let status, let code):
            "the store refused with status \(status)\(code.isEmpty ? "" : " (\(code))")"
        case .unintelligible(let reason): "the store's response is invalid: \(reason)"
        case .busy: "too many requests are in progress"
        case .unwanted: "the response's bytes were rejected"
        }
    }

    /// The outcome for the circuit breaker. A rejected change is ignored, because the breaker suspends reads too, and
    /// keys may permit reading only.
    func outcome(of operation: StoreOperation) -> CircuitBreaker.Outcome {
        switch self {
        case .unavailable, .unintelligible: .failure
        case .refused: operation.isChange ? .ignored : .failure
        case .suspended, .busy, .unwanted: .ignored
        }
    }

    /// The value of the dimension `outcome` in metrics.
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
        case .timedOut, .tooSlow: self = .unavailable("the request timed out")
        case .connectFailed(let words), .tls(let words), .certificate(let words), .failed(_, let words):
            self = .unavailable(words)
        case .addressRefused(let address): self = .unavailable("its address \(address) is not allowed")
        case .resolutionFailed: self = .unavailable("its name has no address")
        case .truncated: self = .unavailable("its response ended early")
        case .badCoding(let words): self = .unintelligible(words)
        case .originPaused, .circuitOpen: self = .unavailable("requests to it are paused")
        case .invalidURL, .forbiddenScheme, .invalidHeader, .headTooLarge: self = .unintelligible("\(error)")
        }
    }
}
