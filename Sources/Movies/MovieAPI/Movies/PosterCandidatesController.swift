package import HTTPSemantics
import HTTPServer
import Hummingbird
package import MovieDomain
import MovieHTTP

/// `GET /movies/{id}/poster-candidates`
enum PosterCandidatesController {
    /// `max-age` of responses, in seconds: short, as failed sources may recover.
    private static let seconds = 60

    static func register(on router: Router<ServerRequestContext>, _ responses: MovieResponses) {
        let services = responses.services
        let decider = services.posters ?? SourcePosterDecider(services.sources, now: services.now)
        responses.get("/movies/:id/poster-candidates", on: router) { parsed in
            let id = try parsed.movieID()
            let decision = try await decider.decision(for: id)
            let link = try await services.identities?.storedLink(of: id)
            return try EncodedResponse.json(
                PosterCandidates(decision, of: id, link: link), caching: .shared(seconds: Self.seconds))
        }
    }
}

extension DecidePoster.Failure: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknownFilm(let id): .unknownMovie(id)
        }
    }
}

/// A film's poster and the reasons for its choice, as JSON. URLs have no queries, so that no key is disclosed.
struct PosterCandidates: Encodable {
    struct Candidate: Encodable {
        enum Verdict: String, Encodable, CaseIterable {
            case chosen, rejected, notNeeded
        }

        let source: String
        let title: String?
        let year: Int?
        let url, file: String?
        let width, height: Int?
        let verdict: Verdict
        let reason: String?
    }

    struct Failure: Encodable {
        let source, type, detail: String
    }

    let id: String
    /// null if there is no poster.
    let source: Nullable<String>
    /// null if there is no poster.
    let chosen: Nullable<Candidate>
    let candidates: [Candidate]
    let failures: [Failure]
    /// Absent if the film is not linked to another source.
    let counterpart: CounterpartObject?
    /// RFC 3339.
    let decidedAt: String

    init(_ decision: PosterDecision, of id: MovieID, link: FilmLink? = nil) {
        self.id = id.description
        self.source = Nullable(decision.source?.rawValue)
        self.candidates = decision.candidates.map(Candidate.init)
        self.chosen = Nullable(self.candidates.first { $0.verdict == .chosen })
        self.failures = decision.failures.map {
            let problem = $0.problem
            return Failure(source: $0.source.rawValue, type: problem.kind.type, detail: problem.detail)
        }
        self.counterpart = link.map(CounterpartObject.init)
        self.decidedAt = decision.decidedAt.description
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

    /// Removes user, query and fragment, since each may contain a secret.
    private static func shown(_ url: String) -> String {
        // By bytes: a separator with a combining mark is another character.
        var parts = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            .split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
        // scheme:, empty, user@host, path
        if parts.count > 2, let at = parts[2].lastIndex(of: UInt8(ascii: "@")) {
            parts[2] = parts[2][at...].dropFirst()
        }
        return parts.map { String(Substring($0)) }.joined(separator: "/")
    }
}
