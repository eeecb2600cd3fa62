/// A source of user accounts with ratings and optional watchlists.
///
/// Every function throws ``SourceFailure``, ``StorageFailure`` (local accounts only), `CancellationError`, and the
/// errors that it lists.
package protocol AccountRepository: Sendable {
    var source: MovieSource { get }
    /// Whether an account ends with its session, as guest accounts do; false by default.
    var isTemporary: Bool { get }
    /// Whether the source stores watchlists; false by default.
    var hasWatchlists: Bool { get }
    /// The origin of the source's approval page, such as `https://www.example.org`; `nil` (default) if this service
    /// serves the page.
    var approvalOrigin: String? { get }

    /// Requests the authorization to act for a user.
    /// - Parameter returningTo: The client's URL that the approval page redirects to; `nil` if it does not redirect.
    func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest

    /// Exchanges an approved request token for a session; each token is valid once.
    /// - Throws: ``AuthorizationFailure``.
    func session(for requestToken: String) async throws -> UpstreamSession

    /// Ends a session. Idempotent.
    func end(_ session: UpstreamSession) async throws

    /// Removes an account's entries from memory caches; does nothing by default.
    func dropCached(accountID: String)

    /// - Throws: ``SessionExpired``.
    func account(of session: UpstreamSession) async throws -> Account

    /// Rates a film; replaces the previous rating.
    ///
    /// - Returns: false when the source has no such film.
    /// - Throws: ``SessionExpired``.
    func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool

    /// Removes the rating of a film. Idempotent.
    ///
    /// - Returns: false when the source has no such film.
    /// - Throws: ``SessionExpired``.
    func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool

    /// - Returns: `nil` if the film has no rating.
    /// - Throws: ``UnknownMovie``, ``SessionExpired``.
    func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating?

    /// The ratings of the films among `ids`; unrated and unknown films are absent.
    /// - Returns: `nil` while the ratings are still unknown.
    /// - Throws: ``SessionExpired``.
    func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]?

    /// A page of the rated films, the latest ratings first.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``SessionExpired``.
    func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie>

    /// Adds a film to the watchlist or removes it. Idempotent.
    /// - Throws: ``SessionExpired``.
    func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, with session: UpstreamSession
    ) async throws -> WatchlistChange

    /// A page of ``Favourite/pageSize`` films of the watchlist, the latest first.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``SessionExpired``.
    func watchlist(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<MovieSummary>

    /// Whether a film is on the watchlist; false for unknown films.
    /// - Throws: ``SessionExpired``.
    func isOnWatchlist(_ id: MovieID, with session: UpstreamSession) async throws -> Bool

    /// The films among `ids` that are on the watchlist.
    /// - Returns: `nil` while the watchlist is still unknown.
    /// - Throws: ``SessionExpired``.
    func watchlistIDs(among ids: [MovieID], with session: UpstreamSession) async throws -> Set<MovieID>?
}

/// The result of adding a film to a watchlist or removing it.
package enum WatchlistChange: Hashable, Sendable {
    /// - Parameter isNew: Whether the film was added and was not on the list before.
    case done(isNew: Bool)
    case unknownMovie
}

/// Defaults of a source without watchlists (``AccountRepository/hasWatchlists``): no film is on one.
extension AccountRepository {
    package var isTemporary: Bool { false }
    package var hasWatchlists: Bool { false }
    package var approvalOrigin: String? { nil }

    package func dropCached(accountID: String) {}

    package func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, with session: UpstreamSession
    ) async throws -> WatchlistChange {
        .unknownMovie
    }

    package func watchlist(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<MovieSummary> {
        Page(number: page, results: [], totalPages: 0, totalResults: 0)
    }

    package func isOnWatchlist(_ id: MovieID, with session: UpstreamSession) async throws -> Bool { false }

    package func watchlistIDs(among ids: [MovieID], with session: UpstreamSession) async throws -> Set<MovieID>? { [] }
}

/// Why a request token cannot be exchanged for a session.
package enum AuthorizationFailure: Error, Hashable, Sendable {
    /// The user has not decided yet; the same token can be tried again.
    case notApproved
    case denied
    /// The token does not exist, has been used, or has expired.
    case unknownToken
}

/// The source has expired the session.
package struct SessionExpired: Error, Hashable, Sendable {
    package init() {}
}

/// A user account of a source.
package struct Account: Hashable, Sendable {
    package let source: MovieSource
    /// The source's id of the account.
    package let id: String
    /// Never empty.
    package let username: String
    /// The display name; may be empty.
    package let name: String

    package init(source: MovieSource, id: String, username: String, name: String) {
        self.source = source
        self.id = id
        self.username = username
        self.name = name
    }
}

/// A pending request to act for a user, who approves it on a page of the source.
package struct AuthorizationRequest: Hashable, Sendable {
    package let token: String
    /// The approval page.
    package let url: String
    package let expiresAt: Instant

    package init(token: String, url: String, expiresAt: Instant) {
        self.token = token
        self.url = url
        self.expiresAt = expiresAt
    }
}

/// Stores users' decisions on authorization requests if this service serves the approval page.
package protocol ApprovalHandler: Sendable {
    /// The state of a request; `nil` if it does not exist or has expired.
    func approval(of requestToken: String) async throws -> Approval?

    /// Stores the user's decision; the first decision is final.
    /// - Returns: The resulting state; `nil` if the request does not exist or has expired.
    func decide(_ requestToken: String, approves: Bool) async throws -> Approval?
}

/// The state of an authorization request, for the approval page.
package struct Approval: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, Codable {
        case open
        case approved
        case denied
    }

    package let state: State
    /// The URL that the page redirects to; `nil` if it does not redirect.
    package let returnTo: String?

    package init(state: State, returnTo: String?) {
        self.state = state
        self.returnTo = returnTo
    }
}
