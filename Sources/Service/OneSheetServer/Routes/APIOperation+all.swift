import MovieAPI
import OpenAPI
import PosterAPI

extension APIOperation {
    /// Everything that the service can have.
    static let all: [APIOperation] =
        Self.pages + Self.posters + Self.pictures + Self.besidePosters + Self.forAdmins + Self.purges
        + Self.films + [Self.posterCandidates] + Self.signingIn + Self.accounts + Self.apps + Self.naver
        + Self.operations + Self.readiness

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
                .json(200, "The description.", .any, headers: [.cacheControl, .entityTag, .anyOrigin, .exposedNames]),
                .notModified([.cacheControl, .entityTag]),
            ]),
    ]
}
