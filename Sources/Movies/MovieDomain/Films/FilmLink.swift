/// Two ids of one film.
package struct FilmLink: Hashable, Sendable {
    /// The film's id at KOBIS or KMDb.
    package let film: MovieID
    /// Its id at the source that has more about it.
    package let counterpart: MovieID
    /// Why they are the same, as a clause for display: `same title, 2022 in both`.
    package let reason: String
    package let linkedAt: Instant

    package init(film: MovieID, counterpart: MovieID, reason: String, linkedAt: Instant) {
        self.film = film
        self.counterpart = counterpart
        self.reason = reason
        self.linkedAt = linkedAt
    }
}

/// Stores which ids are of one film. A film has one counterpart; a counterpart may have several films, one per source.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol FilmLinkRepository: Sendable {
    /// All links that the ids are part of, on either side, with those of the other films that have the same counterpart.
    /// - Returns: Each once, in no particular order.
    func links(of ids: [MovieID]) async throws -> [FilmLink]

    /// Stores a link in place of the film's previous one. Idempotent.
    func keep(_ link: FilmLink) async throws
}

extension FilmLinkRepository {
    /// The link of a film to its counterpart; nil for none.
    package func link(of film: MovieID) async throws -> FilmLink? {
        try await self.links(of: [film]).first { $0.film == film }
    }
}
