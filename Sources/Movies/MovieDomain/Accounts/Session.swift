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
