/// Whoever shows an access token that is worth something.
public struct AuthenticatedSession: Hashable, Sendable {
    /// What they show.
    public let token: AccessToken
    /// What stands behind it.
    public let session: Session

    /// Whose favourites theirs are.
    public var owner: Owner { self.session.owner }

    /// Whoever shows an access token.
    public init(token: AccessToken, session: Session) {
        self.token = token
        self.session = session
    }
}
