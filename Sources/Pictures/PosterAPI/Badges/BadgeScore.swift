package import PosterPipeline

/// A film's score at one site, as precise as it is drawn: equal badges have equal scores.
package struct BadgeScore: Hashable, Sendable {
    /// Steps of the source's ``BadgeSource/stepCount``.
    let steps: Int
    /// 0...100, rounded.
    let percentage: Int

    /// - Parameter fraction: The score as a part of the best one, 0...1.
    /// - Returns: `nil` outside of that range.
    package init?(fraction: Double, at source: BadgeSource) {
        guard (0...1).contains(fraction) else { return nil }
        self.steps = Int((fraction * Double(source.stepCount)).rounded())
        self.percentage = self.steps * 100 / source.stepCount
    }
}

/// The known scores of a film.
package struct BadgeScores: Hashable, Sendable {
    package let values: [BadgeSource: BadgeScore]
    /// Whether all sources have answered recently. Otherwise values are missing or stale, and may change soon.
    package let isCurrent: Bool
    /// How long current scores stay the same, in seconds, by the film's age; `nil` if unknown.
    package let lifetime: Int64?

    package init(_ values: [BadgeSource: BadgeScore], isCurrent: Bool, lifetime: Int64? = nil) {
        self.values = values
        self.isCurrent = isCurrent
        self.lifetime = lifetime
    }

    /// The scores of pictures without badges of scores.
    static let unneeded = BadgeScores([:], isCurrent: true)
}

/// Supplies the scores that are drawn on posters.
package protocol BadgeScoreSource: Sendable {
    /// Whether the picture is a film's: only films have scores.
    func isOfFilm(_ id: PosterID) -> Bool

    /// The version of the scores in memory. Changes with new scores of any film, and at least once a second, because
    /// scores become stale.
    var version: UInt64 { get }

    /// The scores in memory, without waiting; starts to renew stale ones.
    /// - Returns: `nil` if none are in memory.
    func knownScores(of id: PosterID, from sources: [BadgeSource]) -> BadgeScores?

    /// The scores, after a bounded wait for sources that have not answered yet. Sources that fail or are late leave
    /// their scores out, and ``BadgeScores/isCurrent`` is false.
    /// - Throws: `CancellationError`.
    func scores(of id: PosterID, from sources: [BadgeSource]) async throws -> BadgeScores
}
