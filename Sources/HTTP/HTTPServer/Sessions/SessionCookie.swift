import HTTPSemantics
package import HTTPTypes

/// A first-party cookie (RFC 6265): scripts cannot read it, and other sites' requests do not include it, except
/// navigations unless it is strict.
///
/// Over TLS its name begins with `__Host-`, so that browsers send it only over TLS, and accept it only from this very
/// host (RFC 6265bis, 4.1.3.2). Over plain HTTP they accept no cookie of such a name; there, which is meant for
/// loopback, servers at other ports of the host can read and overwrite it.
package struct SiteCookie: Sendable {
    private static let hostPrefix = "__Host-"

    /// Which requests from other sites include a cookie (RFC 6265bis, 5.6.7).
    package enum SameSite: String, Sendable {
        /// Only navigations.
        case lax = "Lax"
        case strict = "Strict"
    }

    private let name: String
    private let isSecure: Bool
    private let sameSite: SameSite

    /// - Parameters:
    ///   - name: The name without the prefix.
    ///   - isSecure: Whether clients reach the site over TLS.
    package init(_ name: String, isSecure: Bool, sameSite: SameSite = .lax) {
        self.name = isSecure ? Self.hostPrefix + name : name
        self.isSecure = isSecure
        self.sameSite = sameSite
    }

    /// The value of `Set-Cookie`.
    ///
    /// - Parameters:
    ///   - value: Characters that cookies may contain.
    ///   - seconds: Lifetime of the cookie.
    package func setting(_ value: String, for seconds: Int64) -> String {
        "\(self.name)=\(value); Path=/; Max-Age=\(max(0, seconds)); HttpOnly; SameSite=\(self.sameSite.rawValue)"
            + (self.isSecure ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` that deletes the cookie.
    package var clearing: String { self.setting("", for: 0) }

    /// The cookie's value in a request; `nil` if it is missing. HTTP/2 may send cookies in several fields (RFC 9113,
    /// 8.2.3).
    package func value(in headers: HTTPFields) -> String? {
        for field in headers[values: .cookie] {
            // Other cookies may have any characters.
            for pair in FieldSyntax.parts(of: field, at: ";") {
                let pair = pair.trimmingBlanks
                guard pair.hasPrefix(self.name), pair.dropFirst(self.name.count).first == "=" else { continue }
                return String(pair.dropFirst(self.name.count + 1))
            }
        }
        return nil
    }
}

/// The cookie with a browser's session token.
package enum SessionCookie {
    /// The name over plain HTTP; over TLS ``SiteCookie`` adds its prefix.
    package static let name = "onesheet_session"
    /// Lifetime of the cookie of a session that is renewed in use, in seconds: 400 days, the maximum that browsers
    /// allow.
    package static let longestSeconds: Int64 = 400 * 86_400

    package static func of(isSecure: Bool) -> SiteCookie { SiteCookie(Self.name, isSecure: isSecure) }
}
