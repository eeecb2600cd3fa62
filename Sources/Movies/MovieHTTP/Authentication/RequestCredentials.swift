import HTTPSemantics
package import HTTPServer
package import HTTPTypes
package import MovieDomain

/// The access token of a request, and the header field that carries it.
package enum RequestCredentials: Hashable, Sendable {
    case none
    /// No token: the value of `Authorization: Bearer` or, without that header, of the cookie is malformed.
    case malformed(isBearer: Bool)
    /// Sent as `Authorization: Bearer` (RFC 6750, 2.1).
    case bearer(AccessToken)
    /// Sent as the cookie that browsers add by themselves, with the token of the device that the browser returns to
    /// when the session ends.
    case cookie(AccessToken, device: AccessToken?)

    private static let scheme = "bearer "
    private static let separator: Character = "."

    /// The header takes precedence over the cookie: a client sends it deliberately. Other schemes are ignored.
    ///
    /// - Parameter cookie: The site's session cookie.
    package init(_ headers: HTTPFields, cookie: SiteCookie) {
        if let authorization = headers[.authorization],
            authorization.prefix(Self.scheme.count).lowercased() == Self.scheme
        {
            let text = authorization.dropFirst(Self.scheme.count)[...].trimmingBlanks
            self = AccessToken(String(text)).map { .bearer($0) } ?? .malformed(isBearer: true)
            return
        }
        guard let text = cookie.value(in: headers) else {
            self = .none
            return
        }
        let parts = text.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        let device = parts.count > 1 ? AccessToken(String(parts[1])) : nil
        self = AccessToken(String(parts[0])).map { .cookie($0, device: device) } ?? .malformed(isBearer: false)
    }

    /// The session cookie's value: the token and, after a dot, the device's.
    package static func cookieValue(_ token: AccessToken, device: AccessToken?) -> String {
        token.text + (device.map { "\(Self.separator)\($0.text)" } ?? "")
    }

    package var token: AccessToken? {
        switch self {
        case .none, .malformed: nil
        case .bearer(let token), .cookie(let token, _): token
        }
    }

    /// The token of the device behind a browser's session.
    package var device: AccessToken? {
        if case .cookie(_, let device) = self { device } else { nil }
    }
}
