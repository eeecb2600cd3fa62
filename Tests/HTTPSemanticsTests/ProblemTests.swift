import FoundationEssentials
import Testing

@testable import HTTPSemantics

struct ProblemTests {
    @Test("every problem has a type, a title and its status", arguments: Problem.Kind.allCases)
    func problems(kind: Problem.Kind) throws {
        struct Body: Decodable {
            let type: String
            let title: String
            let status: Int
            let detail: String
        }
        let problem = Problem(kind, "what \"is\" wrong\n")
        let body = try JSONDecoder().decode(Body.self, from: Data(problem.json()))
        #expect(body.type == "urn:onesheet:problem:\(kind.rawValue)")
        #expect(body.status == kind.status)
        #expect(!body.title.isEmpty)
        #expect(body.detail == "what \"is\" wrong\n")
    }

    @Test("a problem keeps its status")
    func statuses() {
        let kinds: [Int: Set<Problem.Kind>] = [
            400: [.malformedRequest, .invalidParameter, .invalidID, .invalidBody],
            401: [.unauthorized, .sessionRequired, .notApproved],
            403: [.approvalDenied, .crossSite, .invalidSignature, .expiredSignature, .urlNotAllowed],
            404: [
                .notFound, .unknownPoster, .unknownMovie, .unknownPerson, .unknownCollection, .unknownApp,
                .unknownRequestToken,
            ],
            405: [.methodNotAllowed],
            409: [.tooManyFavourites],
            412: [.preconditionFailed],
            413: [.bodyTooLarge],
            414: [.targetTooLong],
            415: [.unsupportedImage],
            416: [.rangeNotSatisfiable],
            417: [.expectationFailed],
            422: [.imageOverLimit],
            429: [.tooManyRequests],
            431: [.headerTooLarge],
            500: [.internalError],
            502: [.badOriginal, .originUnavailable, .sourceUnavailable],
            503: [.originBusy, .sourceOff, .sourceBusy, .overloaded, .cutOff, .storageFailed],
            504: [.originTooSlow, .sourceTooSlow],
            505: [.unsupportedVersion],
        ]
        #expect(Dictionary(grouping: Problem.Kind.allCases, by: \.status).mapValues(Set.init) == kinds)
    }
}
