package import HTTPSemantics
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import MovieDomain

/// Finds the session of a request's access token, and renews it in use.
package struct SessionAuthenticator: Sendable {
    package let sessions: any SessionRepository
    package let renew: RenewSession
    package let site: SiteOrigin
    package let now: @Sendable () -> Instant

    package init(
        sessions: any SessionRepository, renew: RenewSession, site: SiteOrigin, now: @escaping @Sendable () -> Instant
    ) {
        self.sessions = sessions
        self.renew = renew
        self.site = site
        self.now = now
    }

    /// The session of a request to a resource that requires one.
    ///
    /// - Throws: ``Problem`` of the kind `session-required`; of the kind `cross-site` when another site's page made a browser send
    ///   its cookie along; `StorageFailure`, `CancellationError`.
    package func session(of request: Request, _ context: ServerRequestContext) async throws -> AuthenticatedSession {
        let credentials = self.credentials(of: request, context)
        try self.checkSite(of: request, credentials)
        guard let token = credentials.token, let session = try await self.session(of: token) else {
            throw Problem.sessionRequired
        }
        return session
    }

    /// The session that a request to sign in brings along; nil without a valid one, and for a cookie that another site's page made a browser
    /// send.
    ///
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func sessionUntilNow(
        of request: Request, _ context: ServerRequestContext
    ) async throws -> AuthenticatedSession? {
        let credentials = self.credentials(of: request, context)
        if case .cookie = credentials, self.site.isCrossSite(request) { return nil }
        guard let token = credentials.token else { return nil }
        return try await self.session(of: token)
    }

    /// The principal of a request to a public resource. The library logs its failures itself: films without marks are better than an
    /// error.
    ///
    /// - Throws: `CancellationError`.
    package func principal(of request: Request, _ context: ServerRequestContext) async throws -> Principal {
        let credentials = self.credentials(of: request, context)
        do {
            if let token = credentials.token, let session = try await self.session(of: token) { return .user(session) }
        } catch is StorageFailure {
            return .unknown
        }
        switch credentials {
        case .malformed(isBearer: true), .bearer: return .invalidToken
        case .none, .malformed, .cookie: return .anonymous
        }
    }

    package func credentials(of request: Request, _ context: ServerRequestContext) -> RequestCredentials {
        RequestCredentials(request.headers, cookie: self.cookie(context))
    }

    /// The cookie of sessions as the client reaches the site.
    package func cookie(_ context: ServerRequestContext) -> SiteCookie {
        SessionCookie.of(isSecure: self.site.isSecure(context))
    }

    /// `Set-Cookie` for a session. When one ends that is renewed in use, the server decides.
    package func setting(_ holder: AuthenticatedSession, _ context: ServerRequestContext) -> String {
        let seconds =
            self.renew.isRenewable(holder.session)
            ? SessionCookie.longestSeconds
            : holder.session.expiresAt.secondsSince1970 - self.now().secondsSince1970
        return self.cookie(context).setting(holder.token.text, for: seconds)
    }

    /// A cookie is no proof of a will: browsers send it along with what other sites' pages want.
    ///
    /// - Throws: ``Problem`` of the kind `cross-site`.
    package func checkSite(of request: Request, _ credentials: RequestCredentials) throws(Problem) {
        guard case .cookie = credentials, ![.get, .head, .options].contains(request.method),
            self.site.isCrossSite(request)
        else { return }
        throw Problem(
            .crossSite,
            "a page of another site cannot change anything by the cookie; send the token as 'Authorization: Bearer'")
    }

    /// The session of a token, renewed in use; nil for a token that is none, or has expired.
    ///
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func session(of token: AccessToken) async throws -> AuthenticatedSession? {
        guard let session = try await self.sessions.session(under: token, at: self.now()) else { return nil }
        return try await self.renew(AuthenticatedSession(token: token, session: session))
    }
}

extension Problem {
    /// For requests without a valid token.
    package static let sessionRequired = Problem(
        .sessionRequired,
        "this needs 'Authorization: Bearer' with a token, or the cookie; POST /auth/session gives one to whoever signed in, and "
            + "POST /auth/device to anybody")

    /// For a device that asks for what only accounts have.
    package static let accountRequired = Problem(
        .sessionRequired, "this needs the token of an account, not that of a device: POST /auth/session gives one")

    /// For a session that the source has ended.
    package static let sessionExpired = Problem(
        .sessionRequired, "the source has ended the session; sign in again: POST /auth/token, then POST /auth/session")
}
