import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APIOperation {
    /// Operations on apps.
    package static let apps: [APIOperation] = [
        .ofStore(
            "/apps/search", name: "searchApps", summary: "Search apps", meaning: "Sorted by relevance.",
            parameters: [
                .query(
                    "term", .string(1...AppQuery.maxLength).example("camera"), isRequired: true, "The search terms."),
                .query("offset", .integer(AppQuery.offsets).by(default: 0), "Number of results to skip."),
                .query(
                    "limit", .integer(AppQuery.limits).by(default: .integer(AppQuery.defaultLimit)),
                    "Maximum number of results."),
            ], schema: "AppList", headers: [.link]),
        .ofStore(
            "/apps/today", name: "appsToday", summary: "Today's apps", meaning: "One featured app and some others.",
            schema: "AppsToday"),
        .ofStore(
            "/apps/{id}", name: "app", summary: "An app",
            meaning: "Facts, and the same facts grouped in sections for display.",
            parameters: [
                .path(
                    "id", .movieID.example("itunes:361309726"),
                    "The app as itunes:key; without a source, an app of the embedded store.")
            ], schema: "App", problems: [.invalidID, .unknownApp]),
    ]

    /// The operation for clients of Naver's API.
    package static let naver: [APIOperation] = [
        APIOperation(
            method: .get, path: "/v1/search/movie.json", name: "naverSearch",
            summary: "Search films in the format of Naver",
            meaning:
                "For clients of Naver's search, which ended in 2023: only the host in the client changes. "
                + "Texts are Korean where possible. Unknown parameters are ignored.",
            parameters: [
                .query(
                    "query", .string(1...MovieQuery.maxLength).example("살인의 추억"), isRequired: true, "The search terms."),
                .query(
                    "display", .integer(SearchMoviesByOffset.Query.displays).by(default: 10),
                    "Maximum number of results."),
                .query(
                    "start", .integer(SearchMoviesByOffset.Query.starts).by(default: 1),
                    "Position of the first result, from 1."),
                .query(
                    "yearfrom", .integer(1...9999),
                    "The earliest year of the first public showing; only together with yearto."),
                .query(
                    "yearto", .integer(1...9999),
                    "The latest year. A range searches only the first \(SearchMoviesByOffset.filteredPageLimit) pages."
                ),
                .query("genre", .string(), "Accepted and ignored: this server has other genre numbers."),
                .query("country", .string(), "Accepted and ignored."),
                .header("X-Naver-Client-Id", .string(), "Accepted and ignored."),
                .header("X-Naver-Client-Secret", .string(), "Accepted and ignored."),
            ],
            responses: [
                .json(
                    200, "The results; without items after the last result.", .reference("NaverMovies"),
                    headers: [.cacheControl, .vary, .contentEncoding, .anyOrigin, .exposedNames] + APIHeader.marks),
                .json(400, "SE01, SE02, SE03 or SE06", .reference("NaverFault"), headers: [.noStore]),
                .json(500, "SE99", .reference("NaverFault"), headers: [.noStore, .retryAfter]),
            ])
    ]

    private static func ofStore(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter] = [],
        schema: String, headers: [APIHeader] = [], problems: [Problem.Kind] = []
    ) -> APIOperation {
        .read(
            path, name: name, summary: summary, meaning: meaning,
            parameters: parameters + [.language, .acceptLanguage], schema: schema,
            headers: [.vary] + headers + APIHeader.marks,
            problems: [
                .invalidParameter, .preconditionFailed, .sourceOff, .sourceUnavailable, .sourceBusy, .sourceTooSlow,
            ] + problems)
    }
}
