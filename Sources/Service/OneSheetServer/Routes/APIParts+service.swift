import MovieAPI
import OneSheetConfiguration
package import OpenAPI

extension APIParts {
    /// Everything that the service can have.
    static let service = APIParts(
        info: [
            "title": "OneSheet", "version": .string(ProductVersion.current),
            "summary": "Movie posters at any size.",
            "description": .string(Self.introduction),
            "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
        ],
        operations: APIOperation.all, schemas: APISchema.named, headers: APIHeader.standard + APIHeader.accounts,
        securitySchemes: [
            "adminToken": [
                "type": "http", "scheme": "bearer",
                "description": "The content of the file that --admin-token-file names.",
            ],
            "sessionToken": [
                "type": "http", "scheme": "bearer", "description": "The token of a session.",
            ],
            "sessionCookie": [
                "type": "apiKey", "in": "cookie", "name": .string(SessionCookie.name),
                "description": "The same, as browsers keep it.",
            ],
        ])

    private static let introduction = """
        Ask for a poster at so many pixels, and get exactly those pixels. GET works everywhere with HEAD. \
        A method that a resource does not have is answered as components/responses/MethodNotAllowed says. \
        Every error is application/problem+json (RFC 9457).
        """
}

extension APIDescription {
    /// The service with everything that can be switched on.
    package static let complete = APIDescription(
        of: .service, routes: APIOperation.all.map(\.route), features: Set(APIFeature.allCases))
}
