import Cryptography
import HTTPSemantics
import MovieDomain

/// Tokens in forms, which show that a form is from a page that the session's own browser was given.
///
/// A token is a code of the session, masked by random bytes that are new in every response, so that its compressed length shows
/// nothing about it (BREACH).
struct FormTokens: Sendable {
    /// Of forms for clients without a session.
    static let none = "0"

    private static let length = 32

    let key: SymmetricKey

    func token(for session: AuthenticatedSession?) -> String {
        guard let session else { return Self.none }
        let code = self.code(of: session)
        var generator = SystemRandomNumberGenerator()
        let mask = (0..<Self.length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Base64URL.encode(mask + zip(code, mask).map { $0 ^ $1 })
    }

    /// - Parameter session: nil for a client without one, of whom a form changes nothing.
    func isValid(_ token: String?, for session: AuthenticatedSession?) -> Bool {
        guard let session else { return true }
        guard let token, let bytes = Base64URL.decode(token), bytes.count == 2 * Self.length else { return false }
        let shown = zip(bytes.prefix(Self.length), bytes.suffix(Self.length)).map { $0 ^ $1 }
        // Every byte is compared, whatever differs.
        return zip(shown, self.code(of: session)).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Of the digest of the access token, so that no other use of the key makes a code of the token itself.
    private func code(of session: AuthenticatedSession) -> [UInt8] {
        let digest = SHA256.hash(data: session.token.text.utf8)
        return HMACSHA256.authenticationCode(for: Array("form".utf8) + digest, using: self.key)
    }
}
