/// The service as OpenAPI 3.1 describes it: made from what is registered, so that it says what is there.
public struct APIDescription: Sendable {
    /// A method and a path as OpenAPI writes it.
    struct Route: Hashable, Sendable {
        let method: String
        let path: String
    }

    let operations: [APIOperation]
    private let features: Set<APIFeature>

    /// Describes what of ``APIOperation/all`` is there.
    init(routes: some Collection<Route>, features: Set<APIFeature> = []) {
        let routes = Set(routes)
        self.operations = APIOperation.all.filter { operation in
            routes.contains(Route(method: operation.method.rawValue.uppercased(), path: operation.path))
        }
        self.features = features
    }

    /// Everything that can be switched on.
    public static let complete = APIDescription(
        routes: APIOperation.all.map { Route(method: $0.method.rawValue.uppercased(), path: $0.path) },
        features: Set(APIFeature.allCases))

    /// The document as JSON: equal descriptions give equal bytes.
    public func json() -> [UInt8] {
        self.document.text()
    }

    /// An OpenAPI Object (OpenAPI 3.1, 4.8.1).
    var document: JSONValue {
        [
            "openapi": "3.1.0",
            "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
            "info": [
                "title": "OneSheet", "version": .string(ProductVersion.current),
                "summary": "Movie posters at any size.",
                "description": .string(Self.introduction),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "paths": .object(self.paths),
            "components": [
                "schemas": .object(APISchema.named.mapValues { .object($0.json) }),
                "headers": .object(Dictionary(APIHeader.all.map { ($0.key, $0.json) }) { _, last in last }),
                "responses": .object(self.responses),
                "securitySchemes": [
                    "adminToken": [
                        "type": "http", "scheme": "bearer",
                        "description": "The content of the file that --admin-token-file names.",
                    ],
                    "sessionToken": [
                        "type": "http", "scheme": "bearer", "description": "The token of a session.",
                    ],
                    "sessionCookie": [
                        "type": "apiKey", "in": "cookie", "name": .string(FilmCallers.cookieName),
                        "description": "The same, as browsers keep it.",
                    ],
                ],
            ],
        ]
    }

    /// The answers that more than one operation may give.
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

    private static let introduction = """
        Ask for a poster at so many pixels, and get exactly those pixels. GET works everywhere with HEAD. \
        A method that a resource does not have is answered as components/responses/MethodNotAllowed says. \
        Every error is application/problem+json (RFC 9457).
        """

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
