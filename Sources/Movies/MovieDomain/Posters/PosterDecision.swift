/// The decision on a film's poster, or that it has none.
package struct PosterDecision: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case chosen
        /// An earlier candidate was chosen.
        case notNeeded
        case rejected(reason: String)
    }

    package struct Evaluation: Hashable, Sendable {
        package let candidate: PosterCandidate
        package let verdict: Verdict

        package init(_ candidate: PosterCandidate, _ verdict: Verdict) {
            self.candidate = candidate
            self.verdict = verdict
        }
    }

    package let poster: PosterReference?
    package let source: MovieSource?
    /// In the order of judgement.
    package let candidates: [Evaluation]
    package let failures: [SourceFailure]
    package let decidedAt: Instant

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

    /// The first failure that may be temporary: any but a source that is off.
    package var failure: SourceFailure? {
        self.failures.first { failure in
            if case .off = failure { false } else { true }
        }
    }

    /// The storage lifetime in seconds: 30 days with a poster, one day with a poster if another source failed, one day
    /// without a poster, ten minutes without a poster if a source failed.
    var lifetime: Int64 {
        switch (self.poster != nil, self.isUncertain) {
        case (true, false): 30 * 86_400
        case (true, true), (false, false): 86_400
        case (false, true): 600
        }
    }
}

/// Caches decisions on posters. A lost decision is made again.
package protocol PosterDecisionRepository: Sendable {
    /// - Returns: `nil` if there is none, or it has expired at `now`.
    func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision?

    func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws

    /// Removes a decision. Idempotent.
    func forget(_ id: MovieID) async throws
}
