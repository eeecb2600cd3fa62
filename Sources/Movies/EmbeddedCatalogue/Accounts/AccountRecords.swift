import FoundationEssentials
import GRDB
import MovieDomain
import MovieLibrary

/// A guest: a row of `localAccount` without its secret.
struct LocalAccount: Decodable, FetchableRecord {
    let id: String
    let username: String

    /// A new guest with an invented name.
    init() {
        let guest = GuestAccount()
        (self.id, self.username) = (guest.id, guest.username)
    }

    var account: Account { GuestAccount(id: self.id, username: self.username).account }

    /// The account of a session; nil when it has ended, or belongs to another source.
    static func fetch(_ session: UpstreamSession, from db: Database) throws -> LocalAccount? {
        guard session.source == .embedded, let secret = TokenHash(session.secret) else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT id, username FROM localAccount WHERE secretHash = ? AND id = ?")
        return try LocalAccount.fetchOne(statement, arguments: [secret.bytes, session.accountID])
    }

    /// - Parameter limit: Of accounts in all.
    func insert(_ db: Database, secret: TokenHash, limit: Int) throws {
        try db.execute(
            sql: "INSERT INTO localAccount (id, username, secretHash) VALUES (?, ?, ?)",
            arguments: [self.id, self.username, secret.bytes])
        let surplus = try (Int.fetchOne(db, sql: "SELECT count(*) FROM localAccount") ?? 0) - limit
        guard surplus > 0 else { return }
        // 1 % more, so that not every later insertion sorts all. Ratings are deleted with their accounts.
        try db.execute(
            sql: """
                DELETE FROM localAccount WHERE sequence IN (
                    SELECT sequence FROM localAccount WHERE id <> ?
                    ORDER BY EXISTS (SELECT 1 FROM session WHERE owner = 'sample:' || localAccount.id), sequence
                    LIMIT ?)
                """, arguments: [self.id, surplus + limit / 100])
    }
}

/// A row of `approvalWish`.
struct ApprovalRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "approvalWish"

    var tokenHash: Data
    var returnTo: String?
    var state: Approval.State
    var expiresAt: Int64

    /// nil when there is none, or it has expired.
    static func fetch(_ token: TokenHash, at now: Instant, from db: Database) throws -> ApprovalRecord? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM approvalWish WHERE tokenHash = ? AND expiresAt > ?")
        return try ApprovalRecord.fetchOne(statement, arguments: [token.bytes, now.secondsSince1970])
    }

    var approval: Approval {
        Approval(state: self.state, returnTo: self.returnTo, expiresAt: Instant(secondsSince1970: self.expiresAt))
    }
}
