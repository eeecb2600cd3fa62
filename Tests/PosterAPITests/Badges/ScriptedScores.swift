import PosterAPI
import PosterPipeline
import Synchronization

/// The scores of the film `sample:film`, set by a test.
final class ScriptedScores: BadgeScoreSource {
    private let scores: Mutex<(known: BadgeScores?, late: BadgeScores)>
    private let changes = Atomic<UInt64>(0)
    private let readings = Atomic<Int>(0)

    /// - Parameters:
    ///   - known: The scores in memory.
    ///   - late: The scores after a wait.
    init(known: BadgeScores? = nil, late: BadgeScores = BadgeScores([:], isCurrent: true)) {
        self.scores = Mutex((known, late))
    }

    func set(known: BadgeScores?) {
        self.scores.withLock { $0.known = known }
        self.renew()
    }

    /// Changes the version only.
    func renew() { self.changes.add(1, ordering: .relaxed) }

    var version: UInt64 { self.changes.load(ordering: .relaxed) }

    /// The number of readings of known scores.
    var readingCount: Int { self.readings.load(ordering: .relaxed) }

    func isOfFilm(_ id: PosterID) -> Bool { id.source == "sample" }

    func knownScores(of id: PosterID, from sources: [BadgeSource]) -> BadgeScores? {
        self.readings.add(1, ordering: .relaxed)
        return self.scores.withLock { $0.known }
    }

    func scores(of id: PosterID, from sources: [BadgeSource]) async throws -> BadgeScores {
        self.scores.withLock { $0.late }
    }
}
