import HTTPSemantics
import PosterPipeline

/// Puts the scores of films into requests with badges.
struct BadgeResolver: Sendable {
    /// `nil` for a server without films.
    let scores: (any BadgeScoreSource)?

    /// The request with its badges, from scores in memory; for requests with badges only.
    ///
    /// - Returns: `nil` if the scores are not in memory.
    /// - Throws: ``Problem`` if the picture has no scores.
    func known(_ picture: PictureRequest) throws(Problem) -> PictureRequest? {
        guard let sources = picture.badges?.sources, !sources.isEmpty else { return picture.drawing(.unneeded) }
        return try self.source(of: picture).knownScores(of: picture.request.id, from: sources)
            .map(picture.drawing)
    }

    /// As ``known(_:)``, after a bounded wait for scores.
    func resolved(_ picture: PictureRequest) async throws -> PictureRequest {
        guard let sources = picture.badges?.sources, !sources.isEmpty else { return picture.drawing(.unneeded) }
        return picture.drawing(try await self.source(of: picture).scores(of: picture.request.id, from: sources))
    }

    private func source(of picture: PictureRequest) throws(Problem) -> any BadgeScoreSource {
        guard let scores, scores.isOfFilm(picture.request.id) else {
            throw Problem(
                .invalidParameter, "badges requires a film's poster: other pictures have no scores",
                parameter: Problem.Parameter("badges"))
        }
        return scores
    }
}
