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

/// A film and a user's rating of it.
package struct RatedMovie: Hashable, Sendable {
    /// The film as its source describes it in lists.
    package let movie: MovieSummary
    package let rating: Rating

    package init(movie: MovieSummary, rating: Rating) {
        self.movie = movie
        self.rating = rating
    }
}

/// Sets or removes a user's rating of a film.
package struct RateMovie: Sendable {
    /// Why the rating is not stored.
    package enum Failure: Error, Hashable, Sendable {
        /// The source that stores ratings has no such film.
        case unknownMovie(MovieID, to: MovieSource)
    }

    private let access: AccountAccess

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// Replaces the previous rating. Idempotent.
    ///
    /// - Parameter rating: nil removes the rating.
    /// - Throws: ``Failure``, ``AccountFailure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``,
    ///   `CancellationError`.
    package func callAsFunction(_ id: MovieID, _ rating: Rating?, for holder: AuthenticatedSession) async throws {
        let isKnown = try await self.access(holder) { accounts, session in
            guard id.source == accounts.source else { return false }
            guard let rating else { return try await accounts.unrate(id, with: session) }
            return try await accounts.rate(id, rating, with: session)
        }
        guard isKnown else { throw Failure.unknownMovie(id, to: self.access.accounts.source) }
    }
}

/// Returns a user's rating of a film.
package struct ShowRating: Sendable {
    private let access: AccountAccess

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// - Returns: nil for a film without a rating.
    /// - Throws: ``AccountFailure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func callAsFunction(_ id: MovieID, for holder: AuthenticatedSession) async throws -> Rating? {
        try await self.access(holder) { accounts, session in
            guard id.source == accounts.source else { return nil }
            return try await accounts.rating(of: id, with: session)
        }
    }
}

/// Returns a page of the films that a user has rated, the latest rating first.
package struct ShowRatings: Sendable {
    private let access: AccountAccess

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// - Parameter page: From 1; pages after the last are empty.
    /// - Throws: ``AccountFailure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func callAsFunction(
        page: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<RatedMovie> {
        try await self.access(holder) { accounts, session in
            try await accounts.ratings(page: page, language: language, with: session)
        }
    }
}
