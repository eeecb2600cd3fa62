/// Links two ids of one film.
package struct FilmLink: Hashable, Sendable {
    /// The film's id at KOBIS or KMDb.
    package let film: MovieID
    /// Its id at the source that has more about it.
    package let counterpart: MovieID
    /// The reason of the match, as a clause for display: `same title, 2022 in both`.
    package let reason: String
    package let linkedAt: Instant

    package init(film: MovieID, counterpart: MovieID, reason: String, linkedAt: Instant) {
        self.film = film
        self.counterpart = counterpart
        self.reason = reason
        self.linkedAt = linkedAt
    }
}

/// Stores links between ids of films. A film has one counterpart; a counterpart may have several films, one per source.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol FilmLinkRepository: Sendable {
    /// All links that contain any of the ids on either side, and the links of other films to the same counterparts.
    /// - Returns: The links without duplicates, in no particular order.
    func links(of ids: [MovieID]) async throws -> [FilmLink]

    /// Stores a link; replaces the film's previous one. Idempotent.
    func keep(_ link: FilmLink) async throws
}

extension FilmLinkRepository {
    /// The link of a film to its counterpart; `nil` if there is none.
    package func link(of film: MovieID) async throws -> FilmLink? {
        try await self.links(of: [film]).first { $0.film == film }
    }
}
