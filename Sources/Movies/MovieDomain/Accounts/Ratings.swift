/// How good somebody finds a film: 0.5 to 10, in halves.
public struct Rating: Hashable, Sendable {
    /// What is accepted, for people.
    public static let range = "from 0.5 to 10 in steps of 0.5"

    /// In halves, 1 to 20.
    public let halves: Int

    /// - Returns: nil for what is none.
    public init?(_ value: Double) {
        guard value >= 0.5, value <= 10, let halves = Int(exactly: value * 2) else { return nil }
        self.halves = halves
    }

    /// 0.5 to 10.
    public var value: Double { Double(self.halves) / 2 }
}

/// A film and what somebody rated it.
public struct RatedMovie: Hashable, Sendable {
    /// As it was known then.
    public let movie: MovieSummary
    /// The latest.
    public let rating: Rating

    /// A film and what somebody rated it.
    public init(movie: MovieSummary, rating: Rating) {
        self.movie = movie
        self.rating = rating
    }
}

/// Notes how good somebody finds a film.
public struct RateMovie: Sendable {
    /// Why it is not noted.
    public enum Failure: Error, Hashable, Sendable {
        /// The token is a device's.
        case noAccount
        /// The source does not know the session any more, and so it has ended here.
        case sessionExpired
        /// Those who keep the ratings know no such film.
        case unknownMovie(MovieID, to: MovieSource)
    }

    private let access: AccountAccess

    /// - Parameters:
    ///   - accounts: Keeps ratings.
    ///   - sessions: Keeps who signed in there.
    ///   - now: The time of day.
    public init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// Instead of what the film was rated before; repeated, it is the same as once.
    ///
    /// - Parameter rating: nil forgets what it was rated.
    /// - Throws: ``Failure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, _ rating: Rating?, for holder: AuthenticatedSession) async throws {
        do {
            let isKnown = try await self.access(holder) { accounts, session in
                guard id.source == accounts.source else { return false }
                guard let rating else { return try await accounts.unrate(id, with: session) }
                return try await accounts.rate(id, rating, with: session)
            }
            guard isKnown else { throw Failure.unknownMovie(id, to: self.access.accounts.source) }
        } catch let refusal as AccountAccess.Refusal {
            switch refusal {
            case .noAccount: throw Failure.noAccount
            case .sessionExpired: throw Failure.sessionExpired
            }
        }
    }
}

/// How good somebody finds a film.
public struct ShowRating: Sendable {
    /// Why nobody can tell.
    public enum Failure: Error, Hashable, Sendable {
        /// The token is a device's.
        case noAccount
        /// The source does not know the session any more, and so it has ended here.
        case sessionExpired
    }

    private let access: AccountAccess

    /// - Parameters:
    ///   - accounts: Keeps ratings.
    ///   - sessions: Keeps who signed in there.
    ///   - now: The time of day.
    public init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// - Returns: nil for a film that they have not rated.
    /// - Throws: ``Failure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ id: MovieID, for holder: AuthenticatedSession) async throws -> Rating? {
        do {
            return try await self.access(holder) { accounts, session in
                guard id.source == accounts.source else { return nil }
                return try await accounts.rating(of: id, with: session)
            }
        } catch let refusal as AccountAccess.Refusal {
            switch refusal {
            case .noAccount: throw Failure.noAccount
            case .sessionExpired: throw Failure.sessionExpired
            }
        }
    }
}

/// The films that somebody has rated, the latest first.
public struct ShowRatings: Sendable {
    /// Why nobody can tell.
    public enum Failure: Error, Hashable, Sendable {
        /// The token is a device's.
        case noAccount
        /// The source does not know the session any more, and so it has ended here.
        case sessionExpired
    }

    private let access: AccountAccess

    /// - Parameters:
    ///   - accounts: Keeps ratings.
    ///   - sessions: Keeps who signed in there.
    ///   - now: The time of day.
    public init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// - Parameter page: From 1; behind the last there is an empty one.
    /// - Throws: ``Failure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(
        page: Int, language: LanguagePreference, for holder: AuthenticatedSession
    ) async throws -> Page<RatedMovie> {
        do {
            return try await self.access(holder) { accounts, session in
                try await accounts.ratings(page: page, language: language, with: session)
            }
        } catch let refusal as AccountAccess.Refusal {
            switch refusal {
            case .noAccount: throw Failure.noAccount
            case .sessionExpired: throw Failure.sessionExpired
            }
        }
    }
}
