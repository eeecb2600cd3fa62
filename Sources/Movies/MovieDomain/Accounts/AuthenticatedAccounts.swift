/// Reads accounts, ratings and watchlists of signed-in users; ends sessions that the source has expired.
package struct AuthenticatedAccounts: Sendable {
    let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let identities: FilmIdentities?
    private let now: @Sendable () -> Instant

    /// - Parameter identities: Maps films of other sources to ids of the accounts' source; `nil` disables the mapping.
    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, identities: FilmIdentities? = nil,
        now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.identities = identities
        self.now = now
    }

    package func account(of holder: AuthenticatedSession) async throws -> Account {
        try await self.perform(for: holder) { try await self.accounts.account(of: $0) }
    }

    /// Rates the film, or its counterpart at the accounts' source; replaces the previous rating. Idempotent.
    ///
    /// - Parameter rating: `nil` removes the rating.
    package func rate(_ id: MovieID, _ rating: Rating?, for holder: AuthenticatedSession) async throws {
        let isKnown = try await self.perform(for: holder) { session in
            guard let id = try await self.ratedID(of: id) else { return false }
            guard let rating else { return try await self.accounts.unrate(id, with: session) }
            return try await self.accounts.rate(id, rating, with: session)
        }
        guard isKnown else { throw AccountFailure.unknownMovie(id, to: self.accounts.source) }
    }

    /// - Returns: `nil` if the film has no rating.
    /// - Throws: ``UnknownMovie``, and the errors of `perform`.
    package func rating(of id: MovieID, for holder: AuthenticatedSession) async throws -> Rating? {
        try await self.perform(for: holder) { session in
            guard let id = try await self.ratedID(of: id) else {
                throw AccountFailure.unknownMovie(id, to: self.accounts.source)
            }
            return try await self.accounts.rating(of: id, with: session)
        }
    }

    /// The ratings of the films among `ids`, including ratings of their counterparts.
    ///
    /// - Returns: `nil` while the ratings are still unknown.
    package func ratings(of ids: [MovieID], for holder: AuthenticatedSession) async throws -> [MovieID: Rating]? {
        try await self.perform(for: holder) { session in
            let ratedIDs = try await self.storedIDs(of: ids)
            guard !ratedIDs.isEmpty else { return [:] }
            let ratings = try await self.accounts.ratings(of: Array(Set(ratedIDs.values)), with: session)
            return ratings.map { ratings in ratedIDs.compactMapValues { ratings[$0] } }
        }
    }

    /// A page of the rated films, the latest ratings first.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    package func ratings(
        page: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<RatedMovie> {
        try await self.perform(for: holder) { session in
            try await self.accounts.ratings(page: page, language: language, with: session)
        }
    }

    /// The film's id at the accounts' source; `nil` if the source has no such film.
    private func ratedID(of id: MovieID) async throws -> MovieID? {
        if id.source == self.accounts.source { return id }
        let counterpart = try await self.identities?.link(of: id)?.counterpart
        return counterpart?.source == self.accounts.source ? counterpart : nil
    }

    /// The films' ids at the accounts' source, as far as they are known without a search.
    func storedIDs(of ids: [MovieID]) async throws -> [MovieID: MovieID] {
        let source = self.accounts.source
        var known = try await self.identities?.storedCounterparts(of: ids) ?? [:]
        for id in ids where id.source == source { known[id] = id }
        return known.filter { $0.value.source == source }
    }

    /// Runs `operation` with the holder's upstream session; ends the session here if the source has expired it.
    /// - Throws: ``AccountFailure``, ``StorageFailure``, ``SessionSourceDisabled``, errors of `operation`.
    func perform<Value: Sendable>(
        for holder: AuthenticatedSession, _ operation: (UpstreamSession) async throws -> Value
    ) async throws -> Value {
        guard let upstream = holder.session.upstream else { throw AccountFailure.noAccount }
        // The session is of another source, but has not expired: that source may be configured again.
        guard upstream.source == self.accounts.source else { throw SessionSourceDisabled(source: upstream.source) }
        do {
            return try await operation(upstream)
        } catch is SessionExpired {}
        _ = try await self.sessions.end(holder.token, at: self.now())
        throw AccountFailure.sessionExpired
    }
}

/// Operations on watchlists that are stored at the accounts' source.
extension AuthenticatedAccounts {
    /// Whether the session's account has a watchlist at its source.
    func hasWatchlist(_ holder: AuthenticatedSession) -> Bool {
        self.accounts.hasWatchlists && holder.session.upstream?.source == self.accounts.source
    }

    /// The film's id at the accounts' source, for its watchlist.
    ///
    /// - Returns: `nil` if the source's id is not known, or the session has no watchlist there.
    func watchlistID(of id: MovieID, for holder: AuthenticatedSession) async throws -> MovieID? {
        guard self.hasWatchlist(holder) else { return nil }
        return try await self.storedIDs(of: [id])[id]
    }

    func setOnWatchlist(
        _ id: MovieID, _ isOn: Bool, for holder: AuthenticatedSession
    ) async throws -> WatchlistChange {
        try await self.perform(for: holder) { try await self.accounts.setOnWatchlist(id, isOn, with: $0) }
    }

    /// A page of the watchlist at the source, the latest films first.
    func watchlist(
        page: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<MovieSummary> {
        try await self.perform(for: holder) {
            try await self.accounts.watchlist(page: page, language: language, with: $0)
        }
    }

    func isOnWatchlist(_ id: MovieID, for holder: AuthenticatedSession) async throws -> Bool {
        try await self.perform(for: holder) { try await self.accounts.isOnWatchlist(id, with: $0) }
    }

    /// The films among `ids` that are on the watchlist at the source, under their own id or their counterpart's.
    ///
    /// - Returns: `nil` while the watchlist is still unknown; empty for sessions without a watchlist at the source.
    func watchlistIDs(among ids: [MovieID], for holder: AuthenticatedSession) async throws -> Set<MovieID>? {
        guard self.hasWatchlist(holder) else { return [] }
        return try await self.perform(for: holder) { session in
            let sourceIDs = try await self.storedIDs(of: ids)
            guard !sourceIDs.isEmpty else { return [] }
            let found = try await self.accounts.watchlistIDs(among: Array(Set(sourceIDs.values)), with: session)
            return found.map { found in Set(ids.filter { sourceIDs[$0].map(found.contains) ?? false }) }
        }
    }
}

/// Why an operation on an account is rejected.
package enum AccountFailure: Error, Hashable, Sendable {
    /// The token belongs to a device without an account.
    case noAccount
    /// The source has expired the session; it has been ended here, too.
    case sessionExpired
    /// The source of the ratings has no such film.
    case unknownMovie(MovieID, to: MovieSource)
}

/// The session's source is not the configured source of accounts. The session is kept, and valid again with its source.
package struct SessionSourceDisabled: Error, Hashable, Sendable {
    package let source: MovieSource

    package init(source: MovieSource) {
        self.source = source
    }
}

/// A user's rating of a film: 0.5 to 10 in steps of 0.5.
package struct Rating: Hashable, Sendable {
    /// The accepted values, for error messages.
    package static let range = "from 0.5 to 10 in steps of 0.5"

    /// The rating in steps of 0.5: 1 to 20.
    package let halves: Int

    /// - Returns: `nil` if the value is not in ``range``.
    package init?(_ value: Double) {
        guard value >= 0.5, value <= 10, let halves = Int(exactly: value * 2) else { return nil }
        self.halves = halves
    }

    /// 0.5 to 10.
    package var value: Double { Double(self.halves) / 2 }
}

/// A film's summary and a user's rating of the film.
package struct RatedMovie: Hashable, Sendable {
    package let movie: MovieSummary
    package let rating: Rating

    package init(movie: MovieSummary, rating: Rating) {
        self.movie = movie
        self.rating = rating
    }
}
