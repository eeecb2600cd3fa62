package import PosterPipeline

/// Supplies the scores that are drawn on posters.
package protocol BadgeScoreSource: Sendable {
    /// Whether the picture is a film's: only films have scores.
    func isOfFilm(_ id: PosterID) -> Bool

    /// The scores in memory, without waiting; starts to renew stale ones.
    /// - Returns: `nil` if none are in memory.
    func knownScores(of id: PosterID, from sources: [BadgeSource]) -> BadgeScores?

    /// The scores, after a bounded wait for sources that have not answered yet. Sources that fail or are late leave
    /// their scores out, and ``BadgeScores/isCurrent`` is false.
    /// - Throws: `CancellationError`.
    func scores(of id: PosterID, from sources: [BadgeSource]) async throws -> BadgeScores
}
