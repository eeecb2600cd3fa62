package import HTTPSemantics

/// A response that is not a problem.
package struct APIResponse: Hashable, Sendable {
    package let status: Int
    package let meaning: String
    package var headers: [APIHeader] = []
    /// The body's schema by media type; empty without a body.
    package var content: [String: APISchema] = [:]

    package init(status: Int, meaning: String, headers: [APIHeader] = [], content: [String: APISchema] = [:]) {
        self.status = status
        self.meaning = meaning
        self.headers = headers
        self.content = content
    }

    /// A Response Object (OpenAPI 3.1, 4.8.17).
    /// - Parameter hasBody: False for `HEAD`.
    package func json(hasBody: Bool) -> JSONValue {
        Self.json(self.meaning, headers: self.headers, content: hasBody ? self.content : [:])
    }

    /// The response for problems of one status.
    /// - Parameter other: A response of the same status that is not a problem.
    package static func problems(_ kinds: [Problem.Kind], or other: APIResponse? = nil, hasBody: Bool) -> JSONValue {
        // The other response may be private: shared caches do not store it either, but its directive differs.
        var headers: [APIHeader] = [other == nil ? .noStore : .cacheControl, .noSniffing]
        if kinds.contains(where: { $0.status == 401 }) { headers.append(.authenticate) }
        if kinds.contains(.methodNotAllowed) { headers.append(.allow) }
        if kinds.contains(where: \.maySayWhen) { headers.append(.retryAfter) }
        if kinds.contains(where: { $0.status == 416 }) { headers.append(.contentRange) }
        let schema = APISchema.all([
            .reference("Problem"), .object(["type": .choice(kinds.map(\.type))], required: ["type"]),
        ])
        let names = (other.map { [$0.meaning] } ?? []) + kinds.map(\.title)
        var content = other?.content ?? [:]
        content["application/problem+json"] = schema
        return self.json(names.joined(separator: "; "), headers: headers, content: hasBody ? content : [:])
    }

    private static func json(_ meaning: String, headers: [APIHeader], content: [String: APISchema]) -> JSONValue {
        var json: [String: JSONValue] = ["description": .string(meaning)]
        if !headers.isEmpty {
            json["headers"] = .object(Dictionary(headers.map { ($0.name, $0.reference) }) { _, last in last })
        }
        if !content.isEmpty {
            json["content"] = .object(
                content.mapValues { $0 == .any ? .object([:]) : ["schema": .object($0.json)] })
        }
        return .object(json)
    }
}

extension APIResponse {
    package static func json(
        _ status: Int, _ meaning: String, _ schema: APISchema, headers: [APIHeader]
    ) -> APIResponse {
        APIResponse(
            status: status, meaning: meaning, headers: headers + [.noSniffing], content: ["application/json": schema])
    }

    package static func notModified(_ headers: [APIHeader]) -> APIResponse {
        APIResponse(status: 304, meaning: "The client's stored response is current (If-None-Match).", headers: headers)
    }
}

extension Problem.Kind {
    /// Whether the response may have `Retry-After`.
    fileprivate var maySayWhen: Bool {
        [429, 502, 503].contains(self.status) && ![.badOriginal, .sourceOff, .sourceUnavailable].contains(self)
    }
}

/// The response for problems of one status; the document has one component for all operations with the same problems.
package struct APIProblemResponse: Hashable, Sendable {
    package let status: Int
    package let kinds: [Problem.Kind]
    package let hasBody: Bool

    package init(status: Int, kinds: [Problem.Kind], hasBody: Bool) {
        self.status = status
        self.kinds = Problem.Kind.allCases.filter(kinds.contains)
        self.hasBody = hasBody
    }

    /// The component's name in the document: names may have letters, digits, `.`, `-` and `_`.
    package var key: String { self.kinds.map(\.rawValue).joined(separator: ".") + (self.hasBody ? "" : ".head") }

    package var reference: JSONValue { ["$ref": .string("#/components/responses/\(self.key)")] }

    /// A Response Object (OpenAPI 3.1, 4.8.17).
    package var json: JSONValue { APIResponse.problems(self.kinds, hasBody: self.hasBody) }
}
