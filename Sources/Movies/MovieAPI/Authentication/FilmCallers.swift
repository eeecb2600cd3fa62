import HTTPServer
import HTTPTypes
import MovieDomain

/// Finds out who asks, as far as films look different to them.
package struct FilmCallers: Sendable {
    /// The cookie that holds the token of a session.
    package static let cookieName = "onesheet_session"

    private let find: @Sendable (HTTPFields) async throws -> FilmCaller

    /// Nobody has favourites.
    static let nobody = FilmCallers { _ in .everybody }

    /// - Parameter find: Who sent these headers. What it throws is the answer.
    init(_ find: @escaping @Sendable (HTTPFields) async throws -> FilmCaller) {
        self.find = find
    }

    /// Whoever sent these headers.
    func caller(_ headers: HTTPFields) async throws -> FilmCaller {
        try await self.find(headers)
    }
}

/// Whoever asks.
struct FilmCaller: Hashable, Sendable {
    /// Says that the token of a request is worth nothing (RFC 6750, 3.1).
    static let invalidToken = "Bearer error=\"invalid_token\""
    /// Who shows nothing, and is nobody in particular.
    static let everybody = FilmCaller(owner: nil)

    /// Whose favourites are told; nil for nobody's.
    let owner: Owner?
    /// Whether the request shows who makes it, be it worth something or not.
    let isShown: Bool
    /// `WWW-Authenticate`, for a token that is worth nothing: its client is told what everybody is, and should know why.
    let challenge: String?

    /// - Parameter owner: nil for who shows nothing.
    init(owner: Owner?) {
        self.init(owner: owner, isShown: owner != nil, challenge: nil)
    }

    private init(owner: Owner?, isShown: Bool, challenge: String?) {
        self.owner = owner
        self.isShown = isShown
        self.challenge = challenge
    }

    /// Who shows something that is worth nothing.
    ///
    /// - Parameter isBearer: Whether it is `Authorization: Bearer`, rather than a cookie or what is somebody else's business.
    static func unknown(isBearer: Bool) -> FilmCaller {
        FilmCaller(owner: nil, isShown: true, challenge: isBearer ? Self.invalidToken : nil)
    }

    /// Who may keep an answer to them.
    ///
    /// - Parameter seconds: How long everybody may, when it is the same to all.
    func keeping(_ seconds: Int) -> JSONAnswer.Keeping { self.keeping(.shared(seconds: seconds)) }

    /// Who may keep an answer to them.
    ///
    /// - Parameter others: Who may when it is the same to all.
    func keeping(_ others: JSONAnswer.Keeping) -> JSONAnswer.Keeping { self.isShown ? .own : others }
}
