/// The secret that authenticates a client: 256 random bits.
package struct AccessToken: Hashable, Sendable {
    /// 64 hexadecimal digits.
    package let text: String

    /// Generates a token with the system's random number generator.
    package init() {
        var generator = SystemRandomNumberGenerator()
        self.text = (0..<4).map { _ in Self.digits(of: generator.next()) }.joined()
    }

    /// - Returns: `nil` unless `text` is 64 lower-case hexadecimal digits.
    package init?(_ text: String) {
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

extension AccessToken: Redacted {
    package var description: String { "an access token" }
}

/// A value with a secret: printing or dumping it does not reveal its members.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    package var debugDescription: String { self.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// An access token and its session.
package struct AuthenticatedSession: Hashable, Sendable {
    package let token: AccessToken
    package let session: Session
    /// The token of the device that the client returns to when the session ends; `nil` without one.
    package var device: AccessToken?

    /// The owner of the session's favourites and watchlist: the device of a temporary account, so that the lists
    /// outlive the account and its token; otherwise the session's owner.
    package var favouritesOwner: Owner { self.session.device.map { .device(id: $0) } ?? self.session.owner }

    package init(token: AccessToken, session: Session, device: AccessToken? = nil) {
        self.token = token
        self.session = session
        self.device = device
    }
}
