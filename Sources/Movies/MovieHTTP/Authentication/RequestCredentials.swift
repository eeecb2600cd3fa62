import HTTPSemantics
package import HTTPServer
package import HTTPTypes
package import MovieDomain

/// The access token of a request, and where it was sent.
package enum RequestCredentials: Hashable, Sendable {
    case none
    /// What is shown is no token: what stands in `Authorization: Bearer`, or else the cookie.
    case malformed(isBearer: Bool)
    /// As `Authorization: Bearer` (RFC 6750, 2.1).
    case bearer(AccessToken)
    /// As the cookie that browsers send by themselves.
    case cookie(AccessToken)

    private static let scheme = "bearer "

    /// The header counts before the cookie: a client that sends it means it. Other schemes are ignored.
    ///
    /// - Parameter cookie: That of the site.
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

    /// The token; nil without one.
    package var token: AccessToken? {
        switch self {
        case .none, .malformed: nil
        case .bearer(let token), .cookie(let token): token
        }
    }
}
