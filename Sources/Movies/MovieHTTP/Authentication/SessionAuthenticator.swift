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

    /// The session of a sign-in request; `nil` without a valid one, and for the cookie of a cross-site request.
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

    /// The principal of a request to a public resource. A storage failure, which the library logs itself, yields
    /// ``Principal/unknown``: films without marks are better than an error.
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

    /// The session cookie for the client's connection: TLS or plain HTTP.
    package func cookie(_ context: ServerRequestContext) -> SiteCookie {
        SessionCookie.of(isSecure: self.site.isSecure(context))
    }

    /// `Set-Cookie` for a session. A renewable session's cookie has the longest lifetime: the server ends the session.
    package func setting(_ holder: AuthenticatedSession, _ context: ServerRequestContext) -> String {
        let seconds =
            self.renew.isRenewable(holder.session)
            ? SessionCookie.longestSeconds
            : holder.session.expiresAt.secondsSince1970 - self.now().secondsSince1970
        return self.cookie(context).setting(holder.token.text, for: seconds)
    }

    /// Rejects cross-site requests with a cookie and an unsafe method: browsers add cookies to other sites' requests.
    ///
    /// - Throws: ``Problem`` of the kind `cross-site`.
    package func checkSite(of request: Request, _ credentials: RequestCredentials) throws(Problem) {
        guard case .cookie = credentials, ![.get, .head, .options].contains(request.method),
            self.site.isCrossSite(request)
        else { return }
        throw Problem(
            .crossSite,
            "a page of another site cannot use the cookie for changes; send the token as 'Authorization: Bearer'")
    }

    /// The session of a token, renewed in use; `nil` if the token is unknown or has expired.
    ///
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func session(of token: AccessToken) async throws -> AuthenticatedSession? {
        guard let session = try await self.sessions.session(under: token, at: self.now()) else { return nil }
        return try await self.renew(AuthenticatedSession(token: token, session: session))
    }
}

extension Problem {
    package static let sessionRequired = Problem(
        .sessionRequired,
        "a session is required: send 'Authorization: Bearer' with a token, or the cookie; POST /auth/session returns a "
            + "token after a sign-in, POST /auth/device without one")

    /// Rejects the session of a device without an account at a resource that requires one.
    package static let accountRequired = Problem(
        .sessionRequired, "the token of an account is required, not a device's token; POST /auth/session returns one")

    package static let sessionExpired = Problem(
        .sessionRequired, "the source has ended the session; sign in again: POST /auth/token, then POST /auth/session")
}
