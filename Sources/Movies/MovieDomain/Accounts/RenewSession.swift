/// Prolongs sessions that are in use: those of devices, and of accounts that end with their session, together with that of the device
/// that signed in, which has the favourites.
///
/// The sessions of other accounts end when they were opened to end: the user signs in again at the source.
package actor RenewSession {
    /// The time between two renewals of a session in seconds, a day: each is a write. For shorter lifetimes it is half of the lifetime.
    private static let intervalSeconds: Int64 = 86_400
    /// How long none is renewed after a failure, in seconds.
    private static let pauseSeconds: Int64 = 60

    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant
    /// When sessions are renewed again after a failure.
    private var pausedUntil = Instant(secondsSince1970: .min)
    /// The tokens of renewals under way, as many as requests at most.
    private var underWay: Set<AccessToken> = []

    /// - Parameter lifetimeSeconds: That of the sessions of temporary accounts.
    package init(
        accounts: any AccountRepository, sessions: any SessionRepository,
        lifetimeSeconds: Int64 = SignIn.defaultLifetimeSeconds, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    /// The session with its new end. It is returned as it is, and valid all the same, when it was renewed less than a day ago (less than
    /// half of its lifetime, if that is shorter), while another call renews it, and when it cannot be written.
    ///
    /// - Throws: `CancellationError`.
    package nonisolated func callAsFunction(_ holder: AuthenticatedSession) async throws -> AuthenticatedSession {
        guard self.isRenewable(holder.session) else { return holder }
        let (now, lifetime) = (self.now().secondsSince1970, self.lifetimeSeconds(of: holder.session.owner))
        let (end, interval) = (now + lifetime, min(Self.intervalSeconds, lifetime / 2))
        guard holder.session.expiresAt.secondsSince1970 < end - interval else { return holder }
        let deviceEnd = now + max(lifetime, SignIn.deviceLifetimeSeconds)
        return try await self.renew(
            holder, until: Instant(secondsSince1970: end), deviceUntil: Instant(secondsSince1970: deviceEnd))
    }

    /// Whether it is of a device or of a temporary account.
    package nonisolated func isRenewable(_ session: Session) -> Bool {
        switch session.owner {
        case .device: true
        case .account(let source, _): self.accounts.isTemporary && source == self.accounts.source
        }
    }

    private nonisolated func lifetimeSeconds(of owner: Owner) -> Int64 {
        if case .device = owner { SignIn.deviceLifetimeSeconds } else { self.lifetimeSeconds }
    }

    private func renew(
        _ holder: AuthenticatedSession, until end: Instant, deviceUntil deviceEnd: Instant
    ) async throws -> AuthenticatedSession {
        guard self.pausedUntil <= self.now(), self.underWay.insert(holder.token).inserted else { return holder }
        defer { self.underWay.remove(holder.token) }
        do {
            try await self.sessions.renew(holder.token, until: end, deviceUntil: deviceEnd)
        } catch is StorageFailure {
            // The library logs it.
            self.pausedUntil = Instant(secondsSince1970: self.now().secondsSince1970 + Self.pauseSeconds)
            return holder
        }
        var session = holder.session
        session.expiresAt = end
        return AuthenticatedSession(token: holder.token, session: session)
    }
}
