import GRDB
package import MovieDomain
package import MovieLibrary
import RebuildableDatabase

/// Accounts of this installation, for signing in and rating without a key and a network.
///
/// There are no passwords. Each approved authorization request creates a guest with a random name that lasts as long as its
/// session: a shared account, or a name of the user's choice, would expose the ratings of other users. Requests and
/// accounts are in the library's database, with hashed secrets, and survive a restart.
package struct EmbeddedAccounts: AccountRepository, ApprovalHandler {
    package typealias Limits = GuestAccount.Limits

    let database: LibraryDatabase
    let movies: any MovieRepository
    let limits: Limits
    let now: @Sendable () -> Instant
    private let publicBase: String

    /// - Parameter publicBase: The prefix of this server's paths for clients, without a trailing slash, such as
    ///   `https://posters.example`; empty for URLs that consist of a path.
    package init(
        _ database: LibraryDatabase, publicBase: String, movies: any MovieRepository, limits: Limits = Limits(),
        now: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.publicBase = publicBase
        self.movies = movies
        self.limits = limits
        self.now = now
    }

    package var source: MovieSource { .embedded }
    var damage: DamagedRecords { self.database.damage }
    package var isTemporary: Bool { true }

    /// A new authorization request, which the user approves at `/auth/approve/{token}` of this server.
    package func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        let token = AccessToken()
        let hash = TokenHash(token)
        let now = self.now().secondsSince1970
        let (expiresAt, limit) = (now + self.limits.requestSeconds, max(1, self.limits.requests))
        let returnTo = returningTo.flatMap { (1...GuestAccount.maxReturnLength).contains($0.utf8.count) ? $0 : nil }
        try await self.database.write { db in
            try db.execute(sql: "DELETE FROM approvalWish WHERE expiresAt <= ?", arguments: [now])
            try ApprovalRecord(tokenHash: hash.bytes, returnTo: returnTo, state: .open, expiresAt: expiresAt).insert(db)
            try db.execute(
                sql: """
                    DELETE FROM approvalWish WHERE sequence IN (
                        SELECT sequence FROM approvalWish ORDER BY sequence DESC LIMIT -1 OFFSET ?)
                    """, arguments: [limit])
        }
        return AuthorizationRequest(
            token: token.text, url: "\(self.publicBase)/auth/approve/\(token.text)",
            expiresAt: Instant(secondsSince1970: expiresAt))
    }

    /// The session of an approved request. Creates a guest; a request can be used only once.
    package func session(for requestToken: String) async throws -> UpstreamSession {
        guard let hash = TokenHash(requestToken) else { throw AuthorizationFailure.unknownToken }
        let now = self.now()
        let read = { @Sendable (db: Database) throws -> Approval.State in
            guard let wish = try ApprovalRecord.fetch(hash, at: now, from: db, self.damage) else {
                throw AuthorizationFailure.unknownToken
            }
            return wish.state
        }
        // Clients poll, and a read does not delay writers.
        switch try await self.database.read(read) {
        case .open: throw AuthorizationFailure.notApproved
        case .denied: throw AuthorizationFailure.denied
        case .approved: break
        }
        let guest = LocalAccount()
        let secret = AccessToken()
        let limit = max(1, self.limits.accounts)
        try await self.database.write { db in
            // A concurrent call may have used the request.
            _ = try read(db)
            try db.execute(sql: "DELETE FROM approvalWish WHERE tokenHash = ?", arguments: [hash.bytes])
            try guest.insert(db, secret: TokenHash(secret), limit: limit)
        }
        return UpstreamSession(source: .embedded, secret: secret.text, accountID: guest.id)
    }

    /// Deletes the guest with its ratings and lists, which are inaccessible without the session.
    package func end(_ session: UpstreamSession) async throws {
        try await self.database.write { db in
            guard let guest = try LocalAccount.fetch(session, from: db, self.damage) else { return }
            for list in StoredList.allCases {
                try db.execute(
                    sql: "DELETE FROM \(list.rawValue) WHERE owner = ?",
                    arguments: [Owner.account(.embedded, id: guest.id).key])
            }
            try db.execute(sql: "DELETE FROM localAccount WHERE id = ?", arguments: [guest.id])
        }
    }

    package func account(of session: UpstreamSession) async throws -> Account {
        try await self.database.read { db in
            guard let guest = try LocalAccount.fetch(session, from: db, self.damage) else { throw SessionExpired() }
            return guest.account
        }
    }
}

extension EmbeddedAccounts {
    package func approval(of requestToken: String) async throws -> Approval? {
        guard let hash = TokenHash(requestToken) else { return nil }
        let now = self.now()
        return try await self.database.read { db in
            try ApprovalRecord.fetch(hash, at: now, from: db, self.damage)?.approval
        }
    }

    package func decide(_ requestToken: String, approves: Bool) async throws -> Approval? {
        guard let hash = TokenHash(requestToken) else { return nil }
        let (now, state) = (self.now(), approves ? Approval.State.approved : .denied)
        return try await self.database.write { db in
            try db.execute(
                sql: "UPDATE approvalWish SET state = ? WHERE tokenHash = ? AND state = 'open' AND expiresAt > ?",
                arguments: [state.rawValue, hash.bytes, now.secondsSince1970])
            return try ApprovalRecord.fetch(hash, at: now, from: db, self.damage)?.approval
        }
    }
}
