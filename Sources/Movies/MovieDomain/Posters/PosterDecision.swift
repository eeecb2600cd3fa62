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
}

/// The lifetimes of decisions about posters, in seconds.
package struct PosterDecisionLifetimes: Hashable, Sendable {
    /// With a poster: 30 days by default.
    package var found: Int64 = 30 * 86_400
    /// With a poster found although another source failed, and without a poster: a day by default.
    package var unsure: Int64 = 86_400
    /// Without a poster, when a source failed: ten minutes by default.
    package var undecided: Int64 = 600

    package init() {}

    func lifetime(of decision: PosterDecision) -> Int64 {
        switch (decision.poster != nil, decision.isUncertain) {
        case (true, false): self.found
        case (true, true), (false, false): self.unsure
        case (false, true): self.undecided
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
