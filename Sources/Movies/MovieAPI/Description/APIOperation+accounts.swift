import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APIOperation {
    /// Operations for signing in and out.
    package static let signingIn: [APIOperation] = [
        APIOperation(
            method: .post, path: "/auth/token", name: "requestToken", summary: "Start signing in",
            meaning: "The user approves at authorizeURL; then POST /auth/session exchanges requestToken for a session.",
            parameters: [.anyLanguage],
            body: Body(
                schema: .object(
                    ["redirectTo": .string(1...RedirectURI.lengthLimit).orNull.meaning("\(RedirectURI.forms).")],
                    required: []
                ).closed, meaning: "Where the approval page redirects to; optional.", isRequired: false
            ),
            responses: [.own(200, "A request token.", "RequestToken", [.vary])],
            problems: [.invalidParameter, .invalidBody, .bodyTooLarge, .tooManyRequests] + Self.problemsOfSources),
        APIOperation(
            method: .post, path: "/auth/session", name: "openSession", summary: "Sign in",
            meaning: "With an approved request token. One that is not approved yet can be tried again. "
                + "Programs send the token as Authorization: Bearer; browsers store the cookie. With the token of a device, "
                + "or of a guest of this server, its favourites and watchlist are moved to the account, or used by the new guest; an "
                + "invalid one is ignored.",
            parameters: [.anyLanguage],
            body: Body(
                schema: .object(["requestToken": .string(1...SignIn.tokenLengthLimit)]).closed,
                meaning: "That of POST /auth/token."),
            responses: [.own(200, "A session.", "SessionToken", [.setCookie])],
            problems: [
                .invalidParameter, .invalidBody, .bodyTooLarge, .notApproved, .approvalDenied, .unknownRequestToken,
            ] + Self.problemsOfSources, session: .welcome),
        APIOperation(
            method: .delete, path: "/auth/session", name: "endSession", summary: "Sign out",
            meaning:
                "Invalidates the token; has no effect without one. Together with the session of a guest of this "
                + "server, who cannot sign in again, ratings are deleted, and favourites and a watchlist that are not those of a device or of "
                + "another guest, too.",
            parameters: [.anyLanguage],
            responses: [
                APIResponse(status: 204, meaning: "There is no session.", headers: [.ownCaching, .setCookie])
            ], problems: [.invalidParameter, .crossSite, .storageFailed]),
        APIOperation(
            method: .post, path: "/auth/device", name: "registerDevice", summary: "Get a token without signing in",
            meaning:
                "For favourites and a watchlist of a device whose user has not signed in. It expires when it is unused for a year.",
            parameters: [.anyLanguage],
            responses: [.own(200, "A token.", "SessionToken", [.setCookie])],
            problems: [.invalidParameter, .tooManyRequests, .storageFailed]),
        APIOperation(
            method: .get, path: "/auth/approve/{requestToken}", name: "approvalPage",
            summary: "Page on which users approve", meaning: "A page without scripts.",
            parameters: [.requestToken, .anyLanguage],
            responses: [.approvalPage(200, "The page."), .approvalPage(404, "A page: the request token has expired.")],
            problems: [.invalidParameter, .unknownRequestToken, .storageFailed]),
        APIOperation(
            method: .post, path: "/auth/approve/{requestToken}", name: "approve", summary: "Approve or refuse",
            meaning: "The form of the approval page. The first decision is final.",
            parameters: [.requestToken, .anyLanguage],
            body: Body(
                schema: .oneMember(of: ["approve", "deny"], value: "1"), meaning: "One of the two.",
                mediaType: "application/x-www-form-urlencoded"),
            responses: [
                .approvalPage(200, "The page, without redirectTo."),
                APIResponse(
                    status: 303, meaning: "Back to redirectTo, with request_token and approved=true or denied=true.",
                    headers: [.ownCaching, .location]),
                .approvalPage(404, "A page: the request token has expired."),
            ],
            problems: [
                .invalidParameter, .invalidBody, .bodyTooLarge, .crossSite, .unknownRequestToken, .storageFailed,
            ]),
    ]

    /// Operations on users' own data.
    package static let accounts: [APIOperation] = [
        .own(
            "/account", name: "account", summary: "The user's account", meaning: "At the source of the session.",
            answer: "The account.", "Account", problems: Self.problemsOfSources),
        APIOperation(
            method: .get, path: "/account/export", name: "exportAccount", summary: "Export the user's data",
            meaning:
                "All that this server stores about the user: favourites, watchlist, ratings, accounts and sessions, without tokens; for "
                + "a device and its guests together. At most \(UserData.rowLimit) of each kind. What the account's source stores is not included.",
            parameters: [.anyLanguage],
            responses: [.own(200, "A file to store.", "AccountExport", [.contentDisposition])],
            problems: [.invalidParameter, .storageFailed], session: .required),
        .own(
            .delete, "/account", name: "eraseAccount", summary: "Erase the user's data",
            meaning:
                "Deletes all that GET /account/export has, and ends all sessions of the user, here and at the source: every token is "
                + "invalid afterwards. What the account's source stores stays there. Cannot be undone.",
            parameters: [],
            responses: [APIResponse(status: 204, meaning: "Nothing is left.", headers: [.ownCaching, .setCookie])],
            problems: [.storageFailed]),
        .own(
            "/account/ratings", name: "ratings", summary: "The user's ratings", meaning: "The latest first.",
            parameters: [.page, .language, .acceptLanguage],
            answer: "Films with ratings.", "RatedFilmPage", headers: [.link], problems: Self.problemsOfSources),
        .own(
            "/movies/{id}/rating", name: "rating", summary: "The user's rating of a film",
            meaning: "null for none.", parameters: [.movieID], answer: "The rating.", "Rating",
            problems: [.invalidID, .unknownMovie] + Self.problemsOfSources),
        .own(
            .put, "/movies/{id}/rating", name: "rate", summary: "Rate a film",
            meaning: "Replaces the previous rating; idempotent.",
            parameters: [.movieID],
            body: Body(schema: .object(["value": .rating]).closed, meaning: "A number \(Rating.range)."),
            responses: [.own(200, "The rating.", "Rating")],
            problems: [.invalidID, .invalidBody, .bodyTooLarge, .unknownMovie] + Self.problemsOfSources),
        .own(
            .delete, "/movies/{id}/rating", name: "unrate", summary: "Delete a rating",
            meaning: "Has no effect when there is none.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "There is none.", headers: [.ownCaching])],
            problems: [.invalidID, .unknownMovie] + Self.problemsOfSources),
        .own(
            "/me/marks", name: "marks", summary: "The user's marks of films",
            meaning:
                "Of up to \(MarksController.idLimit) films. Their source is not queried: unknown films are unmarked.",
            parameters: [
                .query(
                    "ids", .string(1...8192).example("tmdb:603,nosferatu-1922"), isRequired: true,
                    "Ids of films, with commas between them, each once.")
            ], answer: "The marks.", "MarksList", problems: [.storageFailed]),
        .own(
            "/favourites", name: "favourites", summary: "The user's favourites",
            meaning:
                "The latest first. Those that were added in another language are requested from their source, for a short time; "
                + "without its response they are as stored.",
            parameters: [.page, .language, .acceptLanguage], answer: "Films.", "FavouritePage", headers: [.link],
            problems: [.storageFailed]),
        .own(
            "/favourites/{id}", name: "favourite", summary: "A favourite",
            meaning: "As stored, or in the language of the request, as in the list.",
            parameters: [.movieID, .language, .acceptLanguage],
            answer: "It is a favourite.", "Favourite", problems: [.invalidID, .notFound, .storageFailed]),
        .own(
            .put, "/favourites/{id}", name: "keepFavourite", summary: "Add a favourite",
            meaning: "Stores the film's current details; idempotent.",
            parameters: [.movieID, .language, .acceptLanguage],
            responses: [
                .own(200, "It was a favourite already.", "Favourite"), .own(201, "It was added.", "Favourite"),
            ],
            problems: [.invalidID, .unknownMovie, .tooManyFavourites] + Self.problemsOfSources),
        .own(
            .delete, "/favourites/{id}", name: "removeFavourite", summary: "Remove a favourite",
            meaning: "Has no effect when it is none.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "It is not a favourite.", headers: [.ownCaching])],
            problems: [.invalidID, .storageFailed]),
        .own(
            "/watchlist", name: "watchlist", summary: "The user's watchlist",
            meaning:
                "The latest first. Of a user of TMDB the films of TMDB are on the watchlist there, behind those that are only here: films "
                + "of other sources, and films of a device that have not been moved yet. A page may have fewer films than it says.",
            parameters: [.page, .language, .acceptLanguage], answer: "Films.", "WatchlistPage", headers: [.link],
            problems: Self.problemsOfSources),
        .own(
            "/watchlist/{id}", name: "watchlistFilm", summary: "A film of the watchlist",
            meaning: "In the language of the request, if its source answers in time.",
            parameters: [.movieID, .language, .acceptLanguage],
            answer: "It is on the watchlist.", "WatchlistFilm",
            problems: [.invalidID, .notFound] + Self.problemsOfSources),
        .own(
            .put, "/watchlist/{id}", name: "keepOnWatchlist", summary: "Add a film to the watchlist",
            meaning:
                "Idempotent. A film of TMDB is added there when the user has signed in there; what TMDB refuses is not added here instead.",
            parameters: [.movieID, .language, .acceptLanguage],
            responses: [
                .own(200, "It was on the watchlist already.", "WatchlistFilm"),
                .own(201, "It was added.", "WatchlistFilm"),
            ],
            problems: [.invalidID, .unknownMovie, .tooManyFavourites] + Self.problemsOfSources),
        .own(
            .delete, "/watchlist/{id}", name: "removeFromWatchlist", summary: "Remove a film from the watchlist",
            meaning: "Has no effect when it is not on it.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "It is not on the watchlist.", headers: [.ownCaching])],
            problems: [.invalidID] + Self.problemsOfSources),
    ]

    /// Problems of requests to sources and to this server's storage.
    static let problemsOfSources: [Problem.Kind] = [
        .sourceOff, .sourceUnavailable, .sourceBusy, .sourceTooSlow, .storageFailed,
    ]

    /// A GET by the owner of a session.
    private static func own(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter] = [],
        answer: String, _ schema: String, headers: [APIHeader] = [], problems: [Problem.Kind]
    ) -> APIOperation {
        .read(
            path, name: name, summary: summary, meaning: meaning, parameters: parameters, answer: answer,
            schema: schema, headers: [.vary] + headers,
            problems: [.invalidParameter, .preconditionFailed] + problems, session: .required)
    }

    /// A change by the owner of a session.
    private static func own(
        _ method: Method, _ path: String, name: String, summary: String, meaning: String,
        parameters: [APIParameter], body: Body? = nil, responses: [APIResponse], problems: [Problem.Kind]
    ) -> APIOperation {
        let language = parameters.contains(.language) ? [] : [APIParameter.anyLanguage]
        return APIOperation(
            method: method, path: path, name: name, summary: summary, meaning: meaning,
            parameters: parameters + language, body: body, responses: responses,
            problems: [.invalidParameter, .crossSite] + problems, session: .required)
    }
}

extension APIResponse {
    /// A response that caches must not store.
    fileprivate static func own(
        _ status: Int, _ meaning: String, _ schema: String, _ headers: [APIHeader] = []
    ) -> APIResponse {
        .json(
            status, meaning, .reference(schema), headers: [.ownCaching, .anyOrigin, .exposedNames] + headers)
    }

    fileprivate static func approvalPage(_ status: Int, _ meaning: String) -> APIResponse {
        APIResponse(
            status: status, meaning: meaning, headers: [.ownCaching, .noSniffing], content: ["text/html": .any])
    }
}

extension APIParameter {
    fileprivate static let requestToken = APIParameter.path(
        "requestToken", .string(1...SignIn.tokenLengthLimit), "That of POST /auth/token.")
}
