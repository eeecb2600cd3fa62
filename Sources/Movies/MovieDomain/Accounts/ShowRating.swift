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
