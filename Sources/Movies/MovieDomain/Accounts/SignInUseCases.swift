/// Asks for the right to act for somebody.
public struct BeginSignIn: Sendable {
    /// Why it is not asked for.
    public enum Failure: Error, Hashable, Sendable {
        /// Nobody is led there: what is accepted is in ``RedirectURI/forms``.
        case unacceptableAddress
    }

    private let accounts: any AccountRepository

    /// - Parameter accounts: Where people sign in.
    public init(accounts: any AccountRepository) {
        self.accounts = accounts
    }

    /// - Parameter address: Where the page of approval leads back to; nil for nowhere.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    public func callAsFunction(returningTo address: String?) async throws -> AuthorizationRequest {
        if let address, RedirectURI(address) == nil { throw Failure.unacceptableAddress }
        return try await self.accounts.requestAuthorization(returningTo: address)
    }
}

/// Makes a session of a wish that was approved.
public struct CompleteSignIn: Sendable {
    /// Why there is none.
    public enum Failure: Error, Hashable, Sendable {
        /// Nobody has said anything yet: the same token may be tried again.
        case notApproved
        /// The user does not want it.
        case denied
        /// There is no such wish, or it was made use of, or it is too old.
        case unknownToken
    }

    /// For how long a session holds unless another time is given, in seconds: 30 days.
    public static let defaultLifetimeSeconds: Int64 = 30 * 86_400
    /// The longest request token that a source is asked about, in bytes.
    public static let tokenLengthLimit = 512

    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant

    /// - Parameters:
    ///   - accounts: Where people sign in.
    ///   - sessions: Keeps what becomes of it.
    ///   - lifetimeSeconds: For how long a session holds.
    ///   - now: The time of day.
    public init(
        accounts: any AccountRepository, sessions: any SessionRepository,
        lifetimeSeconds: Int64 = CompleteSignIn.defaultLifetimeSeconds, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``.
    public func callAsFunction(requestToken: String) async throws -> AuthenticatedSession {
        // No source makes others: they are not worth asking about.
        guard (1...Self.tokenLengthLimit).contains(requestToken.utf8.count),
            requestToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw Failure.unknownToken }
        // A wish counts once: what it becomes is kept, or given back, even when nobody waits for it any more.
        return try await Task { try await self.complete(requestToken) }.value
    }

    private func complete(_ requestToken: String) async throws -> AuthenticatedSession {
        let upstream: UpstreamSession
        do {
            upstream = try await self.accounts.session(for: requestToken)
        } catch let failure as AuthorizationFailure {
            switch failure {
            case .notApproved: throw Failure.notApproved
            case .denied: throw Failure.denied
            case .unknownToken: throw Failure.unknownToken
            }
        }
        let holder = AuthenticatedSession(
            token: AccessToken(),
            session: Session(
                owner: .account(upstream.source, id: upstream.accountID), upstream: upstream,
                expiresAt: Instant(secondsSince1970: self.now().secondsSince1970 + self.lifetimeSeconds)))
        do {
            try await self.sessions.keep(holder.session, under: holder.token)
        } catch {
            // That it cannot be kept is worse than that it cannot be given back.
            try? await self.accounts.end(upstream)
            throw error
        }
        return holder
    }
}
