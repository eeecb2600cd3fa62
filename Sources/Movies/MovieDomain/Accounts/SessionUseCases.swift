/// Ends a session.
public struct EndSession: Sendable {
    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - accounts: Where people sign in.
    ///   - sessions: Keeps what became of it.
    ///   - now: The time of day.
    public init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.now = now
    }

    /// From here on the token is worth nothing, whatever the source says of it.
    ///
    /// - Returns: Why the source was not given its right back; nil when it was, or there was none.
    /// - Throws: ``StorageFailure``.
    public func callAsFunction(_ token: AccessToken) async throws -> SourceFailure? {
        // Whoever wants out is not kept in by leaving early.
        try await Task {
            guard let upstream = try await self.sessions.end(token, at: self.now())?.upstream,
                upstream.source == self.accounts.source
            else { return nil }
            do {
                try await self.accounts.end(upstream)
            } catch let failure as SourceFailure {
                return failure
            }
            return nil
        }.value
    }
}
