/// Remembers which posters films were found to have.
///
/// It is a memory only: what cannot be kept is decided again.
public protocol PosterDecisionRepository: Sendable {
    /// nil when nothing was decided, or too long ago for `now`.
    func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision?

    /// - Parameter expiresAt: When it does not hold any more.
    func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws

    /// Of no effect when there is none.
    func forget(_ id: MovieID) async throws
}
