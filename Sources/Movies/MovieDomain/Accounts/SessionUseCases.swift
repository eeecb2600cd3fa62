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

/// A session of a source where nobody signs in here now. It is not over: what is missing may come back.
public struct SessionSourceDisabled: Error, Hashable, Sendable {
    /// Whose session it is.
    public let source: MovieSource

    /// A session of a source where nobody signs in here now.
    public init(source: MovieSource) {
        self.source = source
    }
}

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

/// Makes a token for somebody who does not say who they are.
public struct RegisterDevice: Sendable {
    /// For how long the token holds unless another time is given, in seconds: 365 days. What a device likes is lost with it.
    public static let defaultLifetimeSeconds: Int64 = 365 * 86_400

    private let sessions: any SessionRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - sessions: Keeps what stands behind the token.
    ///   - lifetimeSeconds: For how long it holds.
    ///   - now: The time of day.
    public init(
        sessions: any SessionRepository, lifetimeSeconds: Int64 = RegisterDevice.defaultLifetimeSeconds,
        now: @escaping @Sendable () -> Instant
    ) {
        self.sessions = sessions
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    /// - Throws: ``StorageFailure``, `CancellationError`.
    public func callAsFunction() async throws -> AuthenticatedSession {
        let holder = AuthenticatedSession(
            token: AccessToken(),
            session: Session(
                // Half of what a token has: nobody can guess it, and it is not the token.
                owner: .device(id: String(AccessToken().text.prefix(32))), upstream: nil,
                expiresAt: Instant(secondsSince1970: self.now().secondsSince1970 + self.lifetimeSeconds)))
        try await self.sessions.keep(holder.session, under: holder.token)
        return holder
    }
}

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
