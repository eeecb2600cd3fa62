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
}
