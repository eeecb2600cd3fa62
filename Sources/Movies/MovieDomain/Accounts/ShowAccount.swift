/// Who somebody is to the source where they signed in.
public struct ShowAccount: Sendable {
    /// Why nobody can tell.
    public enum Failure: Error, Hashable, Sendable {
        /// The token is a device's.
        case noAccount
        /// The source does not know the session any more, and so it has ended here.
        case sessionExpired
    }

    private let access: AccountAccess

    /// - Parameters:
    ///   - accounts: Where people sign in.
    ///   - sessions: Keeps what became of it.
    ///   - now: The time of day.
    public init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// - Throws: ``Failure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(_ holder: AuthenticatedSession) async throws -> Account {
        do {
            return try await self.access(holder) { try await $0.account(of: $1) }
        } catch let refusal as AccountAccess.Refusal {
            switch refusal {
            case .noAccount: throw Failure.noAccount
            case .sessionExpired: throw Failure.sessionExpired
            }
        }
    }
}
