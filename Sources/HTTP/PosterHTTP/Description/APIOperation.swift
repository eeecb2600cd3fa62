/// One method of one resource.
struct APIOperation: Hashable, Sendable {
    enum Method: String, Sendable {
        case get, head, post, put, delete
    }

    /// What of a request's body is read.
    struct Body: Hashable, Sendable {
        /// A schema of the document.
        let schema: APISchema
        /// A sentence.
        let meaning: String
        var isRequired = true
        var mediaType = "application/json"
    }

    /// What the token of a session is to an operation.
    enum Session: Sendable {
        /// It makes no difference.
        case none
        /// Whoever has one is told more.
        case welcome
        case required
    }

    let method: Method
    /// As OpenAPI writes it: `/poster/{id}`.
    let path: String
    /// Its name in code that is made from the description.
    let name: String
    /// A line.
    let summary: String
    /// Sentences.
    let meaning: String
    var parameters: [APIParameter] = []
    var body: Body?
    let responses: [APIResponse]
    /// Beside those that every request may meet.
    var problems: [Problem.Kind] = []
    /// Whether it needs the admin token.
    var isForAdmins = false
    /// What the token of a session is to it.
    var session = Session.none

    /// The problems that it may answer with.
    var allProblems: [Problem.Kind] {
        let own =
            self.problems + (self.isForAdmins ? [.unauthorized] : [])
            + (self.session == .required ? [.sessionRequired] : [])
        return own + Self.problemsOfAll.filter { !own.contains($0) }
    }

    /// ``allProblems`` by status.
    var problemResponses: [APIProblemResponse] {
        Dictionary(grouping: self.allProblems, by: \.status).map {
            APIProblemResponse(status: $0.key, kinds: $0.value, hasBody: self.method != .head)
        }
    }

    /// The same resource asked for its head alone.
    var head: APIOperation {
        APIOperation(
            method: .head, path: self.path, name: "head" + self.name.prefix(1).uppercased() + self.name.dropFirst(),
            summary: self.summary + ": the head alone", meaning: "What GET answers, without its body.",
            parameters: self.parameters, responses: self.responses, problems: self.problems,
            isForAdmins: self.isForAdmins, session: self.session)
    }

    /// An Operation Object (OpenAPI 3.1, 4.8.10).
    ///
    /// - Parameter features: What is switched on.
    func json(_ features: Set<APIFeature>) -> JSONValue {
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
}
