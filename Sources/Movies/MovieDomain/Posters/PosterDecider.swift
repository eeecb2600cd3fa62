/// Decides which poster a film has.
package protocol PosterDecider: Sendable {
    /// - Throws: ``DecidePoster/Failure``, ``SourceFailure``, `CancellationError`.
    func decision(for id: MovieID) async throws -> PosterDecision

    /// Decides again because a picture was removed from its origin.
    ///
    /// - Parameter isGone: Whether a picture is the one that was removed.
    /// - Returns: nil when no source has another.
    /// - Throws: As ``decision(for:)``.
    func replacement(for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool) async throws
        -> PosterReference?
}

/// Decides by the film's own source alone.
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

    /// nil: no other source is queried.
    package func replacement(
        for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool
    ) async throws -> PosterReference? { nil }
}

extension PosterDecision {
    /// The decision for the own source's poster.
    init(_ own: PosterReference, of id: MovieID, at now: Instant) {
        let candidate = PosterCandidate(
            source: id.source, location: own.location, title: "", year: nil, size: own.size)
        self.init(
            poster: own, source: id.source, candidates: [PosterDecision.Evaluation(candidate, .chosen)], decidedAt: now)
    }
}
