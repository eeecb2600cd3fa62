/// Why a source gave no answer. That it knows no such film is an answer.
///
/// Reasons are sentences' ends for logs and for whoever runs the service; they hold no key.
public enum SourceFailure: Error, Hashable, Sendable {
    /// It is not configured: this option of the service would do that.
    case off(MovieSource, option: String)
    /// It does not accept our key.
    case keyRefused(MovieSource)
    /// It, or our budget for it, has no room before so many seconds have passed.
    case busy(MovieSource, retryAfterSeconds: Int)
    case tooSlow(MovieSource)
    /// It cannot be reached, or fails.
    case unavailable(MovieSource, reason: String)
    /// What it said makes no sense.
    case badAnswer(MovieSource, reason: String)

    /// Who failed.
    public var source: MovieSource {
        switch self {
        case .off(let source, _), .keyRefused(let source), .busy(let source, _), .tooSlow(let source),
            .unavailable(let source, _), .badAnswer(let source, _):
            source
        }
    }
}
