import GRDB
public import Logging
public import MovieDomain

/// Sessions in the library's database.
///
/// Of a token there is its SHA-256, of an upstream's secret what AES-GCM makes of it: whoever reads the file can neither
/// come as a client nor go to an upstream. A row that was changed or moved, or sealed with another key, is no session;
/// those of devices hold no secret and depend on no key.
public struct SQLiteSessions: SessionRepository {
    /// How much is kept.
    public struct Limits: Hashable, Sendable {
        /// Sessions of one account; the oldest go.
        public var perOwner = 50
        /// In all; the oldest of devices without favourites go, then the oldest of devices, then the oldest.
        public var total = 100_000

        /// 50 an account, 100,000 in all.
        public init() {}
    }

    /// The most expired rows that go when one comes.
    private static let batch = 500

    private let database: LibraryDatabase
    private let seal: SessionCipher
    private let limits: Limits
    private let logger: Logger
    private let now: @Sendable () -> Instant
    private let firstOtherKey = OnceFlag()
    private let firstBroken = OnceFlag()

    /// Sessions in `database`.
    ///
    /// - Parameters:
    ///   - key: Seals secrets. With another one than before, sessions of accounts are over.
    ///   - now: The time of day, by which expired sessions are removed.
    public init(
        _ database: LibraryDatabase, key: SecretKey, limits: Limits = Limits(),
        logger: Logger = Logger(label: "onesheet"), now: @escaping @Sendable () -> Instant
    ) {
        self.database = database
        self.seal = SessionCipher(key: key)
        self.limits = limits
        self.logger = logger
        self.now = now
    }

    /// Keeps a session under a token, instead of what was there.
    public func keep(_ session: Session, under token: AccessToken) async throws {
        let record = try self.record(of: session, under: TokenHash(token))
        let now = self.now().secondsSince1970
        try await self.database.write { db in
            try db.execute(sql: "DELETE FROM session WHERE tokenHash = ?", arguments: [record.tokenHash])
            try db.execute(
                sql: """
                    DELETE FROM session WHERE sequence IN (
                        SELECT sequence FROM session WHERE expiresAt <= ? ORDER BY expiresAt LIMIT ?)
                    """, arguments: [now, Self.batch])
            try record.insert(db)
            try db.execute(
                sql: """
                    DELETE FROM session WHERE sequence IN (
                        SELECT sequence FROM session WHERE owner = ? ORDER BY sequence DESC LIMIT -1 OFFSET ?)
                    """, arguments: [record.owner, max(1, self.limits.perOwner)])
            let total = max(1, self.limits.total)
            let surplus = try (Int.fetchOne(db, sql: "SELECT count(*) FROM session") ?? 0) - total
            guard surplus > 0 else { return }
            // Anybody can make devices as they like: those that nothing was kept for are worth the least. A few more, so that not
            // every later one sorts them all.
            try db.execute(
                sql: """
                    DELETE FROM session WHERE sequence IN (
                        SELECT sequence FROM session WHERE tokenHash <> ?
                        ORDER BY ownerSource IS NOT NULL,
                            EXISTS (SELECT 1 FROM favourite WHERE favourite.owner = session.owner), sequence
                        LIMIT ?)
                    """, arguments: [record.tokenHash, surplus + total / 100])
        }
    }

    /// nil when there is none, or when it has expired at `now`.
    public func session(under token: AccessToken, at now: Instant) async throws -> Session? {
        let hash = TokenHash(token)
        let record = try await self.database.read { db in
            try SessionRecord.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM session WHERE tokenHash = ?"), arguments: [hash.bytes])
        }
        return record.flatMap { self.session($0, under: hash, at: now) }
    }

    /// Of no effect when there is none.
    public func end(_ token: AccessToken, at now: Instant) async throws -> Session? {
        let hash = TokenHash(token)
        let record = try await self.database.write { db in
            let record = try SessionRecord.fetchOne(
                db, sql: "SELECT * FROM session WHERE tokenHash = ?", arguments: [hash.bytes])
            try db.execute(sql: "DELETE FROM session WHERE tokenHash = ?", arguments: [hash.bytes])
            return record
        }
        return record.flatMap { self.session($0, under: hash, at: now) }
    }

    private func record(of session: Session, under token: TokenHash) throws -> SessionRecord {
        do {
            return try SessionRecord(session, under: token, sealedBy: self.seal)
        } catch {
            throw StorageFailure(reason: "a secret cannot be sealed: \(error)")
        }
    }

    private func session(_ record: SessionRecord, under token: TokenHash, at now: Instant) -> Session? {
        guard now.secondsSince1970 < record.expiresAt else { return nil }
        do throws(SessionRecord.Flaw) {
            return try record.session(under: token, openedBy: self.seal)
        } catch {
            switch error {
            case .otherKey where self.firstOtherKey.setsFirst():
                self.logger.warning("Sessions were sealed with another key; their users have to sign in again")
            case .broken where self.firstBroken.setsFirst():
                self.logger.warning("A session in the library is not as it was written, and is not accepted")
            case .otherKey, .broken: break
            }
            return nil
        }
    }
}
