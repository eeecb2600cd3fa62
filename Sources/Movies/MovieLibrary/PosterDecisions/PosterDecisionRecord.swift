import FoundationEssentials
package import MovieDomain

/// A decision as JSON; later versions may add members.
package struct PosterDecisionRecord: Codable {
    struct Location: Codable {
        var web: String?
        var tmdb: String?

        /// - Returns: `nil` for a packaged picture, which requires no decision.
        init?(_ location: PictureLocation) {
            switch location {
            case .web(let url): self.web = url
            case .tmdb(let file): self.tmdb = file
            case .packaged: return nil
            }
        }

        var location: PictureLocation? {
            self.web.map { .web(url: $0) } ?? self.tmdb.map { .tmdb(file: $0) }
        }
    }

    struct Candidate: Codable {
        var source: String
        var location: Location
        var title: String
        var originalTitle: String?
        var year: Int?
        var width: Int?
        var height: Int?
        /// `chosen`, `notNeeded` or `rejected`.
        var verdict: String
        var reason: String?
    }

    struct Failure: Codable {
        var source: String
        /// The name of a case of `SourceFailure`.
        var kind: String
        /// The name of an option, or a reason.
        var detail: String?
        var seconds: Int?
    }

    var candidates: [Candidate]
    var failures: [Failure]
    var decidedAt: Int64

    package init(_ decision: PosterDecision) {
        self.candidates = decision.candidates.compactMap(Candidate.init)
        self.failures = decision.failures.map(Failure.init)
        self.decidedAt = decision.decidedAt.secondsSince1970
    }

    /// The decision without invalid parts.
    package var decision: PosterDecision {
        let candidates = self.candidates.compactMap(\.judged)
        let chosen = candidates.first { $0.verdict == .chosen }?.candidate
        return PosterDecision(
            poster: chosen.map { PosterReference($0.location, size: $0.size) }, source: chosen?.source,
            candidates: candidates, failures: self.failures.compactMap(\.failure),
            decidedAt: Instant(secondsSince1970: self.decidedAt))
    }
}

extension PosterDecisionRecord.Candidate {
    init?(_ judged: PosterDecision.Evaluation) {
        let candidate = judged.candidate
        guard let location = PosterDecisionRecord.Location(candidate.location) else { return nil }
        let (verdict, reason): (String, String?) =
            switch judged.verdict {
            case .chosen: ("chosen", nil)
            case .notNeeded: ("notNeeded", nil)
            case .rejected(let reason): ("rejected", reason)
            }
        self.init(
            source: candidate.source.rawValue, location: location, title: candidate.title,
            originalTitle: candidate.originalTitle.isEmpty ? nil : candidate.originalTitle, year: candidate.year,
            width: candidate.size?.width, height: candidate.size?.height, verdict: verdict, reason: reason)
    }

    var judged: PosterDecision.Evaluation? {
        guard let source = MovieSource(rawValue: self.source), let location = self.location.location else { return nil }
        let verdict: PosterDecision.Verdict
        switch self.verdict {
        case "chosen": verdict = .chosen
        case "notNeeded": verdict = .notNeeded
        case "rejected": verdict = .rejected(reason: self.reason ?? "")
        default: return nil
        }
        return PosterDecision.Evaluation(
            PosterCandidate(
                source: source, location: location, title: self.title, originalTitle: self.originalTitle ?? "",
                year: self.year, size: PictureSize(width: self.width, height: self.height)),
            verdict)
    }
}

extension PosterDecisionRecord.Failure {
    init(_ failure: SourceFailure) {
        let (kind, detail, seconds): (String, String?, Int?) =
            switch failure {
            case .off(_, let option): ("off", option, nil)
            case .keyRefused: ("keyRefused", nil, nil)
            case .busy(_, let seconds): ("busy", nil, seconds)
            case .tooSlow: ("tooSlow", nil, nil)
            case .unavailable(_, let reason): ("unavailable", reason, nil)
            case .badAnswer(_, let reason): ("badAnswer", reason, nil)
            }
        self.init(source: failure.source.rawValue, kind: kind, detail: detail, seconds: seconds)
    }

    var failure: SourceFailure? {
        guard let source = MovieSource(rawValue: self.source) else { return nil }
        switch self.kind {
        case "off": return .off(source, option: self.detail ?? "")
        case "keyRefused": return .keyRefused(source)
        case "busy": return .busy(source, retryAfterSeconds: min(max(self.seconds ?? 1, 1), 86_400))
        case "tooSlow": return .tooSlow(source)
        case "unavailable": return .unavailable(source, reason: self.detail ?? "")
        case "badAnswer": return .badAnswer(source, reason: self.detail ?? "")
        default: return nil
        }
    }
}
