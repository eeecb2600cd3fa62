/// The secret that authenticates a client: 256 random bits.
public struct AccessToken: Hashable, Sendable {
    /// 64 hexadecimal digits.
    public let text: String

    /// A new token from the system's random number generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.text = (0..<4).map { _ in Self.digits(of: generator.next()) }.joined()
    }

    /// - Returns: nil for anything but 64 lower-case hexadecimal digits.
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
    /// Redacted.
    public var description: String { "an access token" }
    /// As ``description``.
    public var debugDescription: String { self.description }
    /// Without members.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A valid access token and its session.
public struct AuthenticatedSession: Hashable, Sendable {
    /// The token that the client sent.
    public let token: AccessToken
    /// The session of the token.
    public let session: Session

    /// The owner of the session.
    public var owner: Owner { self.session.owner }

    /// A valid access token and its session.
    public init(token: AccessToken, session: Session) {
        self.token = token
        self.session = session
    }
}
