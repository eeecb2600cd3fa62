/// Erases all stored data of a user, and ends the user's sessions here and at their source.
///
/// For a lasting account, ratings and a watchlist that its source stores are not erased.
package struct EraseUserData: Sendable {
    private let userData: any UserDataRepository
    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let now: @Sendable () -> Instant

    package init(
        _ userData: any UserDataRepository, accounts: any AccountRepository, sessions: any SessionRepository,
        now: @escaping @Sendable () -> Instant
    ) {
        self.userData = userData
        self.accounts = accounts
        self.sessions = sessions
        self.now = now
    }

    /// Invalidates every token of the user, even if the source fails.
    ///
    /// - Returns: The source's failure to end a session (no further session is tried then); `nil` if none failed.
    /// - Throws: ``StorageFailure``; then nothing of the account is erased. The device behind it may be.
    package func callAsFunction(_ holder: AuthenticatedSession) async throws -> SourceFailure? {
        // An unstructured task: a client's disconnection does not cancel it.
        try await Task {
            // The device behind an account may have films that did not fit into the account.
            if let token = holder.device, let device = try await self.sessions.session(under: token, at: self.now()) {
                _ = try await self.userData.erase(device.owner)
            }
            let erased = try await self.userData.erase(holder.session.owner)
            guard !self.accounts.isTemporary else { return nil }
            if case .account(self.accounts.source, let id) = holder.session.owner {
                self.accounts.dropCached(accountID: id)
            }
            do {
                for session in erased.upstreamSessions where session.source == self.accounts.source {
                    try await self.accounts.end(session)
                }
            } catch let failure as SourceFailure {
                return failure
            }
            return nil
        }.value
    }
}
