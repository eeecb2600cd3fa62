import HTTPSemantics
package import OpenAPI

extension APIOperation {
    /// Explains the choice of a film's poster.
    package static let posterCandidates = APIOperation.read(
        "/movies/{id}/poster-candidates", name: "posterCandidates", summary: "The choice of a film's poster",
        meaning: "The candidates of the decision in order, with the verdict on each. "
            + "URLs have no queries.",
        parameters: [.movieID], answer: "The decision.", schema: "PosterCandidates",
        headers: APIHeader.marks,
        problems: [.invalidID, .unknownMovie] + Self.problemsOfFilms)
}

extension APISchema {
    /// Schemas of ``APIOperation/posterCandidates``.
    package static let posterCandidates: [String: APISchema] = [
        "PosterCandidates": .object(
            [
                "id": .movieID,
                "source": .source.orNull.meaning("The source of the poster; null when there is none."),
                "chosen": .reference("PosterCandidate").orNull,
                "candidates": .array(.reference("PosterCandidate")).meaning("In the order of the decision."),
                "failures": .array(
                    .object([
                        "source": .source, "type": .string().meaning("The type of the problem."),
                        "detail": .string().meaning("A description of the failure."),
                    ])
                ).meaning("Sources that failed."),
                "counterpart": .counterpart, "decidedAt": .string().meaning("RFC 3339."),
            ], required: ["id", "source", "chosen", "candidates", "failures", "decidedAt"]),
        "PosterCandidate": .object(
            [
                "source": .source,
                "title": .string().meaning("The film's title at the source; absent if the source has only pictures."),
                "year": .integer(0...9999).meaning("The film's year at the source."),
                "url": .string().meaning("The URL without its query."),
                "file": .string().meaning("The file name of a picture without a URL."),
                "width": .integer(from: 1).meaning("In pixels, when known."),
                "height": .integer(from: 1).meaning("In pixels, when known."),
                "verdict": .choice(PosterCandidates.Candidate.Verdict.allCases.map(\.rawValue)),
                "reason": .string().meaning("The reason for a rejection."),
            ], required: ["source", "verdict"]),
    ]
}
