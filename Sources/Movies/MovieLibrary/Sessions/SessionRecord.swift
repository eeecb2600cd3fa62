import Crypto
package import FoundationEssentials
import GRDB
package import MovieDomain
import RebuildableDatabase

/// A row of `session`.
package struct SessionRecord: Encodable, PersistableRecord, Sendable {
    package static let databaseTableName = "session"
    /// With the columns in the order of ``init(row:)``.
    static let selectByToken = """
        SELECT tokenHash, owner, ownerSource, ownerID, source, accountID, keyID, sealedSecret, device, expiresAt
        FROM session WHERE tokenHash = ?
        """

    package var tokenHash: Data
    package var owner: String
    /// nil for a device.
    package var ownerSource: String?
    package var ownerID: String
    /// Of the upstream session, with the two below; nil for a device.
    package var source: String?
    package var accountID: String?
    /// Of the key that sealed the secret.
    package var keyID: String?
    package var sealedSecret: Data?
    /// The id of the device that signed in; nil for none. Not sealed: a program that can write the file can change favourites anyway.
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

    /// By position: with every request of a client that is known, looking the columns up by name would take longer than the statement.
    init(row: Row) throws(DamagedRow) {
        do {
            try self.init(decoding: row)
        } catch {
            // Not the error itself, which holds all values of the row.
            throw DamagedRow("a column has another type")
        }
    }

    private init(decoding row: Row) throws {
        self.tokenHash = try row.decode(atIndex: 0)
        self.owner = try row.decode(atIndex: 1)
        self.ownerSource = try row.decode(atIndex: 2)
        self.ownerID = try row.decode(atIndex: 3)
        self.source = try row.decode(atIndex: 4)
        self.accountID = try row.decode(atIndex: 5)
        self.keyID = try row.decode(atIndex: 6)
        self.sealedSecret = try row.decode(atIndex: 7)
        self.device = try row.decode(atIndex: 8)
        self.expiresAt = try row.decode(atIndex: 9)
    }

    /// Why a row is invalid.
    package enum Flaw: Error {
        /// It was encrypted with another key.
        case otherKey
        /// It was changed, or moved to another row.
        case broken
    }

    package func session(under token: TokenHash, openedBy seal: SessionCipher) throws(Flaw) -> Session {
        let owner = try self.sessionOwner
        let expiresAt = Instant(secondsSince1970: self.expiresAt)
        guard let sealedSecret, let keyID else {
            // Sessions of accounts have a secret.
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

/// Encrypts the secrets of upstream sessions (AES-GCM, NIST SP 800-38D), each for one row only.
package struct SessionCipher: Sendable {
    let key: SecretKey

    package init(key: SecretKey) {
        self.key = key
    }

    /// The secret for the row of a token: a nonce, the encrypted text and a tag.
    func seal(_ upstream: UpstreamSession, for token: TokenHash, of owner: Owner) throws -> Data {
        let box = try AES.GCM.seal(
            Data(upstream.secret.utf8), using: self.key.symmetric,
            authenticating: Self.context(token, owner, source: upstream.source, accountID: upstream.accountID))
        // The combined form exists for nonces of the default size.
        return box.combined ?? Data()
    }

    /// - Returns: nil when it was not sealed for this row with this key.
    func open(
        _ sealed: Data, for token: TokenHash, of owner: Owner, source: MovieSource, accountID: String
    ) -> String? {
        let context = Self.context(token, owner, source: source, accountID: accountID)
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let secret = try? AES.GCM.open(box, using: self.key.symmetric, authenticating: context)
        else { return nil }
        return String(validating: secret, as: UTF8.self)
    }

    /// The authenticated data: the row's token, owner and account, each prefixed with its length.
    private static func context(
        _ token: TokenHash, _ owner: Owner, source: MovieSource, accountID: String
    ) -> Data {
        var context = Data("onesheet session 1".utf8)
        for part in [token.bytes, Data(owner.key.utf8), Data(source.rawValue.utf8), Data(accountID.utf8)] {
            context.append(contentsOf: "\(part.count):".utf8)
            context.append(part)
        }
        return context
    }
}
