package import HTTPSemantics

/// An answer that is no problem.
package struct APIResponse: Hashable, Sendable {
    package let status: Int
    package let meaning: String
    package var headers: [APIHeader] = []
    /// What the body may be, by media type; none without a body.
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

    /// The answer for problems of one status.
    /// - Parameter other: An answer of the same status that is no problem.
    package static func problems(_ kinds: [Problem.Kind], or other: APIResponse? = nil, hasBody: Bool) -> JSONValue {
        // The other one may be private: no shared cache stores that either, but its directive is another one.
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

    /// The client holds what it would get.
    package static func notModified(_ headers: [APIHeader]) -> APIResponse {
        APIResponse(status: 304, meaning: "The client has it (If-None-Match).", headers: headers)
    }
}

extension Problem.Kind {
    /// Whether `Retry-After` may come with it.
    fileprivate var maySayWhen: Bool {
        [429, 502, 503].contains(self.status) && ![.badOriginal, .sourceOff, .sourceUnavailable].contains(self)
    }
}

/// An answer for problems of one status, which the document has once for all operations that may meet these.
package struct APIProblemResponse: Hashable, Sendable {
    package let status: Int
    /// In the order of ``Problem/Kind``.
    package let kinds: [Problem.Kind]
    package let hasBody: Bool

    package init(status: Int, kinds: [Problem.Kind], hasBody: Bool) {
        self.status = status
        self.kinds = Problem.Kind.allCases.filter(kinds.contains)
        self.hasBody = hasBody
    }

    /// What the document calls it: names of components are made of letters, digits, `.`, `-` and `_`.
    package var key: String { self.kinds.map(\.rawValue).joined(separator: ".") + (self.hasBody ? "" : ".head") }

    package var reference: JSONValue { ["$ref": .string("#/components/responses/\(self.key)")] }

    /// A Response Object (OpenAPI 3.1, 4.8.17).
    package var json: JSONValue { APIResponse.problems(self.kinds, hasBody: self.hasBody) }
}
