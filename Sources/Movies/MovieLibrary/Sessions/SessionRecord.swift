import Cryptography
package import FoundationEssentials
import GRDB
package import MovieDomain
import RebuildableDatabase

/// A row of `session`.
package struct SessionRecord: Encodable, PersistableRecord, Sendable {
    package static let databaseTableName = "session"
    /// The columns in the order of ``init(row:)``.
    static let selectByToken = """
        SELECT tokenHash, owner, ownerSource, ownerID, source, accountID, keyID, sealedSecret, device, expiresAt
        FROM session WHERE tokenHash = ?
        """

    package var tokenHash: Data
    package var owner: String
    /// `nil` for a device.
    package var ownerSource: String?
    package var ownerID: String
    /// The source of the upstream session; `nil` for a device, like ``accountID``, ``keyID`` and ``sealedSecret``.
    package var source: String?
    package var accountID: String?
    /// The id of the key that sealed the secret.
    package var keyID: String?
    package var sealedSecret: Data?
    /// The id of the signed-in device. Not sealed: a program that can write the file can change favourites anyway.
    package var device: String?
    package var expiresAt: Int64

    package init(_ session: Session, under token: TokenHash, sealedBy seal: SessionCipher) throws {
        self.tokenHash = token.bytes
        self.owner = session.owner.key
        switch session.owner {
        case .account(let source, let id): (self.ownerSource, self.ownerID) = (source.rawValue, id)
        case .device(let id): self.ownerID = id
        }
        if let upstream = session.upstream {
            self.source = upstream.source.rawValue
            self.accountID = upstream.accountID
            self.keyID = seal.key.id
            self.sealedSecret = try seal.seal(upstream, for: token, of: session.owner)
        }
        self.device = session.device
        self.expiresAt = session.expiresAt.secondsSince1970
    }

    package init(
        tokenHash: Data, owner: String, ownerSource: String?, ownerID: String, source: String?, accountID: String?,
        keyID: String?, sealedSecret: Data?, device: String?, expiresAt: Int64
    ) {
        self.tokenHash = tokenHash
        self.owner = owner
        self.ownerSource = ownerSource
        self.ownerID = ownerID
        self.source = source
        self.accountID = accountID
        self.keyID = keyID
        self.sealedSecret = sealedSecret
        self.device = device
        self.expiresAt = expiresAt
    }

    /// Reads columns by position: looking them up by name for every request would take longer than the statement.
    init(row: Row) throws(DamagedRow) {
        self.tokenHash = try row.checked(at: 0)
        self.owner = try row.checked(at: 1)
        self.ownerSource = try row.checked(at: 2)
        self.ownerID = try row.checked(at: 3)
        self.source = try row.checked(at: 4)
        self.accountID = try row.checked(at: 5)
        self.keyID = try row.checked(at: 6)
        self.sealedSecret = try row.checked(at: 7)
        self.device = try row.checked(at: 8)
        self.expiresAt = try row.checked(at: 9)
    }

    /// The reason why a row is invalid.
    package enum Flaw: Error {
        /// Encrypted with another key.
        case otherKey
        /// Changed, or moved to another row.
        case broken
    }

    package func session(under token: TokenHash, openedBy seal: SessionCipher) throws(Flaw) -> Session {
        let owner = try self.sessionOwner
        let expiresAt = Instant(secondsSince1970: self.expiresAt)
        guard let sealedSecret, let keyID else {
            // Sessions of accounts always have a secret.
            guard case .device = owner else { throw .broken }
            return Session(owner: owner, upstream: nil, expiresAt: expiresAt)
        }
        guard keyID == seal.key.id else { throw .otherKey }
        guard let source = self.source.flatMap(MovieSource.init(rawValue:)), let accountID,
            let secret = seal.open(sealedSecret, for: token, of: owner, source: source, accountID: accountID)
        else { throw .broken }
        let upstream = UpstreamSession(source: source, secret: secret, accountID: accountID)
        return Session(owner: owner, upstream: upstream, device: self.device, expiresAt: expiresAt)
    }

    private var sessionOwner: Owner {
        get throws(Flaw) {
            guard let ownerSource else { return .device(id: self.ownerID) }
            guard let source = MovieSource(rawValue: ownerSource) else { throw .broken }
            return .account(source, id: self.ownerID)
        }
    }
}

/// Encrypts the secrets of upstream sessions (AES-GCM, NIST SP 800-38D), each for a single row.
package struct SessionCipher: Sendable {
    let key: SecretKey

    package init(key: SecretKey) {
        self.key = key
    }

    /// Encrypts a secret for the row of a token: a nonce, the ciphertext and a tag.
    func seal(_ upstream: UpstreamSession, for token: TokenHash, of owner: Owner) throws -> Data {
        let context = Self.context(token, owner, source: upstream.source, accountID: upstream.accountID)
        return Data(
            try AESGCM.seal(Array(upstream.secret.utf8), using: self.key.symmetric, authenticating: context))
    }

    /// - Returns: `nil` unless the secret was sealed for this row with this key.
    func open(
        _ sealed: Data, for token: TokenHash, of owner: Owner, source: MovieSource, accountID: String
    ) -> String? {
        let context = Self.context(token, owner, source: source, accountID: accountID)
        guard let secret = try? AESGCM.open(Array(sealed), using: self.key.symmetric, authenticating: context) else {
            return nil
        }
        return String(validating: secret, as: UTF8.self)
    }

    /// The authenticated data: the row's token, owner and account, each prefixed with its length.
    private static func context(
        _ token: TokenHash, _ owner: Owner, source: MovieSource, accountID: String
    ) -> [UInt8] {
        var context = Array("onesheet session 1".utf8)
        for part in [Array(token.bytes), Array(owner.key.utf8), Array(source.rawValue.utf8), Array(accountID.utf8)] {
            context += "\(part.count):".utf8
            context += part
        }
        return context
    }
}
