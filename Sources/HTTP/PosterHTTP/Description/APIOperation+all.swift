extension APIOperation {
    /// Everything that the service can have.
    static let all: [APIOperation] =
        Self.pages + Self.posters + Self.pictures + Self.besidePosters + Self.forAdmins + Self.purges
        + Self.films + [Self.posterCandidates] + Self.signingIn + Self.accounts + Self.apps + Self.naver
        + Self.operations + Self.readiness

    /// What every request may meet, whatever it asks for.
    static let problemsOfAll: [Problem.Kind] =
        Self.kinds(
            "malformed-request", "target-too-long", "header-too-large", "too-many-requests",
            "unsupported-version", "expectation-failed")
        + [.internalError, .overloaded]

    /// Kinds by their names: those that this service does not have are left out.
    static func kinds(_ names: String...) -> [Problem.Kind] {
        names.compactMap(Problem.Kind.init(rawValue:))
    }

    private static let pages: [APIOperation] = [
        APIOperation(
            method: .get, path: "/", name: "catalogue", summary: "The embedded catalogue as a page",
            meaning: "A wall of posters, without scripts.",
            responses: [
                APIResponse(
                    status: 200, meaning: "The page.", headers: [.cacheControl, .noSniffing],
                    content: ["text/html": .any])
            ]),
        APIOperation(
            method: .get, path: "/openapi.json", name: "description", summary: "This description",
            meaning: "OpenAPI 3.1, of what is switched on.",
            responses: [
                APIResponse(
                    status: 200, meaning: "The description.",
                    headers: [.cacheControl, .entityTag, .noSniffing, .anyOrigin, .exposedNames],
                    content: ["application/json": .any]),
                .notModified([.cacheControl, .entityTag]),
            ]),
    ]
}

extension APIResponse {
    /// The client holds what it would get.
    static func notModified(_ headers: [APIHeader]) -> APIResponse {
        APIResponse(status: 304, meaning: "The client holds it (If-None-Match).", headers: headers)
    }
}
