/// The session of an access token.
package struct Session: Hashable, Sendable {
    package let owner: Owner
    /// The session at the account's source; nil for a device.
    package let upstream: UpstreamSession?
    /// The session's lists of films are those of the device of this id: the one that signed in to a temporary account, or, without one, an id that
    /// such accounts share. nil for a device, and for an account that has its own.
    package let device: String?
    package var expiresAt: Instant

    package init(owner: Owner, upstream: UpstreamSession?, device: String? = nil, expiresAt: Instant) {
        self.owner = owner
        self.upstream = upstream
        self.device = device
        self.expiresAt = expiresAt
    }
}

/// The owner of favourites and a watchlist: an account or a device.
package enum Owner: Hashable, Sendable {
    case account(MovieSource, id: String)
    /// A device without an account.
    case device(id: String)

    /// A string that is unique per owner.
    package var key: String {
        switch self {
        case .account(let source, let id): "\(source.rawValue):\(id)"
        case .device(let id): "device:\(id)"
        }
    }

    /// - Returns: nil for text that is no ``key``.
    package init?(key: String) {
        let parts = key.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, key.hasPrefix(parts[0] + ":") else { return nil }
        if parts[0] == "device" {
            self = .device(id: parts[1])
        } else if let source = MovieSource(rawValue: parts[0]) {
            self = .account(source, id: parts[1])
        } else {
            return nil
        }
    }
}

/// A source's session for an account. It never leaves the server.
package struct UpstreamSession: Hashable, Sendable {
    /// The source that issued it.
    package let source: MovieSource
    /// The source's session id or token.
    package let secret: String
    /// The source's id of the account.
    package let accountID: String

    package init(source: MovieSource, secret: String, accountID: String) {
        self.source = source
        self.secret = secret
        self.accountID = accountID
    }
}

extension UpstreamSession: Redacted {
    /// Without the secret.
    package var description: String { "a session of account \(self.accountID) at \(self.source.name)" }
}

/// Stores sessions: tokens hashed, upstream secrets encrypted.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol SessionRepository: Sendable {
    /// Stores a session under a token; replaces an existing one. The session of the device that it names is valid for at least as long.
    func keep(_ session: Session, under token: AccessToken) async throws

    /// nil when there is none or it has expired at `now`.
    func session(under token: AccessToken, at now: Instant) async throws -> Session?

    /// Makes a session expire at `end`, and that of the device that it names at `deviceEnd`. Does nothing to one that does not exist, or
    /// expires later already.
    func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws

    /// Removes a session, and the films of lists that it used if no other session reaches them. Idempotent.
    /// - Returns: The removed session, unless it had expired.
    func end(_ token: AccessToken, at now: Instant) async throws -> Session?
}
