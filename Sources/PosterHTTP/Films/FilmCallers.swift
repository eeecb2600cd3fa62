import HTTPTypes
import MovieDomain

/// Finds out who asks, as far as films look different to them.
struct FilmCallers: Sendable {
    /// The cookie that holds the token of a session.
    static let cookieName = "onesheet_session"

    private let find: @Sendable (HTTPFields) async throws -> Owner?

    /// Nobody has favourites.
    static let nobody = FilmCallers { _ in nil }

    /// - Parameter find: Whose favourites the caller may see; nil for nobody's. What it throws is the answer.
    init(_ find: @escaping @Sendable (HTTPFields) async throws -> Owner?) {
        self.find = find
    }

    /// Whoever sent these headers.
    func caller(_ headers: HTTPFields) async throws -> FilmCaller {
        FilmCaller(owner: try await self.find(headers))
    }
}

/// Whoever asks.
struct FilmCaller: Hashable, Sendable {
    /// Whose favourites are told; nil for nobody's.
    let owner: Owner?

    /// Who may keep an answer to them.
    ///
    /// - Parameter seconds: How long everybody may, when it is the same to all.
    func keeping(_ seconds: Int) -> JSONAnswer.Keeping { self.owner == nil ? .shared(seconds: seconds) : .own }
}
