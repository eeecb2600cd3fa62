import Crypto
import FoundationEssentials
import MovieDomain

/// Encrypts the secrets of upstream sessions (AES-GCM, NIST SP 800-38D), each for one row only.
struct SessionSeal {
    let key: SecretKey

    /// The secret for the row of a token: a nonce, the encrypted text and a tag.
    func seal(_ upstream: UpstreamSession, for token: TokenHash, of owner: Owner) throws -> Data {
        let box = try AES.GCM.seal(
            Data(upstream.secret.utf8), using: self.key.symmetric,
            authenticating: Self.context(token, owner, source: upstream.source, accountID: upstream.accountID))
        // There is a combined form whenever the nonce is of the usual size, which it is.
        return box.combined ?? Data()
    }

    /// - Returns: nil when it was not sealed for this row with this key.
    func open(
        _ sealed: Data, for token: TokenHash, of owner: Owner, source: MovieSource, accountID: String
    ) -> String? {
        let context = Self.context(token, owner, source: source, accountID: accountID)
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let secret = try? AES.GCM.open(box, using: self.key.symmetric, authenticating: context)
        else { return nil }
        return String(validating: secret, as: UTF8.self)
    }

    /// What a secret belongs to; each part with its length before it, so that none runs into the next.
    private static func context(
        _ token: TokenHash, _ owner: Owner, source: MovieSource, accountID: String
    ) -> Data {
        var context = Data("onesheet session 1".utf8)
        for part in [token.bytes, Data(owner.key.utf8), Data(source.rawValue.utf8), Data(accountID.utf8)] {
            context.append(contentsOf: "\(part.count):".utf8)
            context.append(part)
        }
        return context
    }
}
