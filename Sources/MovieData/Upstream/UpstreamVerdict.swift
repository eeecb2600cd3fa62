public import MovieDomain

/// What an answer of an upstream really is, whatever its status.
public enum UpstreamVerdict: Sendable {
    /// As its status says: a 200 is an answer, a 404 says that there is none, the others are failures.
    case asItsStatusSays
    /// An answer that may be wrong, such as an empty one that is sent in place of a refusal: it is told, but not kept.
    case doubtful
    /// There is no such thing. Kept for ``UpstreamLifetimes/missing``.
    case missing
    /// Never kept.
    case failure(SourceFailure)
}
