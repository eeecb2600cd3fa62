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
    /// Sent as the cookie that browsers add by themselves.
    case cookie(AccessToken)

    private static let scheme = "bearer "

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
        self = AccessToken(text).map { .cookie($0) } ?? .malformed(isBearer: false)
    }

    package var token: AccessToken? {
        switch self {
        case .none, .malformed: nil
        case .bearer(let token), .cookie(let token): token
        }
    }
}
