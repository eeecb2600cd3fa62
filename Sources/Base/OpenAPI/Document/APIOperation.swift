package import HTTPSemantics

/// One method of a resource.
package struct APIOperation: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get, head, post, put, delete
    }

    package struct Body: Hashable, Sendable {
        package let schema: APISchema
        package let meaning: String
        package var isRequired = true
        package var mediaType = "application/json"

        package init(
            schema: APISchema, meaning: String, isRequired: Bool = true, mediaType: String = "application/json"
        ) {
            self.schema = schema
            self.meaning = meaning
            self.isRequired = isRequired
            self.mediaType = mediaType
        }
    }

    package enum Session: Sendable {
        case none
        /// Optional: with a token the response has more members.
        case welcome
        case required
    }

    package let method: Method
    /// The path in OpenAPI's notation: `/poster/{id}`.
    package let path: String
    /// The operation's id, which generators use as a name in code.
    package let name: String
    package let summary: String
    package let meaning: String
    package var parameters: [APIParameter] = []
    package var body: Body?
    package let responses: [APIResponse]
    /// Problems in addition to ``problemsOfAll``.
    package var problems: [Problem.Kind] = []
    package var isForAdmins = false
    package var session = Session.none

    package init(
        method: Method, path: String, name: String, summary: String, meaning: String, parameters: [APIParameter] = [],
        body: Body? = nil, responses: [APIResponse], problems: [Problem.Kind] = [], isForAdmins: Bool = false,
        session: Session = Session.none
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.summary = summary
        self.meaning = meaning
        self.parameters = parameters
        self.body = body
        self.responses = responses
        self.problems = problems
        self.isForAdmins = isForAdmins
        self.session = session
    }

    package var route: APIDescription.Route {
        APIDescription.Route(method: self.method.rawValue.uppercased(), path: self.path)
    }

    package var allProblems: [Problem.Kind] {
        let own =
            self.problems + (self.isForAdmins ? [.unauthorized] : [])
            + (self.session == .required ? [.sessionRequired] : [])
        return own + Self.problemsOfAll.filter { !own.contains($0) }
    }

    package var problemResponses: [APIProblemResponse] {
        Dictionary(grouping: self.allProblems, by: \.status).map {
            APIProblemResponse(status: $0.key, kinds: $0.value, hasBody: self.method != .head)
        }
    }

    package var head: APIOperation {
        APIOperation(
            method: .head, path: self.path, name: "head" + self.name.prefix(1).uppercased() + self.name.dropFirst(),
            summary: self.summary + ": header only", meaning: "The response to GET without its body.",
            parameters: self.parameters, responses: self.responses, problems: self.problems,
            isForAdmins: self.isForAdmins, session: self.session)
    }

    /// An Operation Object (OpenAPI 3.1, 4.8.10).
    /// - Parameter features: The enabled features.
    package func json(_ features: Set<APIFeature>) -> JSONValue {
        let hasBody = self.method != .head
        var answers: [String: JSONValue] = [:]
        for response in self.responses { answers[String(response.status)] = response.json(hasBody: hasBody) }
        for problems in self.problemResponses {
            let other = self.responses.first { $0.status == problems.status }
            answers[String(problems.status)] =
                other.map { APIResponse.problems(problems.kinds, or: $0, hasBody: hasBody) } ?? problems.reference
        }
        var json: [String: JSONValue] = [
            "operationId": .string(self.name), "summary": .string(self.summary),
            "description": .string(self.meaning), "responses": .object(answers),
        ]
        let parameters = self.parameters.filter { $0.feature.map(features.contains) ?? true }
        if !parameters.isEmpty { json["parameters"] = .array(parameters.map(\.json)) }
        if let body {
            json["requestBody"] = [
                "required": .boolean(body.isRequired), "description": .string(body.meaning),
                "content": [body.mediaType: ["schema": .object(body.schema.json)]],
            ]
        }
        if self.isForAdmins { json["security"] = [["adminToken": []]] }
        switch self.session {
        case .none: break
        case .welcome: json["security"] = [[:], ["sessionToken": []], ["sessionCookie": []]]
        case .required: json["security"] = [["sessionToken": []], ["sessionCookie": []]]
        }
        return .object(json)
    }

    package static let problemsOfAll: [Problem.Kind] =
        [
            .malformedRequest, .targetTooLong, .headerTooLarge, .tooManyRequests, .unsupportedVersion,
            .expectationFailed, .internalError, .overloaded,
        ]
}
