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
