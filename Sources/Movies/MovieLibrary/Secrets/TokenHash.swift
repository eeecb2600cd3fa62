import Crypto
package import FoundationEssentials
package import MovieDomain

/// The stored form of a token, which cannot be turned back.
///
/// Tokens are 256 random bits, so a plain digest resists guessing as well as a slow one.
package struct TokenHash: Hashable {
    /// SHA-256, 32 bytes.
    package let bytes: Data

    package init(_ token: AccessToken) {
        self.bytes = Data(SHA256.hash(data: Data(token.text.utf8)))
    }

    /// - Returns: nil for what cannot be a token.
    package init?(_ text: String) {
        guard let token = AccessToken(text) else { return nil }
        self.init(token)
    }
}
