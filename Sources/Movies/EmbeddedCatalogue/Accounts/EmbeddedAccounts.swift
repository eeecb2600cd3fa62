import GRDB
public import MovieDomain
public import MovieLibrary

/// Accounts of this installation's own, so that signing in and rating work without a key and a network.
///
/// There are no passwords. Whoever approves of a wish becomes a new guest with an invented name, who lasts as long as
/// the session: one account that all share would show everybody's ratings to everybody, and a name that one may choose
/// somebody else's. Wishes and accounts are in the library's database, their secrets hashed, so a restart ends nothing.
public struct EmbeddedAccounts: AccountRepository, ApprovalHandler {
    /// How much is kept, and for how long.
    public struct Limits: Hashable, Sendable {
        /// How long a wish may be approved of and made use of.
        public var wishSeconds: Int64 = 3600
        /// Wishes in all; the oldest go. More than `SignUpRateLimiter` lets come while one lasts.
        public var wishes = 10_000
        /// Accounts in all; the oldest of those go whom no client holds a token for, then the oldest.
        public var accounts = 100_000
        /// Ratings of a page.
        public var pageSize = 20

        /// An hour, 10,000 wishes, 100,000 accounts, 20 ratings a page.
        public init() {}
    }

    /// The longest URL that is led back to, in bytes; a longer one is taken for none.
    public static let maxReturnLength = 4096

    let database: LibraryDatabase
    let movies: any MovieRepository
    let limits: Limits
    let now: @Sendable () -> Instant
    private let publicBase: String

    /// Accounts in `database`.
    ///
    /// - Parameters:
    ///   - publicBase: What clients put before paths of this server, without a slash at its end, such as
    ///     `https://posters.example`; empty for URLs of a path only.
    ///   - movies: The films that can be rated.
    ///   - now: The time of day.
    public init(
        _ database: LibraryDatabase, publicBase: String, movies: any MovieRepository, limits: Limits = Limits(),
        now: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.publicBase = publicBase
        self.movies = movies
        self.limits = limits
        self.now = now
    }

    /// The embedded one.
    public var source: MovieSource { .embedded }

    /// A wish to act for somebody, which they approve at `/auth/approve/{token}` of this server.
    public func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        let token = AccessToken()
        let hash = TokenHash(token)
        let now = self.now().secondsSince1970
        let (expiresAt, limit) = (now + self.limits.wishSeconds, max(1, self.limits.wishes))
        let returnTo = returningTo.flatMap { (1...Self.maxReturnLength).contains($0.utf8.count) ? $0 : nil }
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

    /// What the wish has become; an approved one makes a guest, once.
    public func session(for requestToken: String) async throws -> UpstreamSession {
        guard let hash = TokenHash(requestToken) else { throw AuthorizationFailure.unknownToken }
        let now = self.now()
        let read = { @Sendable (db: Database) throws -> ApprovalRecord.State in
            guard let wish = try ApprovalRecord.fetch(hash, at: now, from: db) else {
                throw AuthorizationFailure.unknownToken
            }
            return wish.state
        }
        // Clients ask again and again: that should not keep others from writing.
        switch try await self.database.read(read) {
        case .open: throw AuthorizationFailure.notApproved
        case .denied: throw AuthorizationFailure.denied
        case .approved: break
        }
        let guest = LocalAccount()
        let secret = AccessToken()
        let limit = max(1, self.limits.accounts)
        try await self.database.write { db in
            // Somebody else may have made use of it meanwhile.
            _ = try read(db)
            try db.execute(sql: "DELETE FROM approvalWish WHERE tokenHash = ?", arguments: [hash.bytes])
            try guest.insert(db, secret: TokenHash(secret), limit: limit)
        }
        return UpstreamSession(source: .embedded, secret: secret.text, accountID: guest.id)
    }

    /// The guest goes, with ratings and favourites: nobody could come back to them.
    public func end(_ session: UpstreamSession) async throws {
        try await self.database.write { db in
            guard let guest = try LocalAccount.fetch(session, from: db) else { return }
            try db.execute(
                sql: "DELETE FROM favourite WHERE owner = ?",
                arguments: [Owner.account(.embedded, id: guest.id).key])
            try db.execute(sql: "DELETE FROM localAccount WHERE id = ?", arguments: [guest.id])
        }
    }

    /// Whom the session acts for.
    public func account(of session: UpstreamSession) async throws -> Account {
        try await self.database.read { db in
            guard let guest = try LocalAccount.fetch(session, from: db) else { throw SessionExpired() }
            return guest.account
        }
    }
}

extension EmbeddedAccounts {
    /// What a wish has become so far; nil when there is none, or it is too old.
    public func approval(of requestToken: String) async throws -> Approval? {
        guard let hash = TokenHash(requestToken) else { return nil }
        let now = self.now()
        return try await self.database.read { db in try ApprovalRecord.fetch(hash, at: now, from: db)?.approval }
    }

    /// Notes what the user said; of no effect once they have said something.
    public func decide(_ requestToken: String, approves: Bool) async throws -> Approval? {
        guard let hash = TokenHash(requestToken) else { return nil }
        let (now, state) = (self.now(), approves ? ApprovalRecord.State.approved : .denied)
        return try await self.database.write { db in
            try db.execute(
                sql: "UPDATE approvalWish SET state = ? WHERE tokenHash = ? AND state = 'open' AND expiresAt > ?",
                arguments: [state.rawValue, hash.bytes, now.secondsSince1970])
            return try ApprovalRecord.fetch(hash, at: now, from: db)?.approval
        }
    }
}
