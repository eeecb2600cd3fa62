package import HTTPSemantics
package import HTTPServer
package import Hummingbird
package import MovieDomain

/// `GET /movies/{id}/poster-candidates`
package struct PosterCandidatesController: Sendable {
    /// `max-age` of responses, in seconds: failed sources may have recovered by then.
    private static let seconds = 60

    let decider: any PosterDecider

    package init(decider: any PosterDecider) {
        self.decider = decider
    }

    package func register(on router: Router<ServerRequestContext>) {
        router.get("/movies/:id/poster-candidates", use: self.candidates)
    }

    @Sendable
    private func candidates(_ request: Request, context: ServerRequestContext) async throws -> Response {
        let id = try MovieRequest(request, context, default: .korean).movieID()
        let decision = try await context.whileClientPresent { try await self.decider.decision(for: id) }
        return try JSONResponse(PosterCandidates(decision, of: id), keeping: .shared(seconds: Self.seconds))
            .response(to: request)
    }
}

extension DecidePoster.Failure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknownFilm(let id): .unknownMovie(id)
        }
    }
}

/// Which poster a film has, and why, as JSON has it. Nothing in it holds a key: URLs are shown without their queries.
struct PosterCandidates: Encodable {
    struct Candidate: Encodable {
        /// What became of it.
        enum Verdict: String, Encodable, CaseIterable {
            case chosen, rejected, notNeeded
        }

        let source: String
        let title: String?
        let year: Int?
        let url: String?
        let file: String?
        let width: Int?
        let height: Int?
        let verdict: Verdict
        let reason: String?
    }

    struct Failure: Encodable {
        let source: String
        let type: String
        let detail: String
    }

    let id: String
    /// nil when there is no poster.
    let source: String?
    let chosen: Candidate?
    let candidates: [Candidate]
    let failures: [Failure]
    /// RFC 3339.
    let decidedAt: String

    private enum CodingKeys: CodingKey {
        case id, source, chosen, candidates, failures, decidedAt
    }

    init(_ decision: PosterDecision, of id: MovieID) {
        self.id = id.description
        self.source = decision.source?.rawValue
        self.candidates = decision.candidates.map(Candidate.init)
        self.chosen = self.candidates.first { $0.verdict == .chosen }
        self.failures = decision.failures.map {
            let problem = $0.problem
            return Failure(source: $0.source.rawValue, type: problem.kind.type, detail: problem.detail)
        }
        self.decidedAt = decision.decidedAt.description
    }

    /// `chosen` and `source` are there, as null, when there is no poster.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.id, forKey: .id)
        try container.encode(self.source, forKey: .source)
        try container.encode(self.chosen, forKey: .chosen)
        try container.encode(self.candidates, forKey: .candidates)
        try container.encode(self.failures, forKey: .failures)
        try container.encode(self.decidedAt, forKey: .decidedAt)
    }
}

extension PosterCandidates.Candidate {
    init(_ judged: PosterDecision.Evaluation) {
        let candidate = judged.candidate
        let (url, file): (String?, String?) =
            switch candidate.location {
            case .web(let url): (Self.shown(url), nil)
            case .tmdb(let file), .packaged(let file, _): (nil, file)
            }
        let (verdict, reason): (Verdict, String?) =
            switch judged.verdict {
            case .chosen: (.chosen, nil)
            case .notNeeded: (.notNeeded, nil)
            case .rejected(let reason): (.rejected, reason)
            }
        self.init(
            source: candidate.source.rawValue, title: candidate.title.isEmpty ? nil : candidate.title,
            year: candidate.year, url: url, file: file, width: candidate.size?.width, height: candidate.size?.height,
            verdict: verdict, reason: reason)
    }

    /// Without user, query and fragment, any of which may hold a secret.
    private static func shown(_ url: String) -> String {
        var parts = url.prefix { $0 != "?" && $0 != "#" }
            .split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        // scheme:, nothing, user@host, path
        if parts.count > 2, let at = parts[2].lastIndex(of: "@") { parts[2] = parts[2][at...].dropFirst() }
        return parts.joined(separator: "/")
    }
}
