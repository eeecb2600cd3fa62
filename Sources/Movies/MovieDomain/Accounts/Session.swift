/// The session of an access token.
package struct Session: Hashable, Sendable {
    package let owner: Owner
    /// The session at the account's source; `nil` for a device.
    package let upstream: UpstreamSession?
    /// The device that owns the lists of a temporary account: the device that signed in or, without one, the id of the
    /// client's first temporary account, which its later ones share. `nil` for a device, and for an account with its
    /// own lists.
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
    case device(id: String)

    /// A string that is unique per owner.
    package var key: String {
        switch self {
        case .account(let source, let id): "\(source.rawValue):\(id)"
        case .device(let id): "device:\(id)"
        }
    }

    /// - Returns: `nil` unless the text is a valid ``key``.
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

/// An account's session at its source. It never leaves the server.
package struct UpstreamSession: Hashable, Sendable {
    package let source: MovieSource
    /// The source's session id or token.
    package let secret: String
    package let accountID: String

    package init(source: MovieSource, secret: String, accountID: String) {
        self.source = source
        self.secret = secret
        self.accountID = accountID
    }
}

extension UpstreamSession: Redacted {
    /// Omits the secret.
    package var description: String { "a session of account \(self.accountID) at \(self.source.name)" }
}

/// Stores sessions: tokens hashed, upstream secrets encrypted.
///
/// Every function throws ``StorageFailure`` or `CancellationError`.
package protocol SessionRepository: Sendable {
    /// Stores a session under a token; replaces an existing one. Extends its device's session to at least the same
    /// expiry.
    func keep(_ session: Session, under token: AccessToken) async throws

    /// - Returns: `nil` if there is none, or it has expired at `now`.
    func session(under token: AccessToken, at now: Instant) async throws -> Session?

    /// Extends a session until `end`, and its device's session until `deviceEnd`. Ignores missing sessions, and
    /// sessions that expire later.
    func renew(_ token: AccessToken, until end: Instant, deviceUntil deviceEnd: Instant) async throws

    /// Removes a session, and its lists of films if no other session uses them. Idempotent.
    /// - Returns: The removed session, unless it had expired.
    func end(_ token: AccessToken, at now: Instant) async throws -> Session?
}
