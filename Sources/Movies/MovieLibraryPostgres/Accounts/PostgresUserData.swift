import Logging
package import MovieDomain
package import MovieLibrary

/// Exports and erases users' data in PostgreSQL, like `SQLiteUserData`. No node accepts an erased session afterwards.
package struct PostgresUserData: UserDataRepository {
    /// A user's owners as `own`, with the ids of guests: `$1`; for the device `$2`, or the device of a guest's session,
    /// that device and all guests that used it. `$3` is the id of a guest.
    private static let own = """
        WITH device(id) AS (
            SELECT $2::text WHERE $2::text IS NOT NULL
            UNION SELECT device FROM session
                WHERE owner = $1::text AND owner_source = 'sample' AND device IS NOT NULL
        ), own(owner, guest) AS MATERIALIZED (
            SELECT $1::text, $3::text
            UNION SELECT 'device:' || id, NULL FROM device
            UNION SELECT owner, owner_id FROM session
                WHERE owner_source = 'sample' AND device IN (SELECT id FROM device)
        )
        """
    private static let limit = StoredUserData.queryLimit

    private let library: PostgresLibrary
    private let coder: SessionCoder?
    private let now: @Sendable () -> Instant

    /// - Parameter key: Decrypts the secrets of erased sessions; `nil` leaves the sessions at their source open.
    package init(_ library: PostgresLibrary, key: SecretKey?, now: @escaping @Sendable () -> Instant) {
        self.library = library
        self.coder = key.map { SessionCoder(key: $0, logger: library.logger) }
        self.now = now
    }

    package func data(of owner: Owner) async throws -> UserData {
        let stored = try await self.library.read { connection in
            func rows(_ select: String) throws -> [PostgresRow] {
                try connection.execute("\(Self.own) \(select) LIMIT \(Self.limit)", owner.parameters).rows
            }
            func films(of list: StoredList) throws -> [StoredUserData.Film] {
                try rows(
                    """
                    SELECT movie, added_at, snapshot FROM \(list.postgresTable)
                    WHERE owner IN (SELECT owner FROM own) ORDER BY added_at DESC, sequence DESC
                    """
                ).compactMap { StoredUserData.Film($0) }
            }
            var stored = StoredUserData()
            stored.favourites = try films(of: .favourites)
            stored.watchlist = try films(of: .watchlist)
            stored.ratings = try rows(
                """
                SELECT movie, rated_at, snapshot, halves FROM guest_rating
                WHERE account IN (SELECT guest FROM own) ORDER BY rated_at DESC, sequence DESC
                """
            ).compactMap { row in
                guard let film = StoredUserData.Film(row), let halves = row.integer(3) else { return nil }
                return StoredUserData.Rated(film: film, halves: halves)
            }
            stored.guests = try rows(
                "SELECT id, username FROM guest WHERE id IN (SELECT guest FROM own) ORDER BY sequence"
            ).compactMap { row in
                guard let id = row.text(0), let username = row.text(1) else { return nil }
                return GuestAccount(id: id, username: username)
            }
            stored.sessions = try rows(
                "SELECT owner, expires_at FROM session WHERE owner IN (SELECT owner FROM own) ORDER BY sequence"
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
        return try await self.library.write { connection in
            try connection.lock(owner: owner.key)
            var erased = ErasedUserData()
            erased.upstreamSessions = try Self.upstreamSessions(of: owner, coder, at: now, connection)
            let counts = try connection.execute(Self.deletion, owner.parameters).rows.first
            func count(_ index: Int) -> Int { Int(clamping: counts?.integer(index) ?? 0) }
            (erased.favourites, erased.watchlist) = (count(0), count(1))
            (erased.ratings, erased.guests, erased.sessions) = (count(2), count(3), count(4))
            return erased
        }
    }

    /// A single statement, with one snapshot: erases a guest that signs in meanwhile with its ratings or not at all.
    private static let deletion = """
        \(Self.own), favourites AS (
            DELETE FROM \(StoredList.favourites.postgresTable) WHERE owner IN (SELECT owner FROM own) RETURNING 1
        ), watchlist AS (
            DELETE FROM \(StoredList.watchlist.postgresTable) WHERE owner IN (SELECT owner FROM own) RETURNING 1
        ), ratings AS (
            DELETE FROM guest_rating WHERE account IN (SELECT guest FROM own) RETURNING 1
        ), guests AS (
            DELETE FROM guest WHERE id IN (SELECT guest FROM own) RETURNING 1
        ), sessions AS (
            DELETE FROM session WHERE owner IN (SELECT owner FROM own) RETURNING 1
        )
        SELECT (SELECT count(*) FROM favourites), (SELECT count(*) FROM watchlist), (SELECT count(*) FROM ratings),
            (SELECT count(*) FROM guests), (SELECT count(*) FROM sessions)
        """

    /// The sessions of permanent accounts, limited by `SQLiteSessions.Limits`; guests' sessions end with their rows.
    private static func upstreamSessions(
        of owner: Owner, _ coder: SessionCoder?, at now: Instant, _ connection: PostgresConnection
    ) throws -> [UpstreamSession] {
        guard let coder else { return [] }
        return try connection.execute(
            """
            \(Self.own)
            SELECT token_hash, session.owner, owner_source, owner_id, source, account_id, key_id, sealed_secret, device,
                expires_at
            FROM session WHERE owner IN (SELECT owner FROM own) AND source IS NOT NULL AND source <> 'sample'
            """, owner.parameters
        ).rows.compactMap { row in
            guard let record = SessionRecord(row) else { return nil }
            return coder.session(record, under: TokenHash(stored: record.tokenHash), at: now)?.upstream
        }
    }
}

extension StoredUserData.Film {
    /// Reads the columns film, time and snapshot; `nil` if a value is missing.
    fileprivate init?(_ row: PostgresRow) {
        guard let movie = row.text(0), let time = row.integer(1), let snapshot = row.text(2) else { return nil }
        self.init(movie: movie, addedAt: time, snapshot: snapshot)
    }
}

extension Owner {
    fileprivate var parameters: [PostgresValue] {
        [.text(self.key), .text(orNull: self.deviceID), .text(orNull: self.guestID)]
    }
}
