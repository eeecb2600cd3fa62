import FoundationEssentials
import GRDB
package import Logging
package import MovieDomain

/// Exports and erases the data of users in the library's database.
package struct SQLiteUserData: UserDataRepository {
    /// The owners of a user as `own`, with the ids of guests: `:owner`; with `:device`, or with the device of a guest's session,
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

    /// - Parameters:
    ///   - key: Decrypts the secrets of erased sessions; nil leaves the sessions at their source open.
    ///   - now: The time of day.
    package init(
        _ database: LibraryDatabase, key: SecretKey?, logger: Logger, now: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.coder = key.map { SessionCoder(key: $0, logger: logger) }
        self.now = now
    }

    package func data(of owner: Owner) async throws -> UserData {
        let stored = try await self.database.read { db in
            let arguments = owner.arguments
            var stored = StoredUserData()
            stored.favourites = try Self.films(of: .favourites, arguments, db)
            stored.watchlist = try Self.films(of: .watchlist, arguments, db)
            stored.ratings = try Self.rows(
                """
                SELECT movie, ratedAt, snapshot, halves FROM localRating
                WHERE account IN (SELECT guest FROM own) ORDER BY ratedAt DESC, sequence DESC
                """, arguments, db
            ).compactMap { row in
                guard let film = StoredUserData.Film(row), let halves = row.integer(3) else { return nil }
                return StoredUserData.Rated(film: film, halves: halves)
            }
            stored.guests = try Self.rows(
                "SELECT id, username FROM localAccount WHERE id IN (SELECT guest FROM own) ORDER BY sequence",
                arguments, db
            ).compactMap { row in
                guard let id = row.text(0), let username = row.text(1) else { return nil }
                return GuestAccount(id: id, username: username)
            }
            stored.sessions = try Self.rows(
                "SELECT owner, expiresAt FROM session WHERE owner IN (SELECT owner FROM own) ORDER BY sequence",
                arguments, db
            ).compactMap { row in
                guard let owner = row.text(0), let end = row.integer(1) else { return nil }
                return (owner, end)
            }
            return stored
        }
        return stored.userData(of: owner)
    }

    package func erase(_ owner: Owner) async throws -> ErasedUserData {
        let (coder, now) = (self.coder, self.now())
        return try await self.database.write { db in
            let arguments = owner.arguments
            // Deleted rows are overwritten in the file, however SQLite was compiled.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            var erased = ErasedUserData()
            erased.upstreamSessions = try Self.upstreamSessions(coder, at: now, arguments, db)
            erased.favourites = try Self.delete("favourite WHERE owner IN (SELECT owner FROM own)", arguments, db)
            erased.watchlist = try Self.delete(
                "watchlistFilm WHERE owner IN (SELECT owner FROM own)", arguments, db)
            erased.ratings = try Self.delete("localRating WHERE account IN (SELECT guest FROM own)", arguments, db)
            erased.guests = try Self.delete("localAccount WHERE id IN (SELECT guest FROM own)", arguments, db)
            // The last: the others are found by them.
            erased.sessions = try Self.delete("session WHERE owner IN (SELECT owner FROM own)", arguments, db)
            return erased
        }
    }

    private static func films(
        of list: StoredList, _ arguments: StatementArguments, _ db: Database
    ) throws -> [StoredUserData.Film] {
        try Self.rows(
            """
            SELECT movie, addedAt, snapshot FROM \(list.rawValue)
            WHERE owner IN (SELECT owner FROM own) ORDER BY addedAt DESC, sequence DESC
            """, arguments, db
        ).compactMap { StoredUserData.Film($0) }
    }

    private static func rows(
        _ select: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [UserDataRow] {
        try Row.fetchAll(db, sql: "\(Self.own) \(select) LIMIT \(Self.limit)", arguments: arguments)
            .map { UserDataRow(values: Array($0.databaseValues)) }
    }

    /// - Parameter rows: A table and a condition.
    /// - Returns: The number of deleted rows.
    private static func delete(_ rows: String, _ arguments: StatementArguments, _ db: Database) throws -> Int {
        try db.execute(sql: "\(Self.own) DELETE FROM \(rows)", arguments: arguments)
        return db.changesCount
    }

    /// Those of lasting accounts, whose number `SQLiteSessions.Limits` bounds; guests end with their rows.
    private static func upstreamSessions(
        _ coder: SessionCoder?, at now: Instant, _ arguments: StatementArguments, _ db: Database
    ) throws -> [UpstreamSession] {
        guard let coder else { return [] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                \(Self.own)
                SELECT tokenHash, owner, ownerSource, ownerID, source, accountID, keyID, sealedSecret, device, expiresAt
                FROM session WHERE owner IN (SELECT owner FROM own) AND source IS NOT NULL AND source <> 'sample'
                """, arguments: arguments)
        return rows.compactMap { row in
            // A damaged row is erased like the others, and has no secret to end a session with.
            guard let record = try? SessionRecord(row: row) else { return nil }
            return coder.session(record, under: TokenHash(stored: record.tokenHash), at: now)?.upstream
        }
    }
}

/// The values of a row, of which damaged ones are nil.
private struct UserDataRow {
    let values: [DatabaseValue]

    func text(_ index: Int) -> String? { String.fromDatabaseValue(self.values[index]) }
    func integer(_ index: Int) -> Int64? { Int64.fromDatabaseValue(self.values[index]) }
}

extension StoredUserData.Film {
    /// From the columns of the film, the time and the snapshot; nil for a damaged row.
    fileprivate init?(_ row: UserDataRow) {
        guard let movie = row.text(0), let time = row.integer(1), let snapshot = row.text(2) else { return nil }
        self.init(movie: movie, addedAt: time, snapshot: snapshot)
    }
}

extension Owner {
    /// Of ``SQLiteUserData``'s statements.
    fileprivate var arguments: StatementArguments {
        ["owner": self.key, "device": self.deviceID, "guest": self.guestID]
    }

    /// nil for an account.
    package var deviceID: String? {
        if case .device(let id) = self { id } else { nil }
    }

    /// nil for a device and a lasting account.
    package var guestID: String? {
        if case .account(.embedded, let id) = self { id } else { nil }
    }
}
