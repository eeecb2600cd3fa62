import FoundationEssentials
import GRDB
import MovieDomain
import MovieLibrary

/// A row of `approvalWish`.
struct ApprovalRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "approvalWish"

    enum State: String, Codable {
        case open, approved, denied
    }

    var tokenHash: Data
    var returnTo: String?
    var state: State
    var expiresAt: Int64

    /// nil when there is none, or it is too old.
    static func fetch(_ token: TokenHash, at now: Instant, from db: Database) throws -> ApprovalRecord? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM approvalWish WHERE tokenHash = ? AND expiresAt > ?")
        return try ApprovalRecord.fetchOne(statement, arguments: [token.bytes, now.secondsSince1970])
    }

    var approval: Approval {
        let state: Approval.State =
            switch self.state {
            case .open: .open
            case .approved: .approved
            case .denied: .denied
            }
        return Approval(
            state: state, returnTo: self.returnTo, expiresAt: Instant(secondsSince1970: self.expiresAt))
    }
}
