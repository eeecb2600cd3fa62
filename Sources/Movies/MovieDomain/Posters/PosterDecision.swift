/// The decision which poster a film has, or that it has none.
package struct PosterDecision: Hashable, Sendable {
    /// The verdict on a candidate.
    package enum Verdict: Hashable, Sendable {
        case chosen
        /// Another candidate was chosen before.
        case notNeeded
        case rejected(reason: String)
    }

    /// A candidate and the verdict on it.
    package struct Evaluation: Hashable, Sendable {
        package let candidate: PosterCandidate
        package let verdict: Verdict

        package init(_ candidate: PosterCandidate, _ verdict: Verdict) {
            self.candidate = candidate
            self.verdict = verdict
        }
    }

    /// nil for none.
    package let poster: PosterReference?
    package let source: MovieSource?
    /// In the order in which they were judged.
    package let candidates: [Evaluation]
    /// The failures of sources that were queried.
    package let failures: [SourceFailure]
    package let decidedAt: Instant

    /// The decision which poster a film has.
    package init(
        poster: PosterReference?, source: MovieSource?, candidates: [Evaluation] = [], failures: [SourceFailure] = [],
        decidedAt: Instant
    ) {
        self.poster = poster
        self.source = source
        self.candidates = candidates
        self.failures = failures
        self.decidedAt = decidedAt
    }
}

extension PosterDecision.Verdict {
    /// The verdict on a picture that was removed from its origin.
    static let gone = PosterDecision.Verdict.rejected(reason: "it is not there any more")
}

extension PosterDecision {
    /// The pictures that were removed from their origins.
    var gone: Set<PictureLocation> {
        Set(self.candidates.lazy.filter { $0.verdict == .gone }.map(\.candidate.location))
    }

    /// Whether a source that may have had a poster failed.
    package var isUncertain: Bool { self.failure != nil }

    /// The first failure that may be temporary; nil for none.
    package var failure: SourceFailure? {
        self.failures.first { failure in
            if case .off = failure { false } else { true }
        }
    }

    /// How long it is stored, in seconds: 30 days with a poster; a day with a poster found although another source failed,
    /// and without a poster; ten minutes without a poster when a source failed.
    var lifetime: Int64 {
        switch (self.poster != nil, self.isUncertain) {
        case (true, false): 30 * 86_400
        case (true, true), (false, false): 86_400
        case (false, true): 600
        }
    }
}

/// Caches decisions about posters.
///
/// Losing a decision is harmless: it is made again.
package protocol PosterDecisionRepository: Sendable {
    /// nil when there is none or it has expired at `now`.
    func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision?

    /// Stores a decision; replaces an existing one.
    /// - Parameter expiresAt: When the decision expires.
    func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws

    /// Removes a decision. Idempotent.
    func forget(_ id: MovieID) async throws
}
