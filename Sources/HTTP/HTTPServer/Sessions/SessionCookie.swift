import HTTPSemantics
package import HTTPTypes

/// The cookie in which browsers keep an access token (RFC 6265). Scripts do not see it, other sites' requests do not bring it along.
package struct SessionCookie: Sendable {
    package static let name = "onesheet_session"
    /// For how long browsers keep the cookie of a session that is renewed in use, in seconds: the 400 days that they allow at most.
    package static let longestSeconds: Int64 = 400 * 86_400

    /// Whether browsers may send it over TLS alone.
    package let isSecure: Bool

    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// The value of `Set-Cookie`.
    ///
    /// - Parameter seconds: For how long it is kept.
    package func setting(_ token: String, for seconds: Int64) -> String { self.field(token, maxAge: max(0, seconds)) }

    /// The value of `Set-Cookie` that makes browsers forget it.
    package var clearing: String { self.field("", maxAge: 0) }

    private func field(_ value: String, maxAge: Int64) -> String {
        "\(Self.name)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Lax" + (self.isSecure ? "; Secure" : "")
    }

    /// What a request brings along; nil without one. HTTP/2 may bring cookies in several fields (RFC 9113, 8.2.3).
    package static func value(in headers: HTTPFields) -> String? {
        for field in headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let pair = pair.trimmingBlanks
                guard pair.hasPrefix(Self.name), pair.dropFirst(Self.name.count).first == "=" else { continue }
                return String(pair.dropFirst(Self.name.count + 1))
            }
        }
        return nil
    }
}
