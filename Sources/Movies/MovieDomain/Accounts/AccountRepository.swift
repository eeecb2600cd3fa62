/// A source where people have accounts and rate films.
///
/// Every function throws ``SourceFailure``, ``StorageFailure`` where accounts are kept here, `CancellationError`, and what it
/// says itself.
public protocol AccountRepository: Sendable {
    var source: MovieSource { get }

    /// A wish to act for somebody.
    ///
    /// - Parameter returningTo: A URL of the client that the page of approval leads back to; nil for none.
    func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest

    /// What the wish has become.
    ///
    /// - Throws: ``AuthorizationFailure``.
    func session(for requestToken: String) async throws -> UpstreamSession

    /// Gives the right back; of no effect when it is over.
    func end(_ session: UpstreamSession) async throws

    /// - Throws: ``SessionExpired``.
    func account(of session: UpstreamSession) async throws -> Account

    /// Rates a film, instead of what it was rated before.
    ///
    /// - Returns: false when there is no such film.
    /// - Throws: ``SessionExpired``.
    func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool

    /// Forgets what a film was rated; of no effect when it was not.
    ///
    /// - Returns: false when there is no such film.
    /// - Throws: ``SessionExpired``.
    func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool

    /// What a film was rated; nil when it was not.
    ///
    /// - Throws: ``SessionExpired``.
    func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating?

    /// The latest first.
    ///
    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``SessionExpired``.
    func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie>
}

/// Why a wish has become no session.
public enum AuthorizationFailure: Error, Hashable, Sendable {
    /// Nobody has said anything yet: the same token may be tried again.
    case notApproved
    /// The user does not want it.
    case denied
    /// There is no such wish, or it was made use of, or it is too old.
    case unknownToken
}

/// The source does not know the session any more.
public struct SessionExpired: Error, Hashable, Sendable {
    /// The source does not know the session any more.
    public init() {}
}

/// Somebody that a source knows.
public struct Account: Hashable, Sendable {
    /// Who knows them.
    public let source: MovieSource
    /// What the source calls them.
    public let id: String
    /// Never empty.
    public let username: String
    /// May be empty.
    public let name: String

    /// Somebody that a source knows.
    public init(source: MovieSource, id: String, username: String, name: String) {
        self.source = source
        self.id = id
        self.username = username
        self.name = name
    }
}

/// A wish to act for somebody, which they approve on a page of the source.
public struct AuthorizationRequest: Hashable, Sendable {
    /// What the source calls the wish.
    public let token: String
    /// Where the user approves.
    public let url: String
    /// When it is void.
    public let expiresAt: Instant

    /// A wish.
    public init(token: String, url: String, expiresAt: Instant) {
        self.token = token
        self.url = url
        self.expiresAt = expiresAt
    }
}
