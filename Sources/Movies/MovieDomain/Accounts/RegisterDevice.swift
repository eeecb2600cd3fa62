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
