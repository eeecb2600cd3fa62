/// Extends sessions in use: of devices, and of temporary accounts together with the session of the device that
/// signed in and owns the favourites.
///
/// Sessions of other accounts keep their expiry: the user signs in again at the source.
package actor RenewSession {
    /// The interval between renewals of a session in seconds (a day; at most half of its lifetime): each is a write.
    private static let intervalSeconds: Int64 = 86_400
    /// The pause of all renewals after a failure, in seconds.
    private static let pauseSeconds: Int64 = 60

    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant
    private var pausedUntil = Instant(secondsSince1970: .min)
    /// Tokens of pending renewals, at most one per request.
    private var underWay: Set<AccessToken> = []

    /// - Parameter lifetimeSeconds: The lifetime of a temporary account's session.
    package init(
        accounts: any AccountRepository, sessions: any SessionRepository,
        lifetimeSeconds: Int64 = SignIn.defaultLifetimeSeconds, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    /// Returns the session with its new expiry. The session is returned unchanged and stays valid if it was renewed
    /// less than a day ago (or half of its lifetime, if shorter), while another call renews it, and if the write fails.
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

    /// Whether the session is of a device or a temporary account.
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
            // The repository logs it.
            self.pausedUntil = Instant(secondsSince1970: self.now().secondsSince1970 + Self.pauseSeconds)
            return holder
        }
        var session = holder.session
        session.expiresAt = end
        return AuthenticatedSession(token: holder.token, session: session, device: holder.device)
    }
}
