import MovieDomain
import PosterAPI

/// A film's scores with their freshness lifetime.
struct StoredScores: Sendable {
    /// Lifetime of the absence of scores, in seconds.
    private static let missingSeconds: Int64 = 3600
    /// The pause after a failure, in seconds; longer if the source asks for it.
    private static let retrySeconds: Int64 = 60
    private static let longestRetrySeconds: Int64 = 3600

    let scores: BadgeScores
    let freshUntil: Instant

    /// - Parameters:
    ///   - found: `nil` if the film is unknown.
    ///   - isStale: Whether a source's response is being renewed.
    ///   - previous: Replaces failed sources' scores; `nil` without any.
    init(_ found: FilmScores?, isStale: Bool, previous: StoredScores?, at now: Instant) {
        var values = found.map(BadgeSource.scores) ?? [:]
        let failures = found?.missing ?? []
        if !failures.isEmpty, let previous { values.merge(previous.scores.values) { new, _ in new } }
        let isCurrent = failures.isEmpty && !isStale
        let lifetime = values.isEmpty ? nil : found?.lifetime(at: now)
        let seconds = isCurrent ? lifetime ?? Self.missingSeconds : Self.pause(after: failures)
        self.scores = BadgeScores(values, isCurrent: isCurrent, lifetime: isCurrent ? lifetime : nil)
        self.freshUntil = Instant(secondsSince1970: now.secondsSince1970 + seconds)
    }

    /// The previous scores after a failure of the film's source.
    init(_ failure: SourceFailure, previous: StoredScores?, at now: Instant) {
        self.scores = BadgeScores(previous?.scores.values ?? [:], isCurrent: false)
        self.freshUntil = Instant(secondsSince1970: now.secondsSince1970 + Self.pause(after: [failure]))
    }

    private static func pause(after failures: [SourceFailure]) -> Int64 {
        let asked = failures.map { failure -> Int64 in
            switch failure {
            case .busy(_, let seconds): Int64(seconds)
            // Only the operator can change these.
            case .off, .keyRefused: Self.longestRetrySeconds
            case .tooSlow, .unavailable, .badAnswer: 0
            }
        }
        return min(max(Self.retrySeconds, asked.min() ?? 0), Self.longestRetrySeconds)
    }
}
