/// A wish to act for somebody, which they approve on a page of the source.
public struct AuthorizationRequest: Hashable, Sendable {
    /// What the source calls the wish.
    public let token: String
    /// Where the user approves.
    public let url: String
    /// When it is void.
    public let expiresAt: Instant

    /// A wish.
    public init(token: String, url: String, expiresAt: Instant) {
        self.token = token
        self.url = url
        self.expiresAt = expiresAt
    }
}
