import HTTPSemantics
package import PosterPipeline

/// Completes parsed requests with facts about films: the posters of IMDb titles, and the scores on badges.
package struct PictureResolver: Sendable {
    private let ids: (any PosterIDResolver)?
    private let scores: (any BadgeScoreSource)?

    /// `nil` for a server without films.
    package init(ids: (any PosterIDResolver)? = nil, scores: (any BadgeScoreSource)? = nil) {
        self.ids = ids
        self.scores = scores
    }

    /// Facts about the film of a request.
    struct Facts: Equatable, Sendable {
        /// The poster's own id.
        let id: PosterID
        let scores: BadgeScores
    }

    /// Changes with new scores, and at least once a second. ``facts(for:)`` of an unchanged version need not be read
    /// again. 0 for a server without films.
    var version: UInt64 { self.scores?.version ?? 0 }

    /// The facts in memory, for requests with ``PictureRequest/needsFilm``; `nil` if one is missing.
    func facts(for picture: PictureRequest) -> Facts? {
        var id = picture.request.id
        if id.isOfIMDb {
            guard let own = self.ids?.knownID(for: id) else { return nil }
            id = own
        }
        guard let sources = Self.sources(picture) else { return Facts(id: id, scores: .unneeded) }
        return self.scores?.knownScores(of: id, from: sources).map { Facts(id: id, scores: $0) }
    }

    /// The request completed by ``facts(for:)``.
    func known(_ picture: PictureRequest) -> PictureRequest? { self.facts(for: picture).map(picture.completed) }

    /// As ``known(_:)``, after requests to sources if necessary; the wait for scores is bounded.
    ///
    /// - Throws: ``Problem`` if the picture cannot have badges, ``PosterPipeline/PosterError`` for a title without a
    ///   film, `CancellationError`.
    func resolved(_ picture: PictureRequest) async throws -> PictureRequest {
        let id = try await self.ownID(picture.request.id)
        guard let sources = Self.sources(picture) else {
            return picture.completed(by: Facts(id: id, scores: .unneeded))
        }
        let scores = try await self.scores(of: id).scores(of: id, from: sources)
        return picture.completed(by: Facts(id: id, scores: scores))
    }

    /// The poster's own id; `id` itself unless it is an IMDb title's.
    ///
    /// - Throws: ``PosterPipeline/PosterError``, ``Problem``, `CancellationError`.
    func ownID(_ id: PosterID) async throws -> PosterID {
        guard id.isOfIMDb else { return id }
        guard let ids else { throw Problem(.unknownPoster, "this server has no films") }
        return try await ids.ownID(for: id)
    }

    /// - Returns: `nil` if no scores are drawn.
    private static func sources(_ picture: PictureRequest) -> [BadgeSource]? {
        picture.badges.flatMap { $0.sources.isEmpty ? nil : $0.sources }
    }

    private func scores(of id: PosterID) throws(Problem) -> any BadgeScoreSource {
        guard let scores, scores.isOfFilm(id) else {
            throw Problem(
                .invalidParameter, "badges requires a film's poster: other pictures have no scores",
                parameter: Problem.Parameter("badges"))
        }
        return scores
    }
}

/// Maps ids of IMDb titles to ids of the films' posters, so that a poster has one original and one set of variants.
package protocol PosterIDResolver: Sendable {
    /// The poster's own id, if it is in memory; for ids with ``PosterID/isOfIMDb`` only.
    func knownID(for id: PosterID) -> PosterID?

    /// The poster's own id, after a request to a source if necessary.
    ///
    /// - Throws: ``PosterPipeline/PosterError``, `CancellationError`.
    func ownID(for id: PosterID) async throws -> PosterID
}

extension PosterID {
    /// Whether the id names a film by its IMDb title, as in `imdb:tt0111161`.
    package var isOfIMDb: Bool { self.source == Self.imdbSource }
}
