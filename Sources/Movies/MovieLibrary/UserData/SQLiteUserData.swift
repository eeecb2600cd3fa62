import GRDB
package import Logging
package import MovieDomain
import RebuildableDatabase

/// Exports and erases the data of users in the library's database.
package struct SQLiteUserData: UserDataRepository {
    /// A user's owners as `own`, with the ids of guests: `:owner`; for `:device`, or the device of a guest's session,
    /// that device and all guests that used it.
    private static let own = """
        WITH device(id) AS (
            SELECT :device WHERE :device IS NOT NULL
            UNION SELECT device FROM session
                WHERE owner = :owner AND ownerSource = 'sample' AND device IS NOT NULL
        ), own(owner, guest) AS (
            SELECT :owner, :guest
            UNION SELECT 'device:' || id, NULL FROM device
            UNION SELECT owner, ownerID FROM session
                WHERE ownerSource = 'sample' AND device IN (SELECT id FROM device)
        )
        """
    private static let limit = StoredUserData.queryLimit

    private let database: LibraryDatabase
    private let coder: SessionCoder?
    private let now: @Sendable () -> Instant

    /// - Parameter key: Decrypts the secrets of erased sessions; `nil` leaves the sessions at their source open.
    package init(
        _ database: LibraryDatabase, key: SecretKey?, logger: Logger, now: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.coder = key.map { SessionCoder(key: $0, logger: logger) }
        self.now = now
    }

    package func data(of owner: Owner) async throws -> UserData {
        let damage = self.database.damage
        let stored = try await self.database.read { db in
            func rows<Value>(
                _ select: String, of table: String, decode: (Row) throws -> Value
            ) throws -> [Value] {
                let statement = try db.cachedStatement(sql: "\(Self.own) \(select) LIMIT \(Self.limit)")
                return try damage.rows(statement, owner.arguments, of: table, decode)
            }
            func films(of list: StoredList) throws -> [StoredUserData.Film] {
                try rows(
                    """
                    SELECT movie, addedAt, snapshot FROM \(list.rawValue)
                    WHERE owner IN (SELECT owner FROM own) ORDER BY addedAt DESC, sequence DESC
                    """, of: list.rawValue
                ) { try StoredUserData.Film($0, time: "addedAt") }
            }
            var stored = StoredUserData()
            stored.favourites = try films(of: .favourites)
            stored.watchlist = try films(of: .watchlist)
            stored.ratings = try rows(
                """
                SELECT movie, ratedAt, snapshot, halves FROM localRating
                WHERE account IN (SELECT guest FROM own) ORDER BY ratedAt DESC, sequence DESC
                """, of: "localRating"
            ) { StoredUserData.Rated(film: try .init($0, time: "ratedAt"), halves: try $0.checked("halves")) }
            stored.guests = try rows(
                "SELECT id, username FROM localAccount WHERE id IN (SELECT guest FROM own) ORDER BY sequence",
                of: "localAccount"
            ) { GuestAccount(id: try $0.checked("id"), username: try $0.checked("username")) }
            stored.sessions = try rows(
                "SELECT owner, expiresAt FROM session WHERE owner IN (SELECT owner FROM own) ORDER BY sequence",
                of: SessionRecord.databaseTableName
            ) { (try $0.checked("owner"), try $0.checked("expiresAt")) }
            return stored
        }
        return stored.userData(of: owner)
    }

    package func erase(_ owner: Owner) async throws -> ErasedUserData {
        let (coder, now, damage) = (self.coder, self.now(), self.database.damage)
        return try await self.database.write { db in
            let arguments = owner.arguments
            // Overwrites deleted rows in the file, regardless of SQLite's compile-time options.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            var erased = ErasedUserData()
            erased.upstreamSessions = try Self.upstreamSessions(coder, at: now, arguments, db, damage)
            erased.favourites = try Self.delete("favourite WHERE owner IN (SELECT owner FROM own)", arguments, db)
            erased.watchlist = try Self.delete(
                "watchlistFilm WHERE owner IN (SELECT owner FROM own)", arguments, db)
            erased.ratings = try Self.delete("localRating WHERE account IN (SELECT guest FROM own)", arguments, db)
            erased.guests = try Self.delete("localAccount WHERE id IN (SELECT guest FROM own)", arguments, db)
            // Deleted last: the other rows are found by them.
            erased.sessions = try Self.delete("session WHERE owner IN (SELECT owner FROM own)", arguments, db)
            return erased
        }
    }

    /// - Parameter rows: A table and a condition.
    /// - Returns: The number of deleted rows.
    private static func delete(_ rows: String, _ arguments: StatementArguments, _ db: Database) throws -> Int {
        try db.execute(sql: "\(Self.own) DELETE FROM \(rows)", arguments: arguments)
        return db.changesCount
    }

    /// The sessions of permanent accounts, limited by `SQLiteSessions.Limits`; guests' sessions end with their rows.
    private static func upstreamSessions(
        _ coder: SessionCoder?, at now: Instant, _ arguments: StatementArguments, _ db: Database,
        _ damage: DamagedRecords
    ) throws -> [UpstreamSession] {
        guard let coder else { return [] }
        let statement = try db.cachedStatement(
            sql: """
                \(Self.own)
                SELECT tokenHash, owner, ownerSource, ownerID, source, accountID, keyID, sealedSecret, device, expiresAt
                FROM session WHERE owner IN (SELECT owner FROM own) AND source IS NOT NULL AND source <> 'sample'
                """)
        // A damaged row is erased as well, without a secret to end its session.
        let records = try damage.rows(
            statement, arguments, of: SessionRecord.databaseTableName, SessionRecord.init(row:))
        return records.compactMap { record in
            coder.session(record, under: TokenHash(stored: record.tokenHash), at: now)?.upstream
        }
    }
}

extension StoredUserData.Film {
    fileprivate init(_ row: Row, time column: String) throws(DamagedRow) {
        self.init(
            movie: try row.checked("movie"), addedAt: try row.checked(column), snapshot: try row.checked("snapshot"))
    }
}

extension Owner {
    fileprivate var arguments: StatementArguments {
        ["owner": self.key, "device": self.deviceID, "guest": self.guestID]
    }

    /// `nil` for an account.
    package var deviceID: String? {
        if case .device(let id) = self { id } else { nil }
    }

    /// `nil` for a device or a permanent account.
    package var guestID: String? {
        if case .account(.embedded, let id) = self { id } else { nil }
    }
}
