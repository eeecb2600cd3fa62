/// Finds out where the pictures of a film or an app are.
public struct LocatePoster: Sendable {
    /// Why there is no picture.
    public enum Failure: Error, Hashable, Sendable {
        /// Nobody has a poster of it.
        case noPoster(MovieID)
        /// There are not so many pictures beside its poster.
        case noPicture(MovieID, number: Int)
    }

    private let decider: any PosterDecider
    private let own: [MovieSource: [any SourcePictureRepository]]

    /// - Parameter own: Those that the decider has.
    public init(decider: any PosterDecider, own: [any SourcePictureRepository]) {
        self.decider = decider
        self.own = Dictionary(grouping: own, by: \.source)
    }

    /// The poster of a film, or the icon of an app.
    ///
    /// - Throws: ``Failure``, ``DecidePoster/Failure``; ``SourceFailure``, also when nobody had one of those who could be
    ///   asked; `CancellationError`.
    public func callAsFunction(_ id: MovieID) async throws -> PictureLocation {
        let decision = try await self.decider.decision(for: id)
        if let poster = decision.poster { return poster.location }
        if let failure = decision.failure { throw failure }
        throw Failure.noPoster(id)
    }

    /// The poster in place of one that is not there any more; nil when there is none.
    ///
    /// - Parameter isGone: Whether a picture is the one that is not there.
    /// - Throws: As ``callAsFunction(_:)``.
    public func replacement(
        for id: MovieID, isGone: @escaping @Sendable (PictureLocation) -> Bool
    ) async throws -> PictureLocation? {
        try await self.decider.replacement(for: id, isGone: isGone)?.location
    }

    /// A picture beside the poster: a still, a screenshot.
    ///
    /// - Parameter number: From 1.
    /// - Throws: ``Failure``, ``DecidePoster/Failure``, ``SourceFailure``, `CancellationError`.
    public func picture(_ number: Int, of id: MovieID) async throws -> PictureLocation {
        guard let repositories = self.own[id.source] else {
            // Says how to switch it on.
            _ = try await self.decider.decision(for: id)
            throw Failure.noPicture(id, number: number)
        }
        for repository in repositories {
            guard let gallery = try await repository.gallery(of: id) else { continue }
            guard gallery.indices.contains(number - 1) else { throw Failure.noPicture(id, number: number) }
            return gallery[number - 1].location
        }
        throw DecidePoster.Failure.unknownFilm(id)
    }
}
