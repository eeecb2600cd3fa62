import FoundationEssentials
import GRDB
import MovieDomain
import MovieLibrary
import RebuildableDatabase

/// A guest: a row of `localAccount` without its secret.
struct LocalAccount {
    let id: String
    let username: String

    /// A new guest with a random name.
    init() {
        let guest = GuestAccount()
        (self.id, self.username) = (guest.id, guest.username)
    }

    init(row: Row) throws(DamagedRow) {
        self.id = try row.checked("id")
        self.username = try row.checked("username")
    }

    var account: Account { GuestAccount(id: self.id, username: self.username).account }

    /// The account of a session; `nil` if the session has ended or belongs to another source.
    static func fetch(
        _ session: UpstreamSession, from db: Database, _ damage: DamagedRecords
    ) throws -> LocalAccount? {
        guard session.source == .embedded, let secret = TokenHash(session.secret) else { return nil }
        let statement = try db.cachedStatement(
            sql: "SELECT id, username FROM localAccount WHERE secretHash = ? AND id = ?")
        return try damage.firstRow(
            statement, [secret.bytes, session.accountID], of: "localAccount", LocalAccount.init(row:))
    }

    /// - Parameter limit: Maximum number of accounts; the oldest ones are deleted, those without a session first.
    func insert(_ db: Database, secret: TokenHash, limit: Int) throws {
        try db.execute(
            sql: "INSERT INTO localAccount (id, username, secretHash) VALUES (?, ?, ?)",
            arguments: [self.id, self.username, secret.bytes])
        let surplus = try (Int.fetchOne(db, sql: "SELECT count(*) FROM localAccount") ?? 0) - limit
        guard surplus > 0 else { return }
        // Deletes 1 % more, so that not every later insertion sorts all accounts. Deletes ratings with their accounts.
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
struct ApprovalRecord: Encodable, PersistableRecord {
    static let databaseTableName = "approvalWish"

    var tokenHash: Data
    var returnTo: String?
    var state: Approval.State
    var expiresAt: Int64

    init(tokenHash: Data, returnTo: String?, state: Approval.State, expiresAt: Int64) {
        self.tokenHash = tokenHash
        self.returnTo = returnTo
        self.state = state
        self.expiresAt = expiresAt
    }

    /// `nil` if the request is unknown or has expired.
    static func fetch(
        _ token: TokenHash, at now: Instant, from db: Database, _ damage: DamagedRecords
    ) throws -> ApprovalRecord? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM approvalWish WHERE tokenHash = ? AND expiresAt > ?")
        return try damage.firstRow(
            statement, [token.bytes, now.secondsSince1970], of: Self.databaseTableName, ApprovalRecord.init(row:))
    }

    private init(row: Row) throws(DamagedRow) {
        guard let state = Approval.State(rawValue: try row.checked("state")) else {
            throw DamagedRow("state is unknown")
        }
        self.init(
            tokenHash: try row.checked("tokenHash"), returnTo: try row.checked("returnTo"), state: state,
            expiresAt: try row.checked("expiresAt"))
    }

    var approval: Approval { Approval(state: self.state, returnTo: self.returnTo) }
}
