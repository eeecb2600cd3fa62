import HTTPServer
import MovieAPI
import OneSheetConfiguration
package import OpenAPI
import PosterAPI

extension APIParts {
    static let service = APIParts(
        info: [
            "title": "OneSheet", "version": .string(ProductVersion.current),
            "summary": "Movie posters at any size.",
            "description": .string(Self.introduction),
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ],
        operations: APIOperation.all, schemas: APISchema.named, headers: APIHeader.standard + APIHeader.movies,
        securitySchemes: [
            "adminToken": [
                "type": "http", "scheme": "bearer",
                "description": "The content of the file of --admin-token-file.",
            ],
            "sessionToken": [
                "type": "http", "scheme": "bearer", "description": "The token of a session.",
            ],
            "sessionCookie": [
                "type": "apiKey", "in": "cookie", "name": .string(SessionCookie.name),
                "description": .string(
                    "The token of a session, as browsers store it; over TLS the name is __Host-\(SessionCookie.name)."),
            ],
        ])

    private static let introduction = """
        Movie posters at exactly the requested pixels. Every GET operation also supports HEAD. \
        The response to an unsupported method is components/responses/MethodNotAllowed. \
        Every error is application/problem+json (RFC 9457).
        """
}

extension APIDescription {
    /// The description of all features.
    package static let complete = APIDescription(
        of: .service, routes: APIOperation.all.map(\.route), features: Set(APIFeature.allCases))
}

extension APIOperation {
    static let all: [APIOperation] =
        Self.pages + Self.posters + Self.pictures + Self.besidePosters + Self.forAdmins + Self.purges
        + Self.films + Self.discovery + Self.filmParts + Self.people + [Self.posterCandidates] + Self.signingIn
        + Self.accounts + Self.apps + Self.naver + Self.operations + Self.readiness

    private static let pages: [APIOperation] = [
        APIOperation(
            method: .get, path: "/openapi.json", name: "description", summary: "This description",
            meaning: "The OpenAPI 3.1 description of the enabled features.",
            responses: [
                .json(
                    200, "The description.", .any,
                    headers: [.cacheControl, .entityTag, .vary, .contentEncoding, .anyOrigin, .exposedNames]),
                .notModified([.cacheControl, .entityTag, .vary]),
            ])
    ]
}
