import HTTPSemantics
import HTTPServer
import MovieDomain

extension SourceFailure: ProblemCause {
    /// Nothing of the cause, which is for whoever runs the service; but for what they can do about it.
    var problem: Problem {
        let name = self.source.name
        switch self {
        case .off(_, let option):
            return .sourceOff(name, option: option)
        case .keyRefused:
            return Problem(.sourceUnavailable, "\(name) does not accept this server's key")
        case .busy(_, let seconds):
            return Problem(
                .sourceBusy, "\(name) has no room before \(seconds) seconds have passed", retryAfterSeconds: seconds)
        case .tooSlow: return Problem(.sourceTooSlow, "\(name) took too long to answer")
        case .unavailable: return Problem(.sourceUnavailable, "\(name) cannot be reached, or fails")
        case .badAnswer: return Problem(.sourceUnavailable, "\(name) answered what makes no sense")
        }
    }
}

extension StorageFailure: ProblemCause {
    /// How long a disk that refuses is left alone, in seconds.
    private static let retrySeconds = 10

    var problem: Problem {
        Problem(.storageFailed, "what is kept cannot be read or written", retryAfterSeconds: Self.retrySeconds)
    }
}
