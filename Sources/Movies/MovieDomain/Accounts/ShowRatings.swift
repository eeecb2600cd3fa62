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
