import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `POST /auth/token`, `POST /auth/session`, `DELETE /auth/session` and `POST /auth/device`
struct SignInController: Sendable {
    private let signIn: SignIn
    private let watchlist: SavedFilms
    private let authenticator: SessionAuthenticator
    private let publicURL: PublicURL?
    private let newcomers: SignUpRateLimiter?

    init(_ responses: MovieResponses) {
        let services = responses.services
        self.signIn = SignIn(
            accounts: services.accounts, sessions: services.sessions, favourites: services.favourites,
            watchlist: services.watchlist, lifetimeSeconds: services.sessionSeconds, now: services.now)
        self.watchlist = responses.useCases.watchlist
        self.authenticator = responses.useCases.authenticator
        self.publicURL = responses.useCases.publicURL
        self.newcomers = services.newcomers
    }

    func register(on router: Router<ServerRequestContext>) {
        router.post("/auth/token", use: self.requestToken)
        router.post("/auth/session", use: self.openSession)
        router.delete("/auth/session", use: self.endSession)
        router.post("/auth/device", use: self.registerDevice)
    }

    private struct TokenRequest: StrictDecodable {
        static let members = ["redirectTo"]
        let redirectTo: String?
    }

    private struct TokenResponse: Encodable {
        let requestToken, authorizeURL, expiresAt: String
    }

    private struct SessionRequest: StrictDecodable {
        static let members = ["requestToken"]
        let requestToken: String
    }

    private struct SessionResponse: Encodable {
        let token, expiresAt: String
        /// `nil` if no films were moved; the same for `movedToWatchlist`.
        var movedFavourites: Int?
        var movedToWatchlist: Int?
    }

    @Sendable
    private func requestToken(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try request.targetWithoutParameters()
        let parsed = try await JSONBody.readIfAny(
            TokenRequest.self, of: request, form: "{\"redirectTo\":\"https://example.org/signed-in\"}, or empty")
        try self.newcomers?.admit(context.clientAddress)
        do {
            let wish = try await context.whileClientPresent {
                try await self.signIn.begin(returningTo: parsed?.redirectTo)
            }
            // The URL of this server's own page may be only a path.
            let url = wish.url.hasPrefix("/") ? self.publicURL.address(of: wish.url) : wish.url
            var response = try PrivateResponse(
                TokenResponse(
                    requestToken: wish.token,
                    authorizeURL: self.authenticator.site.absolute(url, for: request, context),
                    expiresAt: wish.expiresAt.description)
            ).response()
            if url.hasPrefix("/") { response.headers[.vary] = self.authenticator.site.variance }
            return response
        } catch SignIn.Failure.unacceptableAddress {
            throw Problem(.invalidBody, "redirectTo must be \(RedirectURI.forms)")
        }
    }

    @Sendable
    private func openSession(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try request.targetWithoutParameters()
        let parsed = try await JSONBody.read(
            SessionRequest.self, of: request, form: "{\"requestToken\":\"token of POST /auth/token\"}")
        do {
            var (session, favouriteCount, watchlistCount) = try await self.signIn.complete(
                requestToken: parsed.requestToken,
                from: try await self.authenticator.sessionUntilNow(of: request, context))
            // A program has its device's token itself.
            if case .bearer = self.authenticator.credentials(of: request, context) { session.device = nil }
            self.watchlist.moveToSource(for: session)
            return try self.response(
                session, movedFavourites: favouriteCount, movedToWatchlist: watchlistCount, to: request, context)
        } catch let failure as AuthorizationFailure {
            switch failure {
            case .notApproved:
                throw Problem(
                    .notApproved,
                    "the user has not approved the sign-in at authorizeURL yet; try again with the same token")
            case .denied:
                throw Problem(.approvalDenied, "the user denied the sign-in; start again with POST /auth/token")
            case .unknownToken:
                throw Problem(
                    .unknownRequestToken,
                    "the request token is unknown, already used or expired; POST /auth/token returns another"
                )
            }
        }
    }

    @Sendable
    private func endSession(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try request.targetWithoutParameters()
        let credentials = self.authenticator.credentials(of: request, context)
        try self.authenticator.checkSite(of: request, credentials)
        if let token = credentials.token, let failure = try await self.signIn.end(token) {
            context.logger.noticeOpenSessions(failure)
        }
        // A client that sent no cookie has none to clear.
        let sentCookie = self.authenticator.cookie(context).value(in: request.headers) != nil
        return PrivateResponse.empty(
            cookie: sentCookie ? self.authenticator.ending(returningTo: credentials.device, context) : nil)
    }

    @Sendable
    private func registerDevice(_ request: Request, context: ServerRequestContext) async throws -> Response {
        try request.targetWithoutParameters()
        try self.newcomers?.admit(context.clientAddress)
        return try self.response(try await self.signIn.registerDevice(), to: request, context)
    }

    /// Sends the token in the body for programs, and in a cookie for this server's own pages. Cross-site requests
    /// receive no cookie, since they could sign visitors in as another user.
    private func response(
        _ authenticated: AuthenticatedSession, movedFavourites: Int? = nil, movedToWatchlist: Int? = nil,
        to request: Request, _ context: ServerRequestContext
    ) throws -> Response {
        let session = authenticated.session
        var answer = try PrivateResponse(
            SessionResponse(
                token: authenticated.token.text, expiresAt: session.expiresAt.description,
                movedFavourites: movedFavourites, movedToWatchlist: movedToWatchlist))
        if !self.authenticator.site.isCrossSite(request) {
            answer.cookie = self.authenticator.setting(authenticated, context)
        }
        return answer.response()
    }
}
