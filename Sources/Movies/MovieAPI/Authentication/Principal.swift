import HTTPServer
import MovieDomain

/// The client of a request, as far as responses differ by it.
struct Principal: Hashable, Sendable {
    /// The challenge for an invalid token (RFC 6750, 3.1).
    static let invalidToken = "Bearer error=\"invalid_token\""
    /// A client without credentials.
    static let anonymous = Principal(owner: nil)

    /// The owner of the favourites that responses mark; nil for none.
    let owner: Owner?
    /// Whether the request has credentials, valid or not.
    let hasCredentials: Bool
    /// `WWW-Authenticate` for an invalid bearer token: the response is the anonymous one, and this says why.
    let challenge: String?

    /// - Parameter owner: nil without credentials.
    init(owner: Owner?) {
        self.init(owner: owner, hasCredentials: owner != nil, challenge: nil)
    }

    private init(owner: Owner?, hasCredentials: Bool, challenge: String?) {
        (self.owner, self.hasCredentials, self.challenge) = (owner, hasCredentials, challenge)
    }

    /// A client with invalid credentials.
    ///
    /// - Parameter isBearer: Whether it is `Authorization: Bearer`, rather than a cookie or another scheme.
    static func unknown(isBearer: Bool) -> Principal {
        Principal(owner: nil, hasCredentials: true, challenge: isBearer ? Self.invalidToken : nil)
    }

    /// Which caches may keep the response.
    ///
    /// - Parameter seconds: How long shared caches may, when the response is the same for all.
    func caching(_ seconds: Int) -> JSONResponse.CachePolicy { self.caching(.shared(seconds: seconds)) }

    /// Which caches may keep the response.
    ///
    /// - Parameter others: The rule when the response is the same for all.
    func caching(_ others: JSONResponse.CachePolicy) -> JSONResponse.CachePolicy { self.hasCredentials ? .own : others }
}
