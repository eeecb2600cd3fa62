/// Which poster a film was found to have, or that it has none.
public struct PosterDecision: Hashable, Sendable {
    /// What became of a candidate.
    public enum Verdict: Hashable, Sendable {
        case chosen
        /// Another one was chosen before it was looked at.
        case notNeeded
        case rejected(reason: String)
    }

    /// A candidate and what became of it.
    public struct Evaluation: Hashable, Sendable {
        /// What was offered.
        public let candidate: PosterCandidate
        /// What became of it.
        public let verdict: Verdict

        /// A candidate and what became of it.
        public init(_ candidate: PosterCandidate, _ verdict: Verdict) {
            self.candidate = candidate
            self.verdict = verdict
        }
    }

    /// nil when there is none.
    public let poster: PosterReference?
    /// Who had it; nil when there is none.
    public let source: MovieSource?
    /// In the order in which they were looked at.
    public let candidates: [Evaluation]
    /// Sources that could not be asked, and why.
    public let failures: [SourceFailure]
    /// When it was looked for.
    public let decidedAt: Instant

    /// Which poster a film was found to have.
    public init(
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
    /// Of a picture that its origin does not have any more.
    static let gone = PosterDecision.Verdict.rejected(reason: "it is not there any more")
}

extension PosterDecision {
    /// Pictures that were found not to be there any more.
    var gone: Set<PictureLocation> {
        Set(self.candidates.lazy.filter { $0.verdict == .gone }.map(\.candidate.location))
    }

    /// That a source could not be asked which may have had it.
    public var isUncertain: Bool { self.failure != nil }

    /// The first failure that may be over another time; nil when there was none.
    public var failure: SourceFailure? {
        self.failures.first { failure in
            if case .off = failure { false } else { true }
        }
    }
}

/// For how long a decision about a poster holds, in seconds.
public struct PosterDecisionLifetimes: Hashable, Sendable {
    /// With a poster: 30 days by default.
    public var found: Int64 = 30 * 86_400
    /// With a poster of a source that was asked because another one could not be, and without one: a day by default.
    public var unsure: Int64 = 86_400
    /// Without a poster, when a source could not be asked: ten minutes by default.
    public var undecided: Int64 = 600

    /// The defaults.
    public init() {}

    func lifetime(of decision: PosterDecision) -> Int64 {
        switch (decision.poster != nil, decision.isUncertain) {
        case (true, false): self.found
        case (true, true), (false, false): self.unsure
        case (false, true): self.undecided
        }
    }
}

/// Remembers which posters films were found to have.
///
/// It is a memory only: what cannot be kept is decided again.
public protocol PosterDecisionRepository: Sendable {
    /// nil when nothing was decided, or too long ago for `now`.
    func decision(for id: MovieID, at now: Instant) async throws -> PosterDecision?

    /// - Parameter expiresAt: When it does not hold any more.
    func keep(_ decision: PosterDecision, for id: MovieID, until expiresAt: Instant) async throws

    /// Of no effect when there is none.
    func forget(_ id: MovieID) async throws
}
