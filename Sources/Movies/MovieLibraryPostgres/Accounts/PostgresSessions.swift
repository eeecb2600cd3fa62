import FoundationEssentials
import Logging
package import MovieDomain
package import MovieLibrary

/// Sessions in PostgreSQL. Behaves like `SQLiteSessions`, but without a cache: a session that ends on one node is
/// invalid on all nodes at once.
///
/// All nodes need the same key; otherwise each accepts only its own accounts' sessions.
package final class PostgresSessions: SessionRepository {
    /// Insertions between two counts of the rows.
    private static let countingInterval = 100
    /// Maximum number of expired rows deleted by one insertion.
    private static let batch = 500
    /// The columns in the order of ``SessionRecord/init(_:)``.
    private static let selectByToken = """
        SELECT token_hash, owner, owner_source, owner_id, source, account_id, key_id, sealed_secret, device, expires_at
        FROM session WHERE token_hash = $1
        """

    private let library: PostgresLibrary
    private let coder: SessionCoder
    private let limits: SQLiteSessions.Limits
    private let now: @Sendable () -> Instant
    private let counting = CountingInterval(PostgresSessions.countingInterval)

    /// - Parameters:
    ///   - key: Encrypts secrets; the same on all nodes.
    ///   - limits: The total may be exceeded by up to a hundred sessions per node.
    ///   - now: The current time, which expires sessions.
    package init(
        _ library: PostgresLibrary, key: SecretKey, limits: SQLiteSessions.Limits = SQLiteSessions.Limits(),
        now: @escaping @Sendable () -> Instant
    ) {
        self.library = library
        self.coder = SessionCoder(key: key, logger: library.logger)
        self.limits = limits
        self.now = now
    }

    package func keep(_ session: Session, under token: AccessToken) async throws {
        let record = try self.coder.record(of: session, under: TokenHash(token))
        let (now, limits) = (self.now().secondsSince1970, self.limits)
        let isCountingDue = self.counting.isDue()
        try await self.library.write { connection in
            try connection.lock(owner: record.owner)
            _ = try connection.execute(
                """
                DELETE FROM session WHERE sequence IN (
                    SELECT sequence FROM session WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2
                    FOR UPDATE SKIP LOCKED)
                """, [.integer(now), .integer(Int64(Self.batch))])
            _ = try connection.execute(
                """
                INSERT INTO session (
                    token_hash, owner, owner_source, owner_id, source, account_id, key_id, sealed_secret, device,
                    expires_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                ON CONFLICT (token_hash) DO UPDATE SET
                    sequence = DEFAULT, owner = excluded.owner, owner_source = excluded.owner_source,
                    owner_id = excluded.owner_id, source = excluded.source, account_id = excluded.account_id,
                    key_id = excluded.key_id, sealed_secret = excluded.sealed_secret, device = excluded.device,
                    expires_at = excluded.expires_at
                """, record.values)
            if let device = record.device { try Self.renew(device, until: record.expiresAt, connection) }
            _ = try connection.execute(
                """
                DELETE FROM session WHERE sequence IN (
                    SELECT sequence FROM session WHERE owner = $1 ORDER BY sequence DESC OFFSET $2)
                """, [.text(record.owner), .integer(Int64(max(1, limits.perOwner)))])
            if isCountingDue { try Self.evict(connection, besides: record, limits, at: now) }
        }
    }

    /// Evicts sessions above the limit. Clients can create devices at will: devices without films are evicted first.
    /// Deletes 1 % more, so that not every later insertion sorts all sessions.
    private static func evict(
        _ connection: PostgresConnection, besides record: SessionRecord, _ limits: SQLiteSessions.Limits, at now: Int64
    ) throws {
        let total = Int64(max(1, limits.total))
        let surplus = try (connection.execute("SELECT count(*) FROM session").integer ?? 0) - total
        guard surplus > 0 else { return }
        let ownsFilms = StoredList.allCases.map { list in
            "EXISTS (SELECT 1 FROM \(list.postgresTable) AS kept WHERE kept.owner = session.owner)"
        }
        _ = try connection.execute(
            """
            DELETE FROM session WHERE sequence IN (
                SELECT sequence FROM session WHERE token_hash <> $1
                ORDER BY CASE
                    WHEN owner_source IS NOT NULL THEN 2
                    WHEN owner_id IN (SELECT device FROM session WHERE device IS NOT NULL AND expires_at > $2) THEN 3
                    WHEN \(ownsFilms.joined(separator: " OR ")) THEN 1
                    ELSE 0
                    END, sequence
                LIMIT $3)
            """, [.bytes(Array(record.tokenHash)), .integer(now), .integer(surplus + total / 100)])
    }

    package func session(under token: AccessToken, at now: Instant) async throws -> Session? {
        let hash = TokenHash(token)
        let row = try await self.library.read { connection in
            try connection.execute(Self.selectByToken, [.bytes(Array(hash.bytes))]).rows.first
        }
        return row.flatMap { SessionRecord($0) }.flatMap { self.coder.session($0, under: hash, at: now) }
    }

    package func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws {
        let hash = PostgresValue.bytes(Array(TokenHash(token).bytes))
        try await self.library.write { connection in
            _ = try connection.execute(
                "UPDATE session SET expires_at = $2 WHERE token_hash = $1 AND expires_at < $2",
                [hash, .integer(end.secondsSince1970)])
            let device = try connection.execute("SELECT device FROM session WHERE token_hash = $1", [hash])
            if let device = device.rows.first?.text(0) {
                try Self.renew(device, until: deviceEnd.secondsSince1970, connection)
            }
        }
    }

    private static func renew(_ device: String, until end: Int64, _ connection: PostgresConnection) throws {
        _ = try connection.execute(
            "UPDATE session SET expires_at = $2 WHERE owner = $1 AND expires_at < $2",
            [.text(Owner.device(id: device).key), .integer(end)])
    }

    /// Has no effect if there is no session.
    package func end(_ token: AccessToken, at now: Instant) async throws -> Session? {
        let hash = TokenHash(token)
        let row = try await self.library.write { connection in
            let key = PostgresValue.bytes(Array(hash.bytes))
            let row = try connection.execute(Self.selectByToken, [key]).rows.first
            _ = try connection.execute("DELETE FROM session WHERE token_hash = $1", [key])
            if let device = row?.text(8) { try Self.removeFilms(of: device, connection) }
            return row
        }
        return row.flatMap { SessionRecord($0) }.flatMap { self.coder.session($0, under: hash, at: now) }
    }

    /// Removes the films of a device without sessions.
    private static func removeFilms(of device: String, _ connection: PostgresConnection) throws {
        for list in StoredList.allCases {
            _ = try connection.execute(
                """
                DELETE FROM \(list.postgresTable) WHERE owner = $1
                    AND NOT EXISTS (SELECT 1 FROM session WHERE owner = $1 OR device = $2)
                """, [.text(Owner.device(id: device).key), .text(device)])
        }
    }
}

extension SessionRecord {
    init?(_ row: PostgresRow) {
        guard let tokenHash = row.bytes(0), let owner = row.text(1), let ownerID = row.text(3),
            let expiresAt = row.integer(9)
        else { return nil }
        self.init(
            tokenHash: Data(tokenHash), owner: owner, ownerSource: row.text(2), ownerID: ownerID, source: row.text(4),
            accountID: row.text(5), keyID: row.text(6), sealedSecret: row.bytes(7).map { Data($0) },
            device: row.text(8), expiresAt: expiresAt)
    }

    var values: [PostgresValue] {
        [
            .bytes(Array(self.tokenHash)), .text(self.owner), .text(orNull: self.ownerSource), .text(self.ownerID),
            .text(orNull: self.source), .text(orNull: self.accountID), .text(orNull: self.keyID),
            .bytes(orNull: self.sealedSecret), .text(orNull: self.device), .integer(self.expiresAt),
        ]
    }
}
