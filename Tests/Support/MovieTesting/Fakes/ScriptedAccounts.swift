package import MovieDomain
import Synchronization

/// A source with one account; a test decides on its request tokens and sessions.
package final class ScriptedAccounts: AccountRepository {
    private struct State {
        var decisions: [String: Result<Void, AuthorizationFailure>] = [:]
        var returnAddresses: [String?] = []
        var ended: [UpstreamSession] = []
        var dropped: [String] = []
        var ratings: [(id: MovieID, rating: Rating)] = []
        var failure: SourceFailure?
        var knowsSessions = true
        var areRatingsUnknown = false
        // Oldest first.
        var watchlist: [MovieID] = []
        var watchlistChanges: [String] = []
        var isWatchlistUnknown = false
    }

    package let source: MovieSource
    package let isTemporary: Bool
    package let hasWatchlists: Bool
    private let known: Set<MovieID>
    private let state = Mutex(State())

    /// - Parameter known: Films that can be rated and added to the watchlist.
    package init(
        source: MovieSource = .tmdb, isTemporary: Bool = false, hasWatchlists: Bool = false, known: [MovieID] = []
    ) {
        self.source = source
        self.isTemporary = isTemporary
        self.hasWatchlists = hasWatchlists
        self.known = Set(known)
    }

    /// The redirect URIs of all requests, in order.
    package var returnAddresses: [String?] { self.state.withLock { $0.returnAddresses } }

    package var ended: [UpstreamSession] { self.state.withLock { $0.ended } }

    /// The accounts with dropped cached data, in order.
    package var dropped: [String] { self.state.withLock { $0.dropped } }

    package func dropCached(accountID: String) { self.state.withLock { $0.dropped.append(accountID) } }

    /// Makes all following calls fail; `nil` clears the failure.
    package func fail(with failure: SourceFailure?) {
        self.state.withLock { $0.failure = failure }
    }

    /// Expires all sessions.
    package func forgetSessions() {
        self.state.withLock { $0.knowsSessions = false }
    }

    /// Sets whether ``ratings(of:with:)`` returns `nil`.
    package func makeRatingsUnknown(_ areUnknown: Bool = true) {
        self.state.withLock { $0.areRatingsUnknown = areUnknown }
    }

    /// Sets the user's decision on a request token.
    package func decide(_ requestToken: String, _ outcome: Result<Void, AuthorizationFailure>) {
        self.state.withLock { $0.decisions[requestToken] = outcome }
    }

    /// Issues the request tokens `request-1`, `request-2` …
    package func requestAuthorization(returningTo: String?) async throws -> AuthorizationRequest {
        let count = try self.answer { state in
            state.returnAddresses.append(returningTo)
            return state.returnAddresses.count
        }
        return AuthorizationRequest(
            token: "request-\(count)", url: "https://source.test/request-\(count)",
            expiresAt: Instant(secondsSince1970: 3600))
    }

    /// - Throws: `notApproved` until a decision is set.
    package func session(for requestToken: String) async throws -> UpstreamSession {
        try self.answer { state in
            guard let decision = state.decisions[requestToken] else { throw AuthorizationFailure.notApproved }
            try decision.get()
            state.decisions[requestToken] = .failure(.unknownToken)
        }
        return UpstreamSession(source: self.source, secret: "secret of \(requestToken)", accountID: "7")
    }

    package func end(_ session: UpstreamSession) async throws {
        try self.answer { $0.ended.append(session) }
    }

    package func account(of session: UpstreamSession) async throws -> Account {
        try self.answerInSession { _ in }
        return Account(source: self.source, id: session.accountID, username: "ada", name: "Ada")
    }

    package func rate(_ id: MovieID, _ rating: Rating, with session: UpstreamSession) async throws -> Bool {
        try self.answerInSession { state in
            guard self.known.contains(id) else { return false }
            state.ratings.removeAll { $0.id == id }
            state.ratings.append((id, rating))
            return true
        }
    }

    package func unrate(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        try self.answerInSession { state in
            state.ratings.removeAll { $0.id == id }
            return self.known.contains(id)
        }
    }

    package func rating(of id: MovieID, with session: UpstreamSession) async throws -> Rating? {
        try self.answerInSession { state in
            guard self.known.contains(id) else { throw UnknownMovie(id) }
            return state.ratings.first { $0.id == id }?.rating
        }
    }

    package func ratings(of ids: [MovieID], with session: UpstreamSession) async throws -> [MovieID: Rating]? {
        try self.answerInSession { state in
            guard !state.areRatingsUnknown else { return nil }
            return Dictionary(state.ratings.filter { ids.contains($0.id) }.map { ($0.id, $0.rating) }) { $1 }
        }
    }

    /// Latest first, 20 per page.
    package func ratings(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<RatedMovie> {
        let ratings = try self.answerInSession { $0.ratings }
        let movies = ratings.reversed().compactMap { entry in
            MovieSummary(id: entry.id, title: entry.id.key).map { RatedMovie(movie: $0, rating: entry.rating) }
        }
        return Page(page, of: movies, size: 20)
    }

    /// The requested watchlist changes in order: `+603` for an addition, `-603` for a removal.
    package var watchlistChanges: [String] { self.state.withLock { $0.watchlistChanges } }

    /// Sets whether ``watchlistIDs(among:with:)`` returns `nil`.
    package func makeWatchlistUnknown(_ isUnknown: Bool = true) {
        self.state.withLock { $0.isWatchlistUnknown = isUnknown }
    }

    /// Does not add unknown films.
    package func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, with session: UpstreamSession
    ) async throws -> WatchlistChange {
        try self.answerInSession { state in
            state.watchlistChanges.append((isOn ? "+" : "-") + id.key)
            guard self.known.contains(id) else { return .unknownMovie }
            let isNew = isOn && !state.watchlist.contains(id)
            if isNew { state.watchlist.append(id) }
            if !isOn { state.watchlist.removeAll { $0 == id } }
            return .done(isNew: isNew)
        }
    }

    /// Latest first.
    package func watchlist(
        page: Int, language: LanguagePreference, with session: UpstreamSession
    ) async throws -> Page<MovieSummary> {
        let ids = try self.answerInSession { $0.watchlist }
        let movies = ids.reversed().compactMap { MovieSummary(id: $0, title: $0.key) }
        return Page(page, of: movies, size: Favourite.pageSize)
    }

    package func isOnWatchlist(_ id: MovieID, with session: UpstreamSession) async throws -> Bool {
        try self.answerInSession { $0.watchlist.contains(id) }
    }

    package func watchlistIDs(among ids: [MovieID], with session: UpstreamSession) async throws -> Set<MovieID>? {
        try self.answerInSession { $0.isWatchlistUnknown ? nil : Set($0.watchlist).intersection(ids) }
    }

    private func answerInSession<Answer>(_ body: (inout State) throws -> Answer) throws -> Answer {
        try self.answer { state in
            guard state.knowsSessions else { throw SessionExpired() }
            return try body(&state)
        }
    }

    private func answer<Answer>(_ body: (inout State) throws -> Answer) throws -> Answer {
        try self.state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }
}
