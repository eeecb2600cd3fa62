import HTTPSemantics
package import HTTPTypes

/// A cookie of the site alone (RFC 6265): scripts do not see it, and other sites' requests do not bring it along.
///
/// Over TLS its name begins with `__Host-`, so that browsers send it over TLS alone, and take it from this very host alone
/// (RFC 6265bis, 4.1.3.2). Over plain HTTP they take no cookie of such a name; there, which is for use on loopback, servers at
/// other ports of the host see and overwrite it.
package struct SiteCookie: Sendable {
    private static let hostPrefix = "__Host-"

    private let name: String
    private let isSecure: Bool

    /// - Parameters:
    ///   - name: Without the prefix.
    ///   - isSecure: Whether clients reach the site over TLS.
    package init(_ name: String, isSecure: Bool) {
        self.name = isSecure ? Self.hostPrefix + name : name
        self.isSecure = isSecure
    }

    /// The value of `Set-Cookie`.
    ///
    /// - Parameters:
    ///   - value: Characters that cookies may have.
    ///   - seconds: For how long it is kept.
    package func setting(_ value: String, for seconds: Int64) -> String {
        "\(self.name)=\(value); Path=/; Max-Age=\(max(0, seconds)); HttpOnly; SameSite=Lax"
            + (self.isSecure ? "; Secure" : "")
    }

    /// The value of `Set-Cookie` that makes browsers forget it.
    package var clearing: String { self.setting("", for: 0) }

    /// What a request brings along; nil without one. HTTP/2 may bring cookies in several fields (RFC 9113, 8.2.3).
    package func value(in headers: HTTPFields) -> String? {
        for field in headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.trimmingBlanks
                guard pair.hasPrefix(self.name), pair.dropFirst(self.name.count).first == "=" else { continue }
                return String(pair.dropFirst(self.name.count + 1))
            }
        }
        return nil
    }
}

/// The cookie in which browsers keep the token of a session.
package enum SessionCookie {
    /// Over plain HTTP; over TLS with the prefix of ``SiteCookie``.
    package static let name = "onesheet_session"
    /// For how long browsers keep the cookie of a session that is renewed in use, in seconds: the 400 days that they allow at most.
    package static let longestSeconds: Int64 = 400 * 86_400

    /// - Parameter isSecure: Whether clients reach the site over TLS.
    package static func of(isSecure: Bool) -> SiteCookie { SiteCookie(Self.name, isSecure: isSecure) }
}
