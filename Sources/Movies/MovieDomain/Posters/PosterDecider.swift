/// Decides which poster a film has.
public protocol PosterDecider: Sendable {
    /// What was decided, now or lately.
    ///
    /// - Throws: ``DecidePoster/Failure``, ``SourceFailure``, `CancellationError`.
    func decision(for id: MovieID) async throws -> PosterDecision

    /// Decides again because a picture is not there any more.
    ///
    /// - Parameter isGone: Whether a picture is the one that is not there.
    /// - Returns: nil when nobody else can be asked, or has one.
    /// - Throws: As ``decision(for:)``.
    func replacement(for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool) async throws
        -> PosterReference?
}
