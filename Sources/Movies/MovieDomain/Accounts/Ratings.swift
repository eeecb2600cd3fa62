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
