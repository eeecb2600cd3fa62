import HTTPSemantics
import OpenAPI
import Testing

struct APIDescriptionTests {
    private static let read = APIOperation(
        method: .get, path: "/things/{id}", name: "thing", summary: "A thing", meaning: "One thing.",
        parameters: [.path("id", .string(), "Its id."), .query("v", .string(), feature: .versions, "Its version.")],
        responses: [
            APIResponse(
                status: 200, meaning: "It.", headers: [.entityTag],
                content: ["application/json": .reference("Thing")])
        ],
        problems: [.notFound])
    private static let remove = APIOperation(
        method: .delete, path: "/things/{id}", name: "removeThing", summary: "No thing", meaning: "Removes it.",
        parameters: [.path("id", .string(), "Its id.")], responses: [APIResponse(status: 204, meaning: "Removed.")],
        isForAdmins: true)
    private static let parts = APIParts(
        info: ["title": "Things"], operations: [read, remove], schemas: ["Thing": .object([:], required: [])],
        headers: APIHeader.standard, securitySchemes: [:])

    private func member(_ path: String..., of value: JSONValue) -> JSONValue? {
        path.reduce(value as JSONValue?) { value, name in
            guard case .object(let members)? = value else { return nil }
            return members[name]
        }
    }

    @Test func onlyRegisteredRoutesAreDescribedAndGETImpliesHEAD() throws {
        let description = APIDescription(of: Self.parts, routes: [.init(method: "GET", path: "/things/{id}")])
        #expect(description.operations.map(\.name) == ["thing"])
        guard case .object(let methods)? = self.member("paths", "/things/{id}", of: description.document) else {
            Issue.record("the path is missing")
            return
        }
        #expect(methods.keys.sorted() == ["get", "head"])
        #expect(self.member("operationId", of: try #require(methods["head"])) == "headThing")
        #expect(self.member("responses", "200", "content", of: try #require(methods["head"])) == nil)
    }

    @Test func aChoiceThatMayBeNullIsValidWithoutBeingOneOfItsWords() {
        let members = APISchema.object(["source": APISchema.choice(["tmdb"]).orNull.meaning("Its.")], required: [])
        let parts = APIParts(
            info: [:], operations: [Self.read], schemas: ["Thing": members], headers: [], securitySchemes: [:])
        let description = APIDescription(of: parts, routes: [.init(method: "GET", path: "/things/{id}")])
        let schema = self.member(
            "components", "schemas", "Thing", "properties", "source", of: description.document)
        let expected: JSONValue = [
            "anyOf": [["type": "string", "enum": ["tmdb"]], ["type": "null"]], "description": "Its.",
        ]
        #expect(schema == expected)
    }

    @Test func parametersOfAFeatureAreDescribedOnlyWithIt() {
        for (features, count) in [([], 1), ([.versions], 2)] as [(Set<APIFeature>, Int)] {
            guard case .array(let parameters)? = self.member("parameters", of: Self.read.json(features)) else {
                Issue.record("there are no parameters")
                return
            }
            #expect(parameters.count == count)
        }
    }

    @Test func operationsOfAdminsNeedTheirTokenAndMayAnswerWithA401() {
        let json = Self.remove.json([])
        #expect(self.member("security", of: json) == [["adminToken": []]])
        #expect(self.member("responses", "401", of: json) != nil)
        #expect(self.member("responses", "401", of: Self.read.json([])) == nil)
    }

    @Test func theTextIsSortedAndTheSameForEqualValues() {
        let value: JSONValue = ["b": [1, true], "a": "/\"\n"]
        let text = String(decoding: value.text(), as: UTF8.self)
        #expect(text == "{\n  \"a\" : \"/\\\"\\n\",\n  \"b\" : [\n    1,\n    true\n  ]\n}")
    }
}
