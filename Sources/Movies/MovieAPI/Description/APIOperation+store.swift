import HTTPSemantics
import MovieDomain
package import OpenAPI

extension APIOperation {
    /// What there is about apps.
    package static let apps: [APIOperation] = [
        .ofStore(
            "/apps/search", name: "searchApps", summary: "Search apps", meaning: "The best match first.",
            parameters: [
                .query(
                    "term", .string(1...AppQuery.maxLength).example("camera"), isRequired: true, "What to look for."),
                .query("offset", .integer(AppQuery.offsets).by(default: 0), "How many of the best to leave out."),
                .query(
                    "limit", .integer(AppQuery.limits).by(default: .integer(AppQuery.defaultLimit)),
                    "At most so many."),
            ], schema: "AppList", headers: [.link]),
        .ofStore(
            "/apps/today", name: "appsToday", summary: "What the store shows today", meaning: "One large, some small.",
            schema: "AppsToday"),
        .ofStore(
            "/apps/{id}", name: "app", summary: "An app", meaning: "Facts, and the same in sections as they are shown.",
            parameters: [
                .path(
                    "id", .movieID.example("itunes:361309726"),
                    "The app, as itunes:key; without a source, one of the embedded store.")
            ], schema: "App", problems: [.invalidID, .unknownApp]),
    ]

    /// What clients of another service expect.
    package static let naver: [APIOperation] = [
        APIOperation(
            method: .get, path: NaverController.path, name: "naverSearch",
            summary: "Search films in the format of Naver",
            meaning:
                "For apps that were written for Naver's search, which ended in 2023: they need another host and nothing "
                + "else. In Korean as far as there is any. What Naver did not know is not minded.",
            parameters: [
                .query(
                    "query", .string(1...MovieQuery.maxLength).example("살인의 추억"), isRequired: true, "What to look for."),
                .query(
                    "display", .integer(SearchMoviesByOffset.Query.displays).by(default: 10), "At most so many."),
                .query(
                    "start", .integer(SearchMoviesByOffset.Query.starts).by(default: 1),
                    "The place of the first, from 1."),
                .query("yearfrom", .integer(1...9999), "Of the first public showing; only together with yearto."),
                .query(
                    "yearto", .integer(1...9999),
                    "Looked for among the first \(SearchMoviesByOffset.filteredPageLimit) pages of results where it is another year."
                ),
                .query("genre", .string(), "Accepted, and of no effect: genres have other numbers here."),
                .query("country", .string(), "Accepted, and of no effect."),
                .header("X-Naver-Client-Id", .string(), "Accepted, and of no effect."),
                .header("X-Naver-Client-Secret", .string(), "Accepted, and of no effect."),
            ],
            responses: [
                .json(
                    200, "What was found; no items behind the end.", .reference("NaverMovies"),
                    headers: [.cacheControl, .vary, .anyOrigin, .exposedNames]),
                .json(400, "SE01, SE02, SE03 or SE06", .reference("NaverFault"), headers: [.noStore]),
                .json(500, "SE99", .reference("NaverFault"), headers: [.noStore, .retryAfter]),
            ])
    ]

    private static func ofStore(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter] = [],
        schema: String, headers: [APIHeader] = [], problems: [Problem.Kind] = []
    ) -> APIOperation {
        .read(
            path, name: name, summary: summary, meaning: meaning, parameters: parameters, schema: schema,
            headers: headers,
            problems: [
                .invalidParameter, .preconditionFailed, .sourceOff, .sourceUnavailable, .sourceBusy, .sourceTooSlow,
            ] + problems)
    }
}
