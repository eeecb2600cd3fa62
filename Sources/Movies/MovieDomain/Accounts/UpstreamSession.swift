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
