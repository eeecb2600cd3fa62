/// What a client shows to be known again: 256 random bits.
public struct AccessToken: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public let text: String

    /// A new one, from the system's generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.text = (0..<4).map { _ in Self.digits(of: generator.next()) }.joined()
    }

    /// - Returns: nil for what cannot be one.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        self.text = text
    }

    private static func digits(of number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Not the token.
    public var description: String { "an access token" }
    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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
