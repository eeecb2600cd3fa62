/// A source with user accounts and ratings, and perhaps watchlists.
///
/// Every function throws ``SourceFailure``, ``StorageFailure`` where accounts are stored locally, `CancellationError`, and
/// the errors that it lists.
package protocol AccountRepository: Sendable {
    var source: MovieSource { get }
    /// Whether an account ends with its session, as guests do; false by default.
    var isTemporary: Bool { get }
    /// Whether the source keeps the watchlists of its accounts; false by default.
    var hasWatchlists: Bool { get }
    /// The origin of the page on which users approve, such as `https://www.example.org`; nil for a page of this service,
    /// the default.
    var approvalOrigin: String? { get }

    /// Requests the authorization to act for a user.
    /// - Parameter returningTo: The client's URL that the approval page redirects to; nil for none.
    func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest

    /// Exchanges an approved request token for a session; each token is valid once.
    /// - Throws: ``AuthorizationFailure``.
    func session(for requestToken: String) async throws -> UpstreamSession

    /// Ends a session. Idempotent.
    func end(_ session: UpstreamSession) async throws

    /// Drops an account's entries of caches in memory; by default there are none.
    func dropCached(accountID: String)

    /// The account that the session acts for.
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

    /// nil without a rating.
    /// - Throws: ``UnknownMovie``, ``SessionExpired``.
    func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating?

    /// The ratings of those films of `ids` that have one; of unknown films there is none.
    /// - Returns: nil while they are not known.
    /// - Throws: ``SessionExpired``.
    func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]?

    /// A page of the rated films, the latest rating first.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``SessionExpired``.
    func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie>

    /// Adds a film to the watchlist, or removes it. Idempotent.
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

    /// Those films of `ids` that are on the watchlist.
    /// - Returns: nil while they are not known.
    /// - Throws: ``SessionExpired``.
    func watchlistIDs(among ids: [MovieID], with session: UpstreamSession) async throws -> Set<MovieID>?
}

/// What became of adding a film to a watchlist, or removing it.
package enum WatchlistChange: Hashable, Sendable {
    /// - Parameter isNew: Whether it was added, and not there before.
    case done(isNew: Bool)
    case unknownMovie
}

/// Without ``AccountRepository/hasWatchlists``, no film is on a watchlist of the source.
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
    /// The user has not decided yet: the same token may be tried again.
    case notApproved
    /// The user has denied the request.
    case denied
    /// The token does not exist, was used before, or has expired.
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
    /// May be empty.
    package let name: String

    package init(source: MovieSource, id: String, username: String, name: String) {
        self.source = source
        self.id = id
        self.username = username
        self.name = name
    }
}

/// A request to act for a user, which the user approves on a page of the source.
package struct AuthorizationRequest: Hashable, Sendable {
    package let token: String
    /// The page on which the user approves.
    package let url: String
    package let expiresAt: Instant

    package init(token: String, url: String, expiresAt: Instant) {
        self.token = token
        self.url = url
        self.expiresAt = expiresAt
    }
}

/// Stores users' decisions on authorization requests, when the approval page is served by this service.
package protocol ApprovalHandler: Sendable {
    /// The state of a request; nil when it does not exist or has expired.
    func approval(of requestToken: String) async throws -> Approval?

    /// Stores the user's decision, unless there is one already.
    /// - Returns: The state that applies now; nil when the request does not exist or has expired.
    func decide(_ requestToken: String, approves: Bool) async throws -> Approval?
}

/// An authorization request as the approval page shows it.
package struct Approval: Hashable, Sendable {
    /// The user's decision.
    package enum State: String, Hashable, Sendable, Codable {
        case open
        case approved
        case denied
    }

    package let state: State
    /// Where the page redirects to; nil for nowhere.
    package let returnTo: String?
    /// When the request expires.
    package let expiresAt: Instant

    package init(state: State, returnTo: String?, expiresAt: Instant) {
        self.state = state
        self.returnTo = returnTo
        self.expiresAt = expiresAt
    }
}
