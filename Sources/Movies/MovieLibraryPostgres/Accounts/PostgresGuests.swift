import FoundationEssentials
package import MovieDomain
package import MovieLibrary

/// Guests and their ratings in PostgreSQL, so that a user can sign in on one node, approve on another and rate on a
/// third. Behaves like `EmbeddedAccounts`.
package struct PostgresGuests: AccountRepository, ApprovalHandler {
    let library: PostgresLibrary
    let movies: any MovieRepository
    let limits: GuestAccount.Limits
    let now: @Sendable () -> Instant
    private let publicBase: String

    /// - Parameter publicBase: The prefix of this server's paths for clients, without a trailing slash; empty for URLs
    ///   that consist of a path.
    package init(
        _ library: PostgresLibrary, publicBase: String, movies: any MovieRepository,
        limits: GuestAccount.Limits = GuestAccount.Limits(), now: @escaping @Sendable () -> Instant
    ) {
        self.library = library
        self.publicBase = publicBase
        self.movies = movies
        self.limits = limits
        self.now = now
    }

    package var source: MovieSource { .embedded }
    package var isTemporary: Bool { true }

    /// A new authorization request, which the user approves at `/auth/approve/{token}` of any node.
    package func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        let token = AccessToken()
        let hash = PostgresValue.bytes(Array(TokenHash(token).bytes))
        let now = self.now().secondsSince1970
        let (expiresAt, limit) = (now + self.limits.requestSeconds, Int64(max(1, self.limits.requests)))
        let returnTo = returningTo.flatMap { (1...GuestAccount.maxReturnLength).contains($0.utf8.count) ? $0 : nil }
        try await self.library.write { connection in
            _ = try connection.execute("DELETE FROM approval_request WHERE expires_at <= $1", [.integer(now)])
            _ = try connection.execute(
                """
                INSERT INTO approval_request (token_hash, return_to, state, expires_at) VALUES ($1, $2, 'open', $3)
                """, [hash, .text(orNull: returnTo), .integer(expiresAt)])
            _ = try connection.execute(
                """
                DELETE FROM approval_request WHERE sequence IN (
                    SELECT sequence FROM approval_request ORDER BY sequence DESC OFFSET $1)
                """, [.integer(limit)])
        }
        return AuthorizationRequest(
            token: token.text, url: "\(self.publicBase)/auth/approve/\(token.text)",
            expiresAt: Instant(secondsSince1970: expiresAt))
    }

    /// The session of an approved request. Creates a guest; a request can be used only once.
    package func session(for requestToken: String) async throws -> UpstreamSession {
        guard let hash = TokenHash(requestToken) else { throw AuthorizationFailure.unknownToken }
        let (key, now) = (PostgresValue.bytes(Array(hash.bytes)), self.now())
        switch try await self.approval(of: requestToken)?.state {
        case nil: throw AuthorizationFailure.unknownToken
        case .open: throw AuthorizationFailure.notApproved
        case .denied: throw AuthorizationFailure.denied
        case .approved: break
        }
        let (guest, secret) = (GuestAccount(), AccessToken())
        let (secretHash, limit) = (TokenHash(secret), Int64(max(1, self.limits.accounts)))
        try await self.library.write { connection in
            let used = try connection.execute(
                "DELETE FROM approval_request WHERE token_hash = $1 AND expires_at > $2",
                [key, .integer(now.secondsSince1970)])
            // A concurrent call may have used the request.
            guard used.changeCount == 1 else { throw AuthorizationFailure.unknownToken }
            _ = try connection.execute(
                "INSERT INTO guest (id, username, secret_hash) VALUES ($1, $2, $3)",
                [.text(guest.id), .text(guest.username), .bytes(Array(secretHash.bytes))])
            let surplus = try (connection.execute("SELECT count(*) FROM guest").integer ?? 0) - limit
            guard surplus > 0 else { return }
            // Deletes 1 % more, so that not every later insertion sorts all guests. Ratings are deleted with accounts.
            _ = try connection.execute(
                """
                DELETE FROM guest WHERE sequence IN (
                    SELECT sequence FROM guest AS own WHERE own.id <> $1
                    ORDER BY EXISTS (SELECT 1 FROM session WHERE owner = 'sample:' || own.id), sequence
                    LIMIT $2)
                """, [.text(guest.id), .integer(surplus + limit / 100)])
        }
        return UpstreamSession(source: .embedded, secret: secret.text, accountID: guest.id)
    }

    /// Deletes the guest with its ratings and lists, which are inaccessible without the session.
    package func end(_ session: UpstreamSession) async throws {
        try await self.library.write { connection in
            guard let guest = try Self.guest(session, connection) else { return }
            for list in StoredList.allCases {
                _ = try connection.execute(
                    "DELETE FROM \(list.postgresTable) WHERE owner = $1",
                    [.text(Owner.account(.embedded, id: guest.id).key)])
            }
            _ = try connection.execute("DELETE FROM guest WHERE id = $1", [.text(guest.id)])
        }
    }

    package func account(of session: UpstreamSession) async throws -> Account {
        try await self.library.read { try Self.known(session, $0).account }
    }

    package func approval(of requestToken: String) async throws -> Approval? {
        guard let hash = TokenHash(requestToken) else { return nil }
        let now = self.now()
        return try await self.library.read { try Self.approval(hash, at: now, $0) }
    }

    package func decide(_ requestToken: String, approves: Bool) async throws -> Approval? {
        guard let hash = TokenHash(requestToken) else { return nil }
        let (now, state) = (self.now(), approves ? Approval.State.approved : .denied)
        return try await self.library.write { connection in
            _ = try connection.execute(
                """
                UPDATE approval_request SET state = $2
                WHERE token_hash = $1 AND state = 'open' AND expires_at > $3
                """, [.bytes(Array(hash.bytes)), .text(state.rawValue), .integer(now.secondsSince1970)])
            return try Self.approval(hash, at: now, connection)
        }
    }

    private static func approval(
        _ hash: TokenHash, at now: Instant, _ connection: PostgresConnection
    ) throws -> Approval? {
        let row = try connection.execute(
            "SELECT state, return_to FROM approval_request WHERE token_hash = $1 AND expires_at > $2",
            [.bytes(Array(hash.bytes)), .integer(now.secondsSince1970)]
        ).rows.first
        guard let row, let state = row.text(0).flatMap(Approval.State.init(rawValue:)) else { return nil }
        return Approval(state: state, returnTo: row.text(1))
    }

    /// The account of a session; `nil` if the session has ended or belongs to another source.
    private static func guest(_ session: UpstreamSession, _ connection: PostgresConnection) throws -> GuestAccount? {
        guard session.source == .embedded, let secret = TokenHash(session.secret) else { return nil }
        let row = try connection.execute(
            "SELECT id, username FROM guest WHERE secret_hash = $1 AND id = $2",
            [.bytes(Array(secret.bytes)), .text(session.accountID)]
        ).rows.first
        guard let row, let id = row.text(0), let username = row.text(1) else { return nil }
        return GuestAccount(id: id, username: username)
    }

    /// - Throws: `SessionExpired`, `PostgresFailure`.
    static func known(_ session: UpstreamSession, _ connection: PostgresConnection) throws -> GuestAccount {
        guard let guest = try Self.guest(session, connection) else { throw SessionExpired() }
        return guest
    }
}
