public import MovieDomain

/// What an answer of an upstream really is, whatever its status.
public enum UpstreamVerdict: Sendable {
    /// As its status says: a 200 is an answer, a 404 says that there is none, the others are failures.
    case asItsStatusSays
    /// An answer that may be wrong, such as an empty one that is sent in place of a refusal: an older one that is kept counts before it, and it
    /// is remembered for ``UpstreamLifetimes/doubtful`` only.
    case doubtful
    /// As its status says, but fresh for no longer than this: an answer that is likely to be another one soon.
    case passing(Duration)
    /// There is no such thing. Kept for ``UpstreamLifetimes/missing``.
    case missing
    /// Never kept.
    case failure(SourceFailure)
}
