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
                ).closed, meaning: "The redirect target of the approval page; optional.", isRequired: false
            ),
            responses: [.own(200, "A request token.", "RequestToken", [.vary])],
            problems: [.invalidParameter, .invalidBody, .bodyTooLarge, .tooManyRequests] + Self.problemsOfSources),
        APIOperation(
            method: .post, path: "/auth/session", name: "openSession", summary: "Sign in",
            meaning: "Requires an approved request token; one that is not approved yet can be sent again. "
                + "Programs send the session token as Authorization: Bearer; browsers store the cookie. If the request "
                + "has the token of a device or of a guest of this server, the favourites and watchlist of that user "
                + "are moved to the account, or are used by the new guest; an invalid token is ignored.",
            parameters: [.anyLanguage],
            body: Body(
                schema: .object(["requestToken": .string(1...SignIn.tokenLengthLimit)]).closed,
                meaning: "The requestToken of POST /auth/token."),
            responses: [.own(200, "A session.", "SessionToken", [.setCookie])],
            problems: [
                .invalidParameter, .invalidBody, .bodyTooLarge, .notApproved, .approvalDenied, .unknownRequestToken,
            ] + Self.problemsOfSources, session: .welcome),
        APIOperation(
            method: .delete, path: "/auth/session", name: "endSession", summary: "Sign out",
            meaning:
                "Invalidates the token; has no effect without a token. A guest of this server cannot sign in again: "
                + "the guest's ratings are deleted, and also favourites and a watchlist that no device or other guest "
                + "uses.",
            parameters: [.anyLanguage],
            responses: [
                APIResponse(status: 204, meaning: "There is no session.", headers: [.ownCaching, .setCookie])
            ], problems: [.invalidParameter, .crossSite, .storageFailed]),
        APIOperation(
            method: .post, path: "/auth/device", name: "registerDevice", summary: "Get a token without signing in",
            meaning:
                "The token is for the favourites and watchlist of a device without a signed-in user. It expires after "
                + "a year without use.",
            parameters: [.anyLanguage],
            responses: [.own(200, "A token.", "SessionToken", [.setCookie])],
            problems: [.invalidParameter, .tooManyRequests, .storageFailed]),
        APIOperation(
            method: .get, path: "/auth/approve/{requestToken}", name: "approvalPage",
            summary: "The approval page", meaning: "A page without scripts.",
            parameters: [.requestToken, .anyLanguage],
            responses: [
                .approvalPage(200, "The page."), .approvalPage(404, "A page about the expired request token."),
            ],
            problems: [.invalidParameter, .unknownRequestToken, .storageFailed]),
        APIOperation(
            method: .post, path: "/auth/approve/{requestToken}", name: "approve",
            summary: "Approve or refuse a sign-in",
            meaning: "Accepts the form of the approval page. The first decision is final.",
            parameters: [.requestToken, .anyLanguage],
            body: Body(
                schema: .oneMember(of: ["approve", "deny"], value: "1"), meaning: "Either approve=1 or deny=1.",
                mediaType: "application/x-www-form-urlencoded"),
            responses: [
                .approvalPage(200, "The page, for a request token without redirectTo."),
                APIResponse(
                    status: 303,
                    meaning: "A redirect to redirectTo, with request_token and approved=true or denied=true.",
                    headers: [.ownCaching, .location]),
                .approvalPage(404, "A page about the expired request token."),
            ],
            problems: [
                .invalidParameter, .invalidBody, .bodyTooLarge, .crossSite, .unknownRequestToken, .storageFailed,
            ]),
    ]

    /// Operations on users' own data.
    package static let accounts: [APIOperation] = [
        .own(
            "/account", name: "account", summary: "The user's account",
            meaning: "The account at the source of the session.",
            answer: "The account.", "Account", problems: Self.problemsOfSources),
        APIOperation(
            method: .get, path: "/account/export", name: "exportAccount", summary: "Export the user's data",
            meaning:
                "All data that this server stores about the user: favourites, watchlist, ratings, accounts and "
                + "sessions, without tokens. A device and its guests share one export. "
                + "At most \(UserData.rowLimit) entries of each kind. Data that the account's source stores is not "
                + "included.",
            parameters: [.anyLanguage],
            responses: [.own(200, "The data as a file.", "AccountExport", [.contentDisposition])],
            problems: [.invalidParameter, .storageFailed], session: .required),
        .own(
            .delete, "/account", name: "eraseAccount", summary: "Erase the user's data",
            meaning:
                "Deletes all data of GET /account/export and ends all sessions of the user, on this server and at the "
                + "source: every token is invalid afterwards. Data that the account's source stores remains there. The "
                + "deletion cannot be undone.",
            parameters: [],
            responses: [APIResponse(status: 204, meaning: "The data is deleted.", headers: [.ownCaching, .setCookie])],
            problems: [.storageFailed]),
        .own(
            "/account/ratings", name: "ratings", summary: "The user's ratings",
            meaning: "Sorted by time, latest first.",
            parameters: [.page, .language, .acceptLanguage],
            answer: "Films with ratings.", "RatedFilmPage", headers: [.link], problems: Self.problemsOfSources),
        .own(
            "/movies/{id}/rating", name: "rating", summary: "The user's rating of a film",
            meaning: "The value is null without a rating.", parameters: [.movieID], answer: "The rating.", "Rating",
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
            meaning: "Has no effect without a rating.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "The film has no rating.", headers: [.ownCaching])],
            problems: [.invalidID, .unknownMovie] + Self.problemsOfSources),
        .own(
            "/me/marks", name: "marks", summary: "The user's marks of films",
            meaning:
                "Marks of up to \(MarksController.idLimit) films. Sources are not queried: unknown films are unmarked.",
            parameters: [
                .query(
                    "ids", .string(1...8192).example("tmdb:603,nosferatu-1922"), isRequired: true,
                    "Comma-separated ids of films, without duplicates.")
            ], answer: "The marks.", "MarksList", problems: [.storageFailed]),
        .own(
            "/favourites", name: "favourites", summary: "The user's favourites",
            meaning:
                "Sorted by time, latest first. Films that were added in another language are requested from the source "
                + "for a short time; without the source's response, they are returned as stored.",
            parameters: [.page, .language, .acceptLanguage], answer: "Films.", "FavouritePage", headers: [.link],
            problems: [.storageFailed]),
        .own(
            "/favourites/{id}", name: "favourite", summary: "A favourite",
            meaning: "The film as stored, or in the language of the request, as in the list.",
            parameters: [.movieID, .language, .acceptLanguage],
            answer: "The favourite.", "Favourite", problems: [.invalidID, .notFound, .storageFailed]),
        .own(
            .put, "/favourites/{id}", name: "keepFavourite", summary: "Add a favourite",
            meaning: "Stores the film's current details; idempotent.",
            parameters: [.movieID, .language, .acceptLanguage],
            responses: [
                .own(200, "The film was already a favourite.", "Favourite"),
                .own(201, "The film was added.", "Favourite"),
            ],
            problems: [.invalidID, .unknownMovie, .tooManyFavourites] + Self.problemsOfSources),
        .own(
            .delete, "/favourites/{id}", name: "removeFavourite", summary: "Remove a favourite",
            meaning: "Has no effect if the film is not a favourite.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "The film is not a favourite.", headers: [.ownCaching])],
            problems: [.invalidID, .storageFailed]),
        .own(
            "/watchlist", name: "watchlist", summary: "The user's watchlist",
            meaning:
                "Sorted by time, latest first. TMDB stores the watchlist of a TMDB user; its films follow the films "
                + "stored on this server: films of other sources, and films of a device that have not been moved yet. "
                + "A page may have fewer films than totalResults implies.",
            parameters: [.page, .language, .acceptLanguage], answer: "Films.", "WatchlistPage", headers: [.link],
            problems: Self.problemsOfSources),
        .own(
            "/watchlist/{id}", name: "watchlistFilm", summary: "A film of the watchlist",
            meaning: "The film in the language of the request, if the source responds in time.",
            parameters: [.movieID, .language, .acceptLanguage],
            answer: "The film.", "WatchlistFilm",
            problems: [.invalidID, .notFound] + Self.problemsOfSources),
        .own(
            .put, "/watchlist/{id}", name: "keepOnWatchlist", summary: "Add a film to the watchlist",
            meaning:
                "Idempotent. A film of TMDB is added to the watchlist at TMDB if the user has signed in there; a film "
                + "that TMDB rejects is not added on this server instead.",
            parameters: [.movieID, .language, .acceptLanguage],
            responses: [
                .own(200, "The film was already on the watchlist.", "WatchlistFilm"),
                .own(201, "The film was added.", "WatchlistFilm"),
            ],
            problems: [.invalidID, .unknownMovie, .tooManyFavourites] + Self.problemsOfSources),
        .own(
            .delete, "/watchlist/{id}", name: "removeFromWatchlist", summary: "Remove a film from the watchlist",
            meaning: "Has no effect if the film is not on the watchlist.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "The film is not on the watchlist.", headers: [.ownCaching])],
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
        "requestToken", .string(1...SignIn.tokenLengthLimit), "The requestToken of POST /auth/token.")
}
