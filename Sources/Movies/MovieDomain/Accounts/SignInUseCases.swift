/// Requests the authorization to act for a user.
package struct BeginSignIn: Sendable {
    /// Why the authorization is not requested.
    package enum Failure: Error, Hashable, Sendable {
        /// The redirect URI is none of ``RedirectURI/forms``.
        case unacceptableAddress
    }

    private let accounts: any AccountRepository

    package init(accounts: any AccountRepository) {
        self.accounts = accounts
    }

    /// - Parameter address: Where the approval page redirects to; nil for nowhere.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func callAsFunction(returningTo address: String?) async throws -> AuthorizationRequest {
        if let address, RedirectURI(address) == nil { throw Failure.unacceptableAddress }
        return try await self.accounts.requestAuthorization(returningTo: address)
    }
}

/// Exchanges an approved request token for a session.
package struct CompleteSignIn: Sendable {
    /// The default lifetime of a session in seconds: 30 days.
    package static let defaultLifetimeSeconds: Int64 = 30 * 86_400
    /// The longest request token that is sent to a source, in bytes.
    package static let tokenLengthLimit = 512

    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository,
        lifetimeSeconds: Int64 = CompleteSignIn.defaultLifetimeSeconds, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    /// - Throws: ``AuthorizationFailure``, ``SourceFailure``, ``StorageFailure``.
    package func callAsFunction(requestToken: String) async throws -> AuthenticatedSession {
        // No source issues other tokens: they are not worth a request.
        guard (1...Self.tokenLengthLimit).contains(requestToken.utf8.count),
            requestToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw AuthorizationFailure.unknownToken }
        // In a task of its own, because a request token is valid once: a client that disconnects must not leave a session
        // behind that is neither stored nor ended.
        return try await Task { try await self.complete(requestToken) }.value
    }

    private func complete(_ requestToken: String) async throws -> AuthenticatedSession {
        let upstream = try await self.accounts.session(for: requestToken)
        let holder = AuthenticatedSession(
            token: AccessToken(),
            session: Session(
                owner: .account(upstream.source, id: upstream.accountID), upstream: upstream,
                expiresAt: Instant(secondsSince1970: self.now().secondsSince1970 + self.lifetimeSeconds)))
        do {
            try await self.sessions.keep(holder.session, under: holder.token)
        } catch {
            // The storage failure is reported, not that of ending the session.
            try? await self.accounts.end(upstream)
            throw error
        }
        return holder
    }
}
