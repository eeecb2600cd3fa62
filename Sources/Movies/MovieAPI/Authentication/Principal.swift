import HTTPServer
import HTTPTypes
import MovieDomain

/// Finds out who asks, as far as films look different to them.
package struct PrincipalResolver: Sendable {
    /// The cookie that holds the token of a session.
    package static let cookieName = "onesheet_session"

    private let find: @Sendable (HTTPFields) async throws -> Principal

    /// Nobody has favourites.
    static let anonymous = PrincipalResolver { _ in .anonymous }

    /// - Parameter find: Who sent these headers. What it throws is the answer.
    init(_ find: @escaping @Sendable (HTTPFields) async throws -> Principal) {
        self.find = find
    }

    /// Whoever sent these headers.
    func principal(of headers: HTTPFields) async throws -> Principal {
        try await self.find(headers)
    }
}

/// Whoever asks.
struct Principal: Hashable, Sendable {
    /// Says that the token of a request is worth nothing (RFC 6750, 3.1).
    static let invalidToken = "Bearer error=\"invalid_token\""
    /// Who shows nothing, and is nobody in particular.
    static let anonymous = Principal(owner: nil)

    /// Whose favourites are told; nil for nobody's.
    let owner: Owner?
    /// Whether the request shows who makes it, be it worth something or not.
    let hasCredentials: Bool
    /// `WWW-Authenticate`, for a token that is worth nothing: its client is told what everybody is, and should know why.
    let challenge: String?

    /// - Parameter owner: nil for who shows nothing.
    init(owner: Owner?) {
        self.init(owner: owner, hasCredentials: owner != nil, challenge: nil)
    }

    private init(owner: Owner?, hasCredentials: Bool, challenge: String?) {
        self.owner = owner
        self.hasCredentials = hasCredentials
        self.challenge = challenge
    }

    /// Who shows something that is worth nothing.
    ///
    /// - Parameter isBearer: Whether it is `Authorization: Bearer`, rather than a cookie or what is somebody else's business.
    static func unknown(isBearer: Bool) -> Principal {
        Principal(owner: nil, hasCredentials: true, challenge: isBearer ? Self.invalidToken : nil)
    }

    /// Who may keep an answer to them.
    ///
    /// - Parameter seconds: How long everybody may, when it is the same to all.
    func keeping(_ seconds: Int) -> JSONResponse.Keeping { self.keeping(.shared(seconds: seconds)) }

    /// Who may keep an answer to them.
    ///
    /// - Parameter others: Who may when it is the same to all.
    func keeping(_ others: JSONResponse.Keeping) -> JSONResponse.Keeping { self.hasCredentials ? .own : others }
}
