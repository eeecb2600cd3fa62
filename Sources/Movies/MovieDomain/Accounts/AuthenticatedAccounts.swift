/// Reads the accounts, ratings and watchlists of signed-in users; ends sessions that the source has expired.
package struct AuthenticatedAccounts: Sendable {
    let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let identities: FilmIdentities?
    private let now: @Sendable () -> Instant

    /// - Parameter identities: Knows the accounts' source's ids of other films; nil knows none.
    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, identities: FilmIdentities? = nil,
        now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.identities = identities
        self.now = now
    }

    /// The account that the session acts for.
    package func account(of holder: AuthenticatedSession) async throws -> Account {
        try await self.perform(for: holder) { try await self.accounts.account(of: $0) }
    }

    /// Replaces the previous rating of the film, or of its counterpart at the accounts' source. Idempotent.
    ///
    /// - Parameter rating: nil removes the rating.
    package func rate(_ id: MovieID, _ rating: Rating?, for holder: AuthenticatedSession) async throws {
        let isKnown = try await self.perform(for: holder) { session in
            guard let id = try await self.ratedID(of: id) else { return false }
            guard let rating else { return try await self.accounts.unrate(id, with: session) }
            return try await self.accounts.rate(id, rating, with: session)
        }
        guard isKnown else { throw AccountFailure.unknownMovie(id, to: self.accounts.source) }
    }

    /// - Returns: nil for a film without a rating.
    /// - Throws: ``UnknownMovie`` too.
    package func rating(of id: MovieID, for holder: AuthenticatedSession) async throws -> Rating? {
        try await self.perform(for: holder) { session in
            guard let id = try await self.ratedID(of: id) else {
                throw AccountFailure.unknownMovie(id, to: self.accounts.source)
            }
            return try await self.accounts.rating(of: id, with: session)
        }
    }

    /// The ratings of those films of `ids` that have one, or whose counterparts have one.
    ///
    /// - Returns: nil while they are not known.
    package func ratings(of ids: [MovieID], for holder: AuthenticatedSession) async throws -> [MovieID: Rating]? {
        try await self.perform(for: holder) { session in
            let ratedIDs = try await self.storedIDs(of: ids)
            guard !ratedIDs.isEmpty else { return [:] }
            let ratings = try await self.accounts.ratings(of: Array(Set(ratedIDs.values)), with: session)
            return ratings.map { ratings in ratedIDs.compactMapValues { ratings[$0] } }
        }
    }

    /// The latest rating first.
    ///
    /// - Parameter page: From 1; pages after the last are empty.
    package func ratings(
        page: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<RatedMovie> {
        try await self.perform(for: holder) { session in
            try await self.accounts.ratings(page: page, language: language, with: session)
        }
    }

    /// The film's id at the accounts' source; nil when it has none there.
    private func ratedID(of id: MovieID) async throws -> MovieID? {
        if id.source == self.accounts.source { return id }
        let counterpart = try await self.identities?.link(of: id)?.counterpart
        return counterpart?.source == self.accounts.source ? counterpart : nil
    }

    /// The ids at the accounts' source of those films that are known there without a search.
    func storedIDs(of ids: [MovieID]) async throws -> [MovieID: MovieID] {
        let source = self.accounts.source
        var known = try await self.identities?.storedCounterparts(of: ids) ?? [:]
        for id in ids where id.source == source { known[id] = id }
        return known.filter { $0.value.source == source }
    }

    /// - Throws: ``AccountFailure``, ``StorageFailure``, ``SessionSourceDisabled``, errors of `operation`.
    func perform<Value: Sendable>(
        for holder: AuthenticatedSession, _ operation: (UpstreamSession) async throws -> Value
    ) async throws -> Value {
        guard let upstream = holder.session.upstream else { throw AccountFailure.noAccount }
        // A session of another source cannot be used here, but has not expired: its key may be configured again.
        guard upstream.source == self.accounts.source else { throw SessionSourceDisabled(source: upstream.source) }
        do {
            return try await operation(upstream)
        } catch is SessionExpired {}
        _ = try await self.sessions.end(holder.token, at: self.now())
        throw AccountFailure.sessionExpired
    }
}

/// Why an operation on an account is refused.
package enum AccountFailure: Error, Hashable, Sendable {
    /// The token is of a device, which has no account.
    case noAccount
    /// The source has expired the session; it has been ended here too.
    case sessionExpired
    /// The source that stores ratings has no such film.
    case unknownMovie(MovieID, to: MovieSource)
}

/// The session is of a source that accounts are not configured for now. It is kept, and valid again with the configuration.
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

    /// - Returns: nil for values outside ``range``.
    package init?(_ value: Double) {
        guard value >= 0.5, value <= 10, let halves = Int(exactly: value * 2) else { return nil }
        self.halves = halves
    }

    /// 0.5 to 10.
    package var value: Double { Double(self.halves) / 2 }
}

/// A film as its source describes it in lists, and a user's rating of it.
package struct RatedMovie: Hashable, Sendable {
    package let movie: MovieSummary
    package let rating: Rating

    package init(movie: MovieSummary, rating: Rating) {
        self.movie = movie
        self.rating = rating
    }
}
