import HTTPSemantics

/// The service's OpenAPI 3.1 document, built from the registered routes.
///
/// swift-openapi-generator does not apply: it generates code from a document.
public struct APIDescription: Sendable {
    /// A method and a path in OpenAPI's notation.
    package struct Route: Hashable, Sendable {
        package let method: String
        package let path: String

        package init(method: String, path: String) {
            self.method = method
            self.path = path
        }
    }

    package let operations: [APIOperation]
    private let parts: APIParts
    private let features: Set<APIFeature>

    package init(of parts: APIParts, routes: some Collection<Route>, features: Set<APIFeature> = []) {
        let routes = Set(routes)
        self.operations = parts.operations.filter { routes.contains($0.route) }
        self.parts = parts
        self.features = features
    }

    /// The document as JSON; equal descriptions give equal bytes.
    public func json() -> [UInt8] {
        self.document.text()
    }

    /// An OpenAPI Object (OpenAPI 3.1, 4.8.1).
    package var document: JSONValue {
        [
            "openapi": "3.1.0",
            "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "info": self.parts.info,
            "servers": [["url": "/"]],
            "paths": .object(self.paths),
            "components": [
                "schemas": .object(self.parts.schemas.mapValues { .object($0.json) }),
                "headers": .object(Dictionary(self.parts.headers.map { ($0.key, $0.json) }) { _, last in last }),
                "responses": .object(self.responses),
                "securitySchemes": self.parts.securitySchemes,
            ],
        ]
    }

    /// The responses that more than one operation may give.
    private var responses: [String: JSONValue] {
        let operations = self.operations + self.operations.filter { $0.method == .get }.map(\.head)
        var responses = ["MethodNotAllowed": APIResponse.problems([.methodNotAllowed], hasBody: true)]
        for operation in operations {
            for problems in operation.problemResponses
            where !operation.responses.contains(where: { $0.status == problems.status }) {
                responses[problems.key] = problems.json
            }
        }
        return responses
    }

    private var paths: [String: JSONValue] {
        var paths: [String: [String: JSONValue]] = [:]
        for operation in self.operations {
            paths[operation.path, default: [:]][operation.method.rawValue] = operation.json(self.features)
            guard operation.method == .get else { continue }
            paths[operation.path, default: [:]]["head"] = operation.head.json(self.features)
        }
        return paths.mapValues(JSONValue.object)
    }
}

/// All parts that a description may contain; it lists only registered operations.
package struct APIParts: Sendable {
    /// An Info Object (OpenAPI 3.1, 4.8.2).
    package let info: JSONValue
    package let operations: [APIOperation]
    package let schemas: [String: APISchema]
    package let headers: [APIHeader]
    /// Security Scheme Objects by name (OpenAPI 3.1, 4.8.27).
    package let securitySchemes: JSONValue

    package init(
        info: JSONValue, operations: [APIOperation], schemas: [String: APISchema], headers: [APIHeader],
        securitySchemes: JSONValue
    ) {
        self.info = info
        self.operations = operations
        self.schemas = schemas
        self.headers = headers
        self.securitySchemes = securitySchemes
    }
}
