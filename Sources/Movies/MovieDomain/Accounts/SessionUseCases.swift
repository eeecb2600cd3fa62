/// Runs operations at the account source with the upstream session of a token; ends sessions that the source has expired.
struct AccountAccess: Sendable {
    let accounts: any AccountRepository
    let sessions: any SessionRepository
    let now: @Sendable () -> Instant

    /// - Throws: ``AccountFailure``, ``StorageFailure``, ``SessionSourceDisabled``, errors of `operation`.
    func callAsFunction<Value: Sendable>(
        _ holder: AuthenticatedSession, _ operation: (any AccountRepository, UpstreamSession) async throws -> Value
    ) async throws -> Value {
        guard let upstream = holder.session.upstream else { throw AccountFailure.noAccount }
        // A session of another source cannot be used here, but has not expired: its key may be configured again.
        guard upstream.source == self.accounts.source else { throw SessionSourceDisabled(source: upstream.source) }
        do {
            return try await operation(self.accounts, upstream)
        } catch is SessionExpired {}
        _ = try await self.sessions.end(holder.token, at: self.now())
        throw AccountFailure.sessionExpired
    }
}

/// Why an operation on an account is refused.
package enum AccountFailure: Error, Hashable, Sendable {
    /// The token is of a device, which has no account.
    case noAccount
    /// The source has expired the session; it has been ended here too.
    case sessionExpired
}

/// The session is of a source that accounts are not configured for now. It is kept, and valid again with the configuration.
package struct SessionSourceDisabled: Error, Hashable, Sendable {
    package let source: MovieSource

    /// A session of a source that accounts are not configured for now.
    package init(source: MovieSource) {
        self.source = source
    }
}

/// Returns the account that a session acts for.
package struct ShowAccount: Sendable {
    private let access: AccountAccess

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.access = AccountAccess(accounts: accounts, sessions: sessions, now: now)
    }

    /// - Throws: ``AccountFailure``, ``SessionSourceDisabled``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func callAsFunction(_ holder: AuthenticatedSession) async throws -> Account {
        try await self.access(holder) { try await $0.account(of: $1) }
    }
}

/// Issues a token to a device, which may have favourites without an account.
package struct RegisterDevice: Sendable {
    /// The default lifetime of the token in seconds: 365 days. The device's favourites are lost with it.
    package static let defaultLifetimeSeconds: Int64 = 365 * 86_400

    private let sessions: any SessionRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant

    package init(
        sessions: any SessionRepository, lifetimeSeconds: Int64 = RegisterDevice.defaultLifetimeSeconds,
        now: @escaping @Sendable () -> Instant
    ) {
        self.sessions = sessions
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    package func callAsFunction() async throws -> AuthenticatedSession {
        let holder = AuthenticatedSession(
            token: AccessToken(),
            session: Session(
                // 128 random bits: cannot be guessed, and do not reveal the token.
                owner: .device(id: String(AccessToken().text.prefix(32))), upstream: nil,
                expiresAt: Instant(secondsSince1970: self.now().secondsSince1970 + self.lifetimeSeconds)))
        try await self.sessions.keep(holder.session, under: holder.token)
        return holder
    }
}

/// Ends a session here and at its source.
package struct EndSession: Sendable {
    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let now: @Sendable () -> Instant

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.now = now
    }

    /// The token is invalid from now on, even when the source fails to end its session.
    /// - Returns: Why the source did not end its session; nil when it did, or had none.
    package func callAsFunction(_ token: AccessToken) async throws -> SourceFailure? {
        // In a task of its own: a client that disconnects does not cancel its sign-out.
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
