/// Acts at a source for whoever holds a token. A session that the source does not know any more is forgotten here too.
struct AccountAccess: Sendable {
    /// Why that cannot be done.
    enum Refusal: Error, Hashable, Sendable {
        /// The token is a device's.
        case noAccount
        /// The source does not know the session any more.
        case sessionExpired
    }

    let accounts: any AccountRepository
    let sessions: any SessionRepository
    let now: @Sendable () -> Instant

    /// - Throws: ``Refusal``, ``StorageFailure``, ``SessionSourceDisabled``, what `operation` throws.
    func callAsFunction<Value: Sendable>(
        _ holder: AuthenticatedSession, _ operation: (any AccountRepository, UpstreamSession) async throws -> Value
    ) async throws -> Value {
        guard let upstream = holder.session.upstream else { throw Refusal.noAccount }
        // What one source gave means nothing to another. Nor is it over: a key may be missing by mistake, and come back.
        guard upstream.source == self.accounts.source else { throw SessionSourceDisabled(source: upstream.source) }
        do {
            return try await operation(self.accounts, upstream)
        } catch is SessionExpired {}
        _ = try await self.sessions.end(holder.token, at: self.now())
        throw Refusal.sessionExpired
    }
}
