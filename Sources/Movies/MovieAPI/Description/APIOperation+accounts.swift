import HTTPSemantics
import MovieDomain
package import OpenAPI

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
                schema: .object(["requestToken": .string(1...SignIn.tokenLengthLimit)]).closed,
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
            "/account", name: "account", summary: "Who one is", meaning: "To the source where one signed in.",
            answer: "The account.", "Account", problems: Self.problemsOfSources),
        .own(
            "/account/ratings", name: "ratings", summary: "What one has rated", meaning: "The latest first.",
            parameters: [.page, .language, .acceptLanguage],
            answer: "Films with ratings.", "RatedFilmPage", headers: [.link], problems: Self.problemsOfSources),
        .own(
            "/movies/{id}/rating", name: "rating", summary: "What one has rated a film",
            meaning: "null for none.", parameters: [.movieID], answer: "The rating.", "Rating",
            problems: [.invalidID] + Self.problemsOfSources),
        .own(
            .put, "/movies/{id}/rating", name: "rate", summary: "Rate a film",
            meaning: "Instead of what it was rated before; repeated, it is the same as once.",
            parameters: [.movieID],
            body: Body(schema: .object(["value": .rating]).closed, meaning: "A number \(Rating.range)."),
            responses: [.own(200, "The rating.", "Rating")],
            problems: [.invalidID, .invalidBody, .bodyTooLarge, .unknownMovie] + Self.problemsOfSources),
        .own(
            .delete, "/movies/{id}/rating", name: "unrate", summary: "Forget a rating",
            meaning: "Of no effect when there is none.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "There is none.", headers: [.ownCaching])],
            problems: [.invalidID, .unknownMovie] + Self.problemsOfSources),
        .own(
            "/favourites", name: "favourites", summary: "What one likes",
            meaning:
                "The latest first, as they were when they became favourites, in the language of then: no source is asked.",
            parameters: [.page], answer: "Films.", "FavouritePage", headers: [.link],
            problems: [.storageFailed]),
        .own(
            "/favourites/{id}", name: "favourite", summary: "A favourite",
            meaning: "As it was when it became one, in the language of then.", parameters: [.movieID],
            answer: "It is one.", "Favourite", problems: [.invalidID, .notFound, .storageFailed]),
        .own(
            .put, "/favourites/{id}", name: "keepFavourite", summary: "Make a film a favourite",
            meaning: "With what it looks like now. Repeated, it is the same as once.",
            parameters: [.movieID, .language, .acceptLanguage],
            responses: [
                .own(200, "It was one already.", "Favourite"), .own(201, "It is one now.", "Favourite"),
            ],
            problems: [.invalidID, .unknownMovie, .tooManyFavourites] + Self.problemsOfSources),
        .own(
            .delete, "/favourites/{id}", name: "removeFavourite", summary: "Make a film a favourite no longer",
            meaning: "Of no effect when it is none.", parameters: [.movieID],
            responses: [APIResponse(status: 204, meaning: "It is none.", headers: [.ownCaching])],
            problems: [.invalidID, .storageFailed]),
    ]

    /// What keeps a source, or what is kept here, from being asked.
    static let problemsOfSources: [Problem.Kind] = [
        .sourceOff, .sourceUnavailable, .sourceBusy, .sourceTooSlow, .storageFailed,
    ]

    /// A GET for the owner of a session.
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
    /// A response that no cache may store.
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
