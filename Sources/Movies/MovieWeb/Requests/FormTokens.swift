import Cryptography
import HTTPSemantics
import MovieDomain

/// Tokens in forms, which prove that a form comes from a page that was sent to the session's own browser.
///
/// A token is an authentication code of the session. It is masked by random bytes, new in every response, so that the
/// length of the compressed response reveals nothing about it (BREACH).
struct FormTokens: Sendable {
    /// The token of forms for clients without a session.
    static let none = "0"

    private static let length = 32

    let key: SymmetricKey

    func token(for session: AuthenticatedSession?) -> String {
        guard let session else { return Self.none }
        return Self.masked(self.code(of: session))
    }

    /// - Parameter code: An authentication code (HMAC-SHA-256).
    static func masked(_ code: [UInt8]) -> String {
        var generator = SystemRandomNumberGenerator()
        let mask = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Base64URL.encode(mask + zip(code, mask).map { $0 ^ $1 })
    }

    /// Whether a token is the masked `code`; takes constant time for tokens of the right length.
    static func isMasked(_ token: String?, _ code: [UInt8]) -> Bool {
        guard let token, let bytes = Base64URL.decode(token), bytes.count == 2 * Self.length else { return false }
        let shown = zip(bytes.prefix(Self.length), bytes.suffix(Self.length)).map { $0 ^ $1 }
        return HMACSHA256.isEqualInConstantTime(shown, code)
    }

    /// - Parameter session: `nil` for a client without a session: its forms cannot change a user's data.
    func isValid(_ token: String?, for session: AuthenticatedSession?) -> Bool {
        guard let session else { return true }
        return Self.isMasked(token, self.code(of: session))
    }

    /// The code of the access token's digest, so that no other use of the key computes the code of the token itself.
    private func code(of session: AuthenticatedSession) -> [UInt8] {
        let digest = SHA256.hash(data: session.token.text.utf8)
        return HMACSHA256.authenticationCode(for: Array("form".utf8) + digest, using: self.key)
    }
}
