import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import PosterAPI

/// `POST /auth/token`, `POST /auth/session`, `DELETE /auth/session` and `POST /auth/device`
struct SignInController: Sendable {
    private let begin: BeginSignIn
    private let complete: CompleteSignIn
    private let end: EndSession
    private let register: RegisterDevice
    private let holders: TokenHolders
    private let links: PosterLinks
    private let newcomers: SignUpRateLimiter?

    init(_ services: MovieServices, holders: TokenHolders, links: PosterLinks) {
        let (accounts, sessions, now) = (services.accounts, services.sessions, services.now)
        self.begin = BeginSignIn(accounts: accounts)
        self.complete = CompleteSignIn(
            accounts: accounts, sessions: sessions, lifetimeSeconds: services.sessionSeconds, now: now)
        self.end = EndSession(accounts: accounts, sessions: sessions, now: now)
        self.register = RegisterDevice(sessions: sessions, now: now)
        self.holders = holders
        self.links = links
        self.newcomers = services.newcomers
    }

    func register(on router: Router<PosterRequestContext>) {
        router.post("/auth/token", use: self.requestToken)
        router.post("/auth/session", use: self.openSession)
        router.delete("/auth/session", use: self.endSession)
        router.post("/auth/device", use: self.registerDevice)
    }

    private struct TokenOrder: JSONOrdered {
        static let members = ["redirectTo"]
        let redirectTo: String?
    }

    private struct TokenAnswer: Encodable {
        let requestToken, authorizeURL, expiresAt: String
    }

    private struct SessionOrder: JSONOrdered {
        static let members = ["requestToken"]
        let requestToken: String
    }

    private struct SessionAnswer: Encodable {
        let token, expiresAt: String
    }

    @Sendable
    private func requestToken(_ request: Request, context: PosterRequestContext) async throws -> Response {
        _ = try FilmQuery(inAnyLanguage: RequestTarget(request.uri.string))
        let order = try await JSONOrder.readIfAny(
            TokenOrder.self, of: request, form: "{\"redirectTo\":\"https://example.org/signed-in\"}, or nothing")
        try self.newcomers?.admit(context.clientAddress)
        do {
            let wish = try await context.whileClientPresent { try await self.begin(returningTo: order?.redirectTo) }
            // A page of ours may be told by its path alone.
            let url = wish.url.hasPrefix("/") ? self.links.address(of: wish.url) : wish.url
            var response = try OwnAnswer(
                TokenAnswer(
                    requestToken: wish.token,
                    authorizeURL: self.holders.site.absolute(url, for: request, context),
                    expiresAt: wish.expiresAt.description)
            ).response()
            if url.hasPrefix("/") { response.headers[.vary] = self.holders.site.variance }
            return response
        } catch BeginSignIn.Failure.unacceptableAddress {
            throw Problem(.invalidBody, "redirectTo must be \(RedirectURI.forms)")
        }
    }

    @Sendable
    private func openSession(_ request: Request, context: PosterRequestContext) async throws -> Response {
        _ = try FilmQuery(inAnyLanguage: RequestTarget(request.uri.string))
        let order = try await JSONOrder.read(
            SessionOrder.self, of: request, form: "{\"requestToken\":\"that of POST /auth/token\"}")
        do {
            let holder = try await self.complete(requestToken: order.requestToken)
            return try self.answer(holder, to: request, context)
        } catch let failure as AuthorizationFailure {
            switch failure {
            case .notApproved:
                throw Problem(
                    .notApproved, "the user has not approved at authorizeURL yet; the same token can be tried again")
            case .denied: throw Problem(.approvalDenied, "the user does not want it; POST /auth/token for another wish")
            case .unknownToken:
                throw Problem(
                    .unknownRequestToken,
                    "there is no such request token, or it was made use of, or it is too old; POST /auth/token for another"
                )
            }
        }
    }

    @Sendable
    private func endSession(_ request: Request, context: PosterRequestContext) async throws -> Response {
        _ = try FilmQuery(inAnyLanguage: RequestTarget(request.uri.string))
        let shown = ShownToken(request.headers)
        try self.holders.checkSite(of: request, shown)
        if let token = shown.token, let failure = try await self.end(token) {
            context.logger.notice(
                "A session has ended here, but perhaps not at its source",
                metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
        }
        // Nothing to forget for whoever sends none.
        let cookie = SessionCookie(isSecure: self.holders.site.isSecure(context))
        return OwnAnswer.empty(cookie: SessionCookie.value(in: request.headers) == nil ? nil : cookie.clearing)
    }

    @Sendable
    private func registerDevice(_ request: Request, context: PosterRequestContext) async throws -> Response {
        _ = try FilmQuery(inAnyLanguage: RequestTarget(request.uri.string))
        try self.newcomers?.admit(context.clientAddress)
        return try self.answer(try await self.register(), to: request, context)
    }

    /// The token in the body for programs, and in a cookie for our own pages: another site's page could make its visitors somebody else.
    private func answer(
        _ holder: AuthenticatedSession, to request: Request, _ context: PosterRequestContext
    ) throws -> Response {
        let session = holder.session
        var answer = try OwnAnswer(
            SessionAnswer(token: holder.token.text, expiresAt: session.expiresAt.description))
        if !self.holders.site.isForeign(request) {
            let seconds = session.expiresAt.secondsSince1970 - self.holders.now().secondsSince1970
            answer.cookie = SessionCookie(isSecure: self.holders.site.isSecure(context))
                .setting(holder.token, for: seconds)
        }
        return answer.response()
    }
}
