/// Erases all that is stored here about a user, and ends the user's sessions here and at their source.
///
/// Ratings and a watchlist that the source of a lasting account stores stay there.
package struct EraseUserData: Sendable {
    private let userData: any UserDataRepository
    private let accounts: any AccountRepository

    package init(_ userData: any UserDataRepository, accounts: any AccountRepository) {
        self.userData = userData
        self.accounts = accounts
    }

    /// Every token of the user is invalid afterwards, even when the source fails.
    ///
    /// - Returns: Why the source did not end a session, after which no other is tried; nil when it did, or had none.
    /// - Throws: ``StorageFailure``; then nothing is erased.
    package func callAsFunction(_ holder: AuthenticatedSession) async throws -> SourceFailure? {
        // In a task of its own: a client that disconnects does not cancel it.
        try await Task {
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
