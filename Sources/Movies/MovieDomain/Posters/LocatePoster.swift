/// Returns the locations of the pictures of a film or an app.
package struct LocatePoster: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        case noPoster(MovieID)
        case noPicture(MovieID, number: Int)
    }

    private let decider: any PosterDecider
    private let own: [MovieSource: [any SourcePictureRepository]]

    /// - Parameter own: The repositories of `decider`.
    package init(decider: any PosterDecider, own: [any SourcePictureRepository]) {
        self.decider = decider
        self.own = Dictionary(grouping: own, by: \.source)
    }

    /// The poster of a film, or the icon of an app.
    ///
    /// - Parameter choice: The preferred poster; the decider's decision applies if it is `nil` or there is no such
    ///   poster.
    /// - Throws: ``Failure``, ``DecidePoster/Failure``, ``SourceFailure`` (also when no source had a poster and one of them
    ///   failed), `CancellationError`.
    package func callAsFunction(_ id: MovieID, as choice: PosterChoice? = nil) async throws -> PictureLocation {
        if let choice, let repositories = self.own[id.source],
            let poster = try await repositories.first({ try await $0.poster(of: id, as: choice) })
        {
            return poster.location
        }
        let decision = try await self.decider.decision(for: id)
        if let poster = decision.poster { return poster.location }
        if let failure = decision.failure { throw failure }
        throw Failure.noPoster(id)
    }

    /// The replacement of a poster that was removed from its origin; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - choice: As in ``callAsFunction(_:as:)``.
    ///   - isGone: Whether a picture is the removed one.
    /// - Throws: The errors of ``callAsFunction(_:as:)``.
    package func replacement(
        for id: MovieID, as choice: PosterChoice? = nil, isGone: @escaping @Sendable (PictureLocation) -> Bool
    ) async throws -> PictureLocation? {
        if let choice, let repositories = self.own[id.source],
            let poster = try await repositories.first({ try await $0.refreshedPoster(of: id, as: choice) }),
            !isGone(poster.location)
        {
            return poster.location
        }
        return try await self.decider.replacement(for: id, isGone: isGone)?.location
    }

    /// A picture of the gallery, such as a still or a screenshot.
    ///
    /// - Parameter number: From 1.
    /// - Throws: ``Failure``, ``DecidePoster/Failure``, ``SourceFailure``, `CancellationError`.
    package func picture(_ number: Int, of id: MovieID) async throws -> PictureLocation {
        guard let repositories = self.own[id.source] else {
            // Throws the failure with the source's option.
            _ = try await self.decider.decision(for: id)
            throw Failure.noPicture(id, number: number)
        }
        guard let gallery = try await repositories.first({ try await $0.gallery(of: id) }) else {
            throw DecidePoster.Failure.unknownFilm(id)
        }
        guard gallery.indices.contains(number - 1) else { throw Failure.noPicture(id, number: number) }
        return gallery[number - 1].location
    }
}
