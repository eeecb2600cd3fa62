/// The session of an access token.
public struct Session: Hashable, Sendable {
    /// The owner of the token.
    public let owner: Owner
    /// The session at the account's source; nil for a device.
    public let upstream: UpstreamSession?
    /// When it expires.
    public let expiresAt: Instant

    /// The session of an access token.
    public init(owner: Owner, upstream: UpstreamSession?, expiresAt: Instant) {
        self.owner = owner
        self.upstream = upstream
        self.expiresAt = expiresAt
    }
}

/// The owner of favourites: an account or a device.
public enum Owner: Hashable, Sendable {
    case account(MovieSource, id: String)
    /// A device without an account.
    case device(id: String)

    /// A string that is unique per owner.
    public var key: String {
        switch self {
        case .account(let source, let id): "\(source.rawValue):\(id)"
        case .device(let id): "device:\(id)"
        }
    }
}

/// A source's session for an account. It never leaves the server.
public struct UpstreamSession: Hashable, Sendable {
    /// The source that issued it.
    public let source: MovieSource
    /// The source's session id or token.
    public let secret: String
    /// The source's id of the account.
    public let accountID: String

    /// A source's session for an account.
    public init(source: MovieSource, secret: String, accountID: String) {
        self.source = source
        self.secret = secret
        self.accountID = accountID
    }
}

extension UpstreamSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the secret.
    public var description: String { "a session of account \(self.accountID) at \(self.source.name)" }
    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Stores sessions: tokens hashed, upstream secrets encrypted.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
public protocol SessionRepository: Sendable {
    /// Stores a session under a token; replaces an existing one.
    func keep(_ session: Session, under token: AccessToken) async throws

    /// nil when there is none or it has expired at `now`.
    func session(under token: AccessToken, at now: Instant) async throws -> Session?

    /// Removes a session. Idempotent.
    ///
    /// - Returns: The removed session, unless it had expired.
    func end(_ token: AccessToken, at now: Instant) async throws -> Session?
}

/// Data cannot be read from or written to storage.
public struct StorageFailure: Error, Hashable, Sendable {
    /// The cause, for logs.
    public let reason: String

    /// Data cannot be read from or written to storage.
    public init(reason: String) {
        self.reason = reason
    }
}
