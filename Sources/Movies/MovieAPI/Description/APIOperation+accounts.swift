import HTTPSemantics
import MovieDomain
package import OpenAPI
import PosterAPI

extension APIOperation {
    /// How people sign in.
    package static let signingIn: [APIOperation] = [
        APIOperation(
            method: .post, path: "/auth/token", name: "requestToken", summary: "Begin to sign in",
            meaning: "The user approves at authorizeURL; then POST /auth/session makes a session of requestToken.",
            parameters: [.anyLanguage],
            body: Body(
                schema: .object(
                    ["redirectTo": .string(1...RedirectURI.lengthLimit).orNull.meaning("\(RedirectURI.forms).")],
                    required: []
                ).closed, meaning: "Where the page of approval leads back to, if anywhere.", isRequired: false
            ),
            responses: [.own(200, "A wish to act for somebody.", "RequestToken", [.vary])],
            problems: [.invalidParameter, .invalidBody, .bodyTooLarge, .tooManyRequests] + Self.problemsOfSources),
        APIOperation(
            method: .post, path: "/auth/session", name: "openSession", summary: "Sign in",
            meaning: "Of a request token that was approved. One that was not yet can be tried again. "
                + "Programs send the token as Authorization: Bearer; browsers keep the cookie.",
            parameters: [.anyLanguage],
            body: Body(
                schema: .object(["requestToken": .string(1...CompleteSignIn.tokenLengthLimit)]).closed,
                meaning: "That of POST /auth/token."),
            responses: [.own(200, "A session.", "SessionToken", [.setCookie])],
            problems: [
                .invalidParameter, .invalidBody, .bodyTooLarge, .notApproved, .approvalDenied, .unknownRequestToken,
            ] + Self.problemsOfSources),
        APIOperation(
            method: .delete, path: "/auth/session", name: "endSession", summary: "Sign out",
            meaning:
                "The token is worth nothing from here on; without one there is nothing to end. With the session of a guest of this "
                + "server, who has no other source to come back from, go its ratings and favourites.",
            parameters: [.anyLanguage],
            responses: [
                APIResponse(status: 204, meaning: "There is no session.", headers: [.ownCaching, .setCookie])
            ], problems: [.invalidParameter, .crossSite, .storageFailed]),
        APIOperation(
            method: .post, path: "/auth/device", name: "registerDevice", summary: "A token without signing in",
            meaning: "For favourites of a device whose user does not say who they are.", parameters: [.anyLanguage],
            responses: [.own(200, "A token.", "SessionToken", [.setCookie])],
            problems: [.invalidParameter, .tooManyRequests, .storageFailed]),
        APIOperation(
            method: .get, path: "/auth/approve/{requestToken}", name: "approvalPage",
            summary: "Where users approve", meaning: "A page without scripts.",
            parameters: [.requestToken, .anyLanguage],
            responses: [.approvalPage(200, "The page."), .approvalPage(404, "A page that says that it is too late.")],
            problems: [.invalidParameter, .unknownRequestToken, .storageFailed]),
        APIOperation(
            method: .post, path: "/auth/approve/{requestToken}", name: "approve", summary: "Approve, or refuse",
            meaning: "What the page's form sends. What was said once stays.",
            parameters: [.requestToken, .anyLanguage],
            body: Body(
                schema: .oneMember(of: ["approve", "deny"], value: "1"), meaning: "One of both.",
                mediaType: "application/x-www-form-urlencoded"),
            responses: [
                .approvalPage(200, "The page, when it leads nowhere."),
                APIResponse(
                    status: 303, meaning: "Back to redirectTo, with request_token and approved=true or denied=true.",
                    headers: [.ownCaching, .location]),
                .approvalPage(404, "A page that says that it is too late."),
            ],
            problems: [
                .invalidParameter, .invalidBody, .bodyTooLarge, .crossSite, .unknownRequestToken, .storageFailed,
            ]),
    ]

    /// What people have to themselves.
    package static let accounts: [APIOperation] = [
        .own(
            .get, "/account", name: "account", summary: "Who one is", meaning: "To the source where one signed in.",
            responses: .kept("The account.", "Account"), problems: Self.problemsOfSources),
        .own(
            .get, "/account/ratings", name: "ratings", summary: "What one has rated", meaning: "The latest first.",
            parameters: [.page, .language, .acceptLanguage],
            responses: .kept("Films with ratings.", "RatedFilmPage", [.link]), problems: Self.problemsOfSources),
        .own(
            .get, "/movies/{id}/rating", name: "rating", summary: "What one has rated a film",
            meaning: "null for none.", parameters: [.movieID], responses: .kept("The rating.", "Rating"),
            problems: [.invalidID] + Self.problemsOfSources),
        .own(
            .put, "/movies/{id}/rating", name: "rate", summary: "Rate a film",
            meaning: "Instead of what it was rated before; repeated, it is the same as once.",
            parameters: [.movieID],
            body: Body(schema: .object(["value": .rating]).closed, meaning: "A number \(Rating.range)."),
            responses: [.own(200, "The rating.", "Rating")],
            problems: [.invalidID, .invalidBody, .bodyTooLarge, .unknownMovie, .crossSite] + Self.problemsOfSources),
        .own(
            .delete, "/movies/{id}/rating", name: "unrate", summary: "Forget a rating",
            meaning: "Of no effect when there is none.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "There is none.", headers: [.ownCaching])],
            problems: [.invalidID, .unknownMovie, .crossSite] + Self.problemsOfSources),
        .own(
            .get, "/favourites", name: "favourites", summary: "What one likes",
            meaning:
                "The latest first, as they were when they became favourites, in the language of then: no source is asked.",
            parameters: [.page], responses: .kept("Films.", "FavouritePage", [.link]),
            problems: [.storageFailed]),
        .own(
            .get, "/favourites/{id}", name: "favourite", summary: "A favourite",
            meaning: "As it was when it became one, in the language of then.", parameters: [.movieID],
            responses: .kept("It is one.", "Favourite"), problems: [.invalidID, .notFound, .storageFailed]),
        .own(
            .put, "/favourites/{id}", name: "keepFavourite", summary: "Make a film a favourite",
            meaning: "With what it looks like now. Repeated, it is the same as once.",
            parameters: [.movieID, .language, .acceptLanguage],
            responses: [
                .own(200, "It was one already.", "Favourite"), .own(201, "It is one now.", "Favourite"),
            ],
            problems: [.invalidID, .unknownMovie, .tooManyFavourites, .crossSite] + Self.problemsOfSources),
        .own(
            .delete, "/favourites/{id}", name: "removeFavourite", summary: "Make a film a favourite no longer",
            meaning: "Of no effect when it is none.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "It is none.", headers: [.ownCaching])],
            problems: [.invalidID, .crossSite, .storageFailed]),
    ]

    /// What keeps a source, or what is kept here, from being asked.
    static let problemsOfSources: [Problem.Kind] = [
        .sourceOff, .sourceUnavailable, .sourceBusy, .sourceTooSlow, .storageFailed,
    ]

    private static func own(
        _ method: Method, _ path: String, name: String, summary: String, meaning: String,
        parameters: [APIParameter] = [], body: Body? = nil, responses: [APIResponse], problems: [Problem.Kind]
    ) -> APIOperation {
        let language = parameters.contains(.language) ? [] : [APIParameter.anyLanguage]
        let isRead = method == .get
        return APIOperation(
            method: method, path: path, name: name, summary: summary, meaning: meaning,
            parameters: parameters + language + (isRead ? [.ifNoneMatch, .ifMatch] : []), body: body,
            responses: responses, problems: [.invalidParameter] + (isRead ? [.preconditionFailed] : []) + problems,
            session: .required)
    }
}

extension APIResponse {
    /// A response that no cache may store.
    fileprivate static func own(
        _ status: Int, _ meaning: String, _ schema: String, _ headers: [APIHeader] = []
    ) -> APIResponse {
        APIResponse(
            status: status, meaning: meaning,
            headers: [.ownCaching, .noSniffing, .anyOrigin, .exposedNames] + headers,
            content: ["application/json": .reference(schema)])
    }

    fileprivate static func approvalPage(_ status: Int, _ meaning: String) -> APIResponse {
        APIResponse(
            status: status, meaning: meaning, headers: [.ownCaching, .noSniffing], content: ["text/html": .any])
    }
}

extension APIParameter {
    fileprivate static let requestToken = APIParameter.path(
        "requestToken", .string(1...CompleteSignIn.tokenLengthLimit), "That of POST /auth/token.")
}

extension [APIResponse] {
    /// Responses that the client may store, and must revalidate.
    fileprivate static func kept(_ meaning: String, _ schema: String, _ headers: [APIHeader] = []) -> [APIResponse] {
        let head = APIResponse.headOfFilms + headers
        return [
            APIResponse(
                status: 200, meaning: meaning, headers: head + [.noSniffing],
                content: ["application/json": .reference(schema)]), .notModified(head),
        ]
    }
}
