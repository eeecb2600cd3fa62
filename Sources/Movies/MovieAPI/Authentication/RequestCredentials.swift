import HTTPSemantics
import HTTPTypes
import MovieDomain

/// The access token of a request, and where it was sent.
enum RequestCredentials: Hashable, Sendable {
    case none
    /// What is shown is no token: what stands in `Authorization: Bearer`, or else the cookie.
    case malformed(isBearer: Bool)
    /// As `Authorization: Bearer` (RFC 6750, 2.1).
    case bearer(AccessToken)
    /// As the cookie that browsers send by themselves.
    case cookie(AccessToken)

    private static let scheme = "bearer "

    /// The header counts before the cookie: a client that sends it means it. Other schemes are ignored.
    init(_ headers: HTTPFields) {
        if let authorization = headers[.authorization],
            authorization.prefix(Self.scheme.count).lowercased() == Self.scheme
        {
            let text = authorization.dropFirst(Self.scheme.count)[...].trimmingBlanks
            self = AccessToken(String(text)).map { .bearer($0) } ?? .malformed(isBearer: true)
            return
        }
        guard let text = SessionCookie.value(in: headers) else {
            self = .none
            return
        }
        self = AccessToken(text).map { .cookie($0) } ?? .malformed(isBearer: false)
    }

    /// The token; nil without one.
    var token: AccessToken? {
        switch self {
        case .none, .malformed: nil
        case .bearer(let token), .cookie(let token): token
        }
    }
}

/// The cookie in which browsers keep an access token (RFC 6265). Scripts do not see it, other sites' requests do not bring it along.
package struct SessionCookie: Sendable {
    package static let name = "onesheet_session"
    /// For how long browsers keep the cookie of a session that is renewed in use, in seconds: the 400 days that they allow at most.
    static let longestSeconds: Int64 = 400 * 86_400

    /// Whether browsers may send it over TLS alone.
    let isSecure: Bool

    /// The value of `Set-Cookie`.
    ///
    /// - Parameter seconds: For how long it is kept.
    func setting(_ token: AccessToken, for seconds: Int64) -> String { self.field(token.text, maxAge: max(0, seconds)) }

    /// The value of `Set-Cookie` that makes browsers forget it.
    var clearing: String { self.field("", maxAge: 0) }

    private func field(_ value: String, maxAge: Int64) -> String {
        "\(Self.name)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Lax" + (self.isSecure ? "; Secure" : "")
    }

    /// What a request brings along; nil without one. HTTP/2 may bring cookies in several fields (RFC 9113, 8.2.3).
    static func value(in headers: HTTPFields) -> String? {
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
