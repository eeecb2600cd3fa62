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
        guard let session = try await self.session(of: credentials) else { throw Problem.sessionRequired }
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
        return try await self.session(of: credentials)
    }

    /// The principal of a request to a public resource. A storage failure, which the library logs itself, yields
    /// ``Principal/unknown``: films without marks are better than an error.
    ///
    /// - Throws: `CancellationError`.
    package func principal(of request: Request, _ context: ServerRequestContext) async throws -> Principal {
        let credentials = self.credentials(of: request, context)
        do {
            if let session = try await self.session(of: credentials) { return .user(session) }
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

    /// `Set-Cookie` for a session. The cookie of a renewable session, or with a device, has the longest lifetime: the
    /// server ends the session.
    package func setting(_ holder: AuthenticatedSession, _ context: ServerRequestContext) -> String {
        let seconds =
            holder.device != nil || self.renew.isRenewable(holder.session)
            ? SessionCookie.longestSeconds
            : holder.session.expiresAt.secondsSince1970 - self.now().secondsSince1970
        return self.cookie(context).setting(
            RequestCredentials.cookieValue(holder.token, device: holder.device), for: seconds)
    }

    /// `Set-Cookie` for a browser whose session has ended: returns to the device's token, or deletes the cookie.
    package func ending(returningTo device: AccessToken?, _ context: ServerRequestContext) -> String {
        let cookie = self.cookie(context)
        return device.map { cookie.setting($0.text, for: SessionCookie.longestSeconds) } ?? cookie.clearing
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

    /// The session of the credentials, renewed in use; the device's if a browser's session has ended. `nil` if the
    /// tokens are unknown or have expired.
    private func session(of credentials: RequestCredentials) async throws -> AuthenticatedSession? {
        guard let token = credentials.token else { return nil }
        if let session = try await self.session(of: token, device: credentials.device) { return session }
        guard let device = credentials.device else { return nil }
        return try await self.session(of: device)
    }

    /// The session of a token, renewed in use; `nil` if the token is unknown or has expired.
    ///
    /// - Parameter device: The token of the device behind the session.
    /// - Throws: `StorageFailure`, `CancellationError`.
    package func session(of token: AccessToken, device: AccessToken? = nil) async throws -> AuthenticatedSession? {
        guard let session = try await self.sessions.session(under: token, at: self.now()) else { return nil }
        return try await self.renew(AuthenticatedSession(token: token, session: session, device: device))
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
