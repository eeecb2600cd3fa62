import HTTPTypes
import MovieDomain
import MovieHTTP

/// Opens sessions, and finds the sessions of requests. A session's id is this server's access token.
struct TMDBSessions: Sendable {
    /// The session of a request.
    enum Caller: Sendable {
        case session(AuthenticatedSession)
        /// A guest at The Movie Database.
        case guest(session: String)
    }

    /// The lifetime stated for a guest session, in seconds: a minimum, as use extends it.
    private static let guestSeconds: Int64 = 86_400

    let useCases: MovieUseCases
    /// `nil` without a key.
    let upstream: (any TMDBUpstream)?

    private var services: MovieServices { self.useCases.services }

    var signIn: SignIn {
        SignIn(
            accounts: self.services.accounts, sessions: self.services.sessions,
            favourites: self.services.favourites, watchlist: self.services.watchlist,
            lifetimeSeconds: self.services.sessionSeconds, now: self.services.now)
    }

    /// The session under `session_id`.
    ///
    /// - Throws: ``TMDBFault`` without a valid session, `StorageFailure`, `CancellationError`.
    func holder(of request: TMDBRequest) async throws -> AuthenticatedSession {
        try await self.holder(request["session_id"])
    }

    func holder(_ id: String?) async throws -> AuthenticatedSession {
        guard let token = id.flatMap({ AccessToken($0) }),
            let session = try await self.useCases.authenticator.session(of: token)
        else { throw TMDBFault(.noPermission) }
        return session
    }

    /// The session under `session_id` or `guest_session_id`.
    func caller(of request: TMDBRequest) async throws -> Caller {
        if request["session_id"] == nil, let guest = request["guest_session_id"] {
            return try await self.guest(guest)
        }
        return .session(try await self.holder(of: request))
    }

    func guest(_ id: String) async throws -> Caller {
        guard self.upstream != nil, AccessToken(id) == nil else { return .session(try await self.holder(id)) }
        guard (1...256).contains(id.utf8.count),
            id.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) })
        else { throw TMDBFault(.noPermission) }
        return .guest(session: id)
    }

    /// Opens a session without a sign-in: a guest's at The Movie Database or, without a key, one of this server, which
    /// approves its own request.
    ///
    /// - Parameter admit: Charges the client's sign-up limit.
    func newGuestSession(_ admit: () throws -> Void) async throws -> TMDBAnswer {
        guard self.upstream != nil || self.services.approvals != nil else { throw TMDBFault(.noPermission) }
        try admit()
        if let upstream {
            let (status, body) = try await upstream.send(
                .get, "/authentication/guest_session/new", query: [], secrets: [], json: nil)
            return TMDBAnswer(status: status, bytes: body)
        }
        guard let approvals = self.services.approvals else { throw TMDBFault(.noPermission) }
        let wish = try await self.signIn.begin(returningTo: nil)
        _ = try await approvals.decide(wish.token, approves: true)
        let session = try await self.signIn.complete(requestToken: wish.token).session
        let end = Instant(secondsSince1970: self.services.now().secondsSince1970 + Self.guestSeconds)
        return TMDBAnswer([
            "success": true, "guest_session_id": .string(session.token.text),
            "expires_at": .string(TMDBDates.seconds(end)),
        ])
    }
}
