import Cryptography
import HTTPSemantics
import HTTPServer
import MovieDomain

/// The operator's session in a browser: a cookie with its expiry, authenticated by a key from the admin token. Nothing
/// is stored, and replacing the token ends all sessions.
struct AdminSession: Sendable {
    static let cookieName = "onesheet_admin"
    /// Lifetime in seconds.
    static let seconds: Int64 = 8 * 3600

    let token: AdminToken
    let now: @Sendable () -> Instant

    static func cookie(isSecure: Bool) -> SiteCookie {
        SiteCookie(Self.cookieName, isSecure: isSecure, sameSite: .strict)
    }

    /// The cookie's value for a text that was entered as the token; `nil` if it is not the token.
    func begin(with text: String) -> String? {
        guard self.token.permits("Bearer \(text)") else { return nil }
        let expiry = self.now().secondsSince1970 + Self.seconds
        return "\(expiry).\(Base64URL.encode(self.code("session \(expiry)")))"
    }

    func isValid(_ value: String?) -> Bool {
        guard let value, value.utf8.count <= 128 else { return false }
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let expiry = Int64(parts[0]), "\(expiry)" == parts[0],
            let code = Base64URL.decode(String(parts[1]))
        else { return false }
        return HMACSHA256.isEqualInConstantTime(code, self.code("session \(expiry)"))
            && expiry > self.now().secondsSince1970
    }

    /// The token of the session's forms, masked anew in each response.
    func formToken(of value: String) -> String { FormTokens.masked(self.code("form \(value)")) }

    func isFormToken(_ text: String?, of value: String) -> Bool {
        FormTokens.isMasked(text, self.code("form \(value)"))
    }

    private func code(_ purpose: String) -> [UInt8] {
        HMACSHA256.authenticationCode(
            for: Array("onesheet admin \(purpose)".utf8), using: SymmetricKey(data: self.token.secret))
    }
}
