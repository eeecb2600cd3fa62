/// Decides on a film's poster.
package protocol PosterDecider: Sendable {
    /// - Throws: ``DecidePoster/Failure``, ``SourceFailure``, `CancellationError`.
    func decision(for id: MovieID) async throws -> PosterDecision

    /// Decides again after a picture was removed from its origin.
    ///
    /// - Parameter isGone: Whether a picture is the removed one.
    /// - Returns: `nil` if no source has another.
    /// - Throws: The errors of ``decision(for:)``.
    func replacement(for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool) async throws
        -> PosterReference?
}

/// Decides by the film's own source only.
package struct SourcePosterDecider: PosterDecider {
    private let sources: MovieRepositories
    private let now: @Sendable () -> Instant

    package init(_ sources: MovieRepositories, now: @escaping @Sendable () -> Instant) {
        self.sources = sources
        self.now = now
    }

    package func decision(for id: MovieID) async throws -> PosterDecision {
        let pictures = MoviePictureRepository(try self.sources.repository(of: id.source))
        switch try await pictures.sourcePoster(of: id) {
        case .known(let poster): return PosterDecision(poster, of: id, at: self.now())
        case .none: return PosterDecision(poster: nil, source: nil, decidedAt: self.now())
        case .unknown: throw DecidePoster.Failure.unknownFilm(id)
        }
    }

    /// Returns `nil`: no other source is queried.
    package func replacement(
        for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool
    ) async throws -> PosterReference? { nil }
}

extension PosterDecision {
    /// The decision for the source's own poster.
    init(_ own: PosterReference, of id: MovieID, at now: Instant) {
        let candidate = PosterCandidate(
            source: id.source, location: own.location, title: "", year: nil, size: own.size)
        self.init(
            poster: own, source: id.source, candidates: [PosterDecision.Evaluation(candidate, .chosen)], decidedAt: now)
    }
}
