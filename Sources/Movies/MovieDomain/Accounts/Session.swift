/// What stands behind a client's access token.
public struct Session: Hashable, Sendable {
    /// Whoever holds the token.
    public let owner: Owner
    /// nil for a device.
    public let upstream: UpstreamSession?
    /// When it is void.
    public let expiresAt: Instant

    /// What stands behind an access token.
    public init(owner: Owner, upstream: UpstreamSession?, expiresAt: Instant) {
        self.owner = owner
        self.upstream = upstream
        self.expiresAt = expiresAt
    }
}

/// Whose favourites they are.
public enum Owner: Hashable, Sendable {
    case account(MovieSource, id: String)
    /// Somebody who did not say who they are.
    case device(id: String)

    /// Different for different owners.
    public var key: String {
        switch self {
        case .account(let source, let id): "\(source.rawValue):\(id)"
        case .device(let id): "device:\(id)"
        }
    }
}

/// The right to act for somebody at a source. It never leaves the server.
public struct UpstreamSession: Hashable, Sendable {
    /// Whose it is.
    public let source: MovieSource
    /// The source's own secret.
    public let secret: String
    /// What the source calls whom it acts for.
    public let accountID: String

    /// The right to act for somebody.
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

/// Keeps sessions: their tokens hashed, upstream secrets encrypted.
///
/// Every function throws ``StorageFailure``, or `CancellationError`.
public protocol SessionRepository: Sendable {
    /// Keeps a session under a token.
    func keep(_ session: Session, under token: AccessToken) async throws

    /// nil when there is none, or when it has expired at `now`.
    func session(under token: AccessToken, at now: Instant) async throws -> Session?

    /// Of no effect when there is none.
    ///
    /// - Returns: What it was, unless it had expired.
    func end(_ token: AccessToken, at now: Instant) async throws -> Session?
}

/// What should be kept cannot be.
public struct StorageFailure: Error, Hashable, Sendable {
    /// For logs.
    public let reason: String

    /// What should be kept cannot be.
    public init(reason: String) {
        self.reason = reason
    }
}
