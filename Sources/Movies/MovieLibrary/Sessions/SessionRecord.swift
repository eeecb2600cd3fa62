import FoundationEssentials
import GRDB
import MovieDomain

/// A row of `session`.
struct SessionRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "session"

    var tokenHash: Data
    var owner: String
    /// nil for a device.
    var ownerSource: String?
    var ownerID: String
    /// Of the upstream session, with the two below; nil for a device.
    var source: String?
    var accountID: String?
    /// Of the key that sealed the secret.
    var keyID: String?
    var sealedSecret: Data?
    var expiresAt: Int64

    /// - Throws: `CryptoKitError`.
    init(_ session: Session, under token: TokenHash, sealedBy seal: SessionSeal) throws {
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
        self.expiresAt = session.expiresAt.secondsSince1970
    }

    /// What a row cannot be used for.
    enum Flaw: Error {
        /// Another key sealed it.
        case otherKey
        /// It was changed, or moved.
        case broken
    }

    func session(under token: TokenHash, openedBy seal: SessionSeal) throws(Flaw) -> Session {
        let owner = try self.sessionOwner
        let expiresAt = Instant(secondsSince1970: self.expiresAt)
        guard let sealedSecret, let keyID else {
            // Nobody acts for somebody without a secret.
            guard case .device = owner else { throw .broken }
            return Session(owner: owner, upstream: nil, expiresAt: expiresAt)
        }
        guard keyID == seal.key.id else { throw .otherKey }
        guard let source = self.source.flatMap(MovieSource.init(rawValue:)), let accountID,
            let secret = seal.open(sealedSecret, for: token, of: owner, source: source, accountID: accountID)
        else { throw .broken }
        let upstream = UpstreamSession(source: source, secret: secret, accountID: accountID)
        return Session(owner: owner, upstream: upstream, expiresAt: expiresAt)
    }

    private var sessionOwner: Owner {
        get throws(Flaw) {
            guard let ownerSource else { return .device(id: self.ownerID) }
            guard let source = MovieSource(rawValue: ownerSource) else { throw .broken }
            return .account(source, id: self.ownerID)
        }
    }
}
