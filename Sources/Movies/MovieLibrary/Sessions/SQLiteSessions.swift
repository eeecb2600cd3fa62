import GRDB
package import Logging
package import MovieDomain
import RebuildableDatabase

/// Sessions in the library's database.
///
/// Tokens are stored as SHA-256 digests, upstream secrets encrypted with AES-GCM: a leaked file gives access to
/// neither. A changed, moved or differently encrypted row is invalid. Devices have no secret, and need no key.
package struct SQLiteSessions: SessionRepository {
    package struct Limits: Hashable, Sendable {
        /// Maximum number of sessions per account, `50` by default; the oldest are evicted.
        package var perOwner = 50
        /// Maximum number of sessions, `100,000` by default. Evicts the oldest of devices without favourites or
        /// watchlist, then of devices, then of accounts, and last of devices with lists that an account's session uses.
        package var total = 100_000

        package init() {}
    }

    /// Maximum number of expired rows deleted by one insertion.
    private static let batch = 500
    /// Maximum number of cached rows, some 500 bytes each.
    private static let knownLimit = 4096

    private let database: LibraryDatabase
    private let coder: SessionCoder
    private let limits: Limits
    private let now: @Sendable () -> Instant
    /// Stored rows; their secrets stay sealed.
    private let known: RowCache<TokenHash, SessionRecord>

    /// - Parameters:
    ///   - key: Encrypts secrets. A new key ends the sessions of accounts.
    ///   - now: The current time, which expires sessions.
    package init(
        _ database: LibraryDatabase, key: SecretKey, limits: Limits = Limits(),
        logger: Logger = Logger(label: "onesheet"), now: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.known = RowCache(of: SessionRecord.databaseTableName, database.changes, limit: Self.knownLimit)
        self.coder = SessionCoder(key: key, logger: logger)
        self.limits = limits
        self.now = now
    }

    package func keep(_ session: Session, under token: AccessToken) async throws {
        let record = try self.coder.record(of: session, under: TokenHash(token))
        let now = self.now().secondsSince1970
        try await self.database.write { db in
            try db.execute(sql: "DELETE FROM session WHERE tokenHash = ?", arguments: [record.tokenHash])
            try db.execute(
                sql: """
                    DELETE FROM session WHERE sequence IN (
                        SELECT sequence FROM session WHERE expiresAt <= ? ORDER BY expiresAt LIMIT ?)
                    """, arguments: [now, Self.batch])
            try record.insert(db)
            if let device = record.device { try Self.renew(device, until: record.expiresAt, in: db) }
            try db.execute(
                sql: """
                    DELETE FROM session WHERE sequence IN (
                        SELECT sequence FROM session WHERE owner = ? ORDER BY sequence DESC LIMIT -1 OFFSET ?)
                    """, arguments: [record.owner, max(1, self.limits.perOwner)])
            let total = max(1, self.limits.total)
            let surplus = try (Int.fetchOne(db, sql: "SELECT count(*) FROM session") ?? 0) - total
            guard surplus > 0 else { return }
            // Clients can create devices at will: devices without films are evicted first. Deletes 1 % more, so that
            // not every later insertion sorts all sessions.
            try db.execute(
                sql: """
                    DELETE FROM session WHERE sequence IN (
                        SELECT sequence FROM session WHERE tokenHash <> ?
                        ORDER BY CASE
                            WHEN ownerSource IS NOT NULL THEN 2
                            WHEN ownerID IN (SELECT device FROM session WHERE device IS NOT NULL AND expiresAt > ?) THEN 3
                            ELSE \(Self.ownsFilms)
                            END, sequence
                        LIMIT ?)
                    """, arguments: [record.tokenHash, now, surplus + total / 100])
        }
    }

    private static let ownsFilms =
        "("
        + StoredList.allCases.map { list in
            "EXISTS (SELECT 1 FROM \(list.rawValue) AS kept WHERE kept.owner = session.owner)"
        }.joined(separator: " OR ") + ")"

    package func session(under token: AccessToken, at now: Instant) async throws -> Session? {
        let hash = TokenHash(token)
        let record = try await self.known.value(for: hash) {
            try await self.database.readByOneStatement { [damage = self.database.damage] db in
                try Self.record(of: hash, db, damage)
            }
        }
        return record.flatMap { self.coder.session($0, under: hash, at: now) }
    }

    private static func record(
        of token: TokenHash, _ db: Database, _ damage: DamagedRecords
    ) throws -> SessionRecord? {
        try damage.firstRow(
            db.cachedStatement(sql: SessionRecord.selectByToken), [token.bytes], of: SessionRecord.databaseTableName,
            SessionRecord.init(row:))
    }

    package func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws {
        let (hash, end) = (TokenHash(token), end.secondsSince1970)
        try await self.database.write { db in
            try db.execute(
                sql: "UPDATE session SET expiresAt = ? WHERE tokenHash = ? AND expiresAt < ?",
                arguments: [end, hash.bytes, end])
            let device = try String.fetchOne(
                db, sql: "SELECT device FROM session WHERE tokenHash = ?", arguments: [hash.bytes])
            if let device { try Self.renew(device, until: deviceEnd.secondsSince1970, in: db) }
        }
    }

    private static func renew(_ device: String, until end: Int64, in db: Database) throws {
        try db.execute(
            sql: "UPDATE session SET expiresAt = ? WHERE owner = ? AND expiresAt < ?",
            arguments: [end, Owner.device(id: device).key, end])
    }

    /// Removes the films of a device without sessions.
    private static func removeFilms(of device: String, in db: Database) throws {
        let owner = Owner.device(id: device).key
        for list in StoredList.allCases {
            try db.execute(
                sql: """
                    DELETE FROM \(list.rawValue) WHERE owner = ?
                        AND NOT EXISTS (SELECT 1 FROM session WHERE owner = ? OR device = ?)
                    """, arguments: [owner, owner, device])
        }
    }

    /// Has no effect if there is no session.
    package func end(_ token: AccessToken, at now: Instant) async throws -> Session? {
        let hash = TokenHash(token)
        let record = try await self.database.write { [damage = self.database.damage] db in
            let record = try Self.record(of: hash, db, damage)
            try db.execute(sql: "DELETE FROM session WHERE tokenHash = ?", arguments: [hash.bytes])
            if let device = record?.device { try Self.removeFilms(of: device, in: db) }
            return record
        }
        return record.flatMap { self.coder.session($0, under: hash, at: now) }
    }
}
