/// Signs users in and out, and registers devices.
///
/// The favourites of a device that signs in are moved to the account, and back when the account ends with its session.
package struct SignIn: Sendable {
    /// Why the authorization is not requested.
    package enum Failure: Error, Hashable, Sendable {
        /// The redirect URI is none of ``RedirectURI/forms``.
        case unacceptableAddress
    }

    /// The default lifetime of a session in seconds: 30 days.
    package static let defaultLifetimeSeconds: Int64 = 30 * 86_400
    /// The lifetime of a device's token in seconds: 365 days. The device's favourites are lost with it.
    static let deviceLifetimeSeconds: Int64 = 365 * 86_400
    /// The longest request token that is sent to a source, in bytes.
    package static let tokenLengthLimit = 512

    private let accounts: any AccountRepository
    private let sessions: any SessionRepository
    private let favourites: any FavouriteRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, favourites: any FavouriteRepository,
        lifetimeSeconds: Int64 = SignIn.defaultLifetimeSeconds, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.favourites = favourites
        self.lifetimeSeconds = lifetimeSeconds
        self.now = now
    }

    /// Requests the authorization to act for a user.
    ///
    /// - Parameter address: Where the approval page redirects to; nil for nowhere.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func begin(returningTo address: String?) async throws -> AuthorizationRequest {
        if let address, RedirectURI(address) == nil { throw Failure.unacceptableAddress }
        return try await self.accounts.requestAuthorization(returningTo: address)
    }

    /// Exchanges an approved request token for a session.
    ///
    /// - Parameters:
    ///   - holder: The session until now, whose favourites are moved when it is of a device or a temporary account; nil for none.
    ///   - remembersDevice: Whether the device gets them back when the new account is temporary and ends.
    /// - Returns: The session, and how many more favourites its account has; nil when none could be moved: without a holder, or while
    ///   they cannot be written, when they stay the holder's.
    /// - Throws: ``AuthorizationFailure``, ``SourceFailure``, ``StorageFailure``.
    package func complete(
        requestToken: String, from holder: AuthenticatedSession? = nil, remembersDevice: Bool = false
    ) async throws -> (session: AuthenticatedSession, movedFavourites: Int?) {
        // No source issues other tokens: they are not worth a request.
        guard (1...Self.tokenLengthLimit).contains(requestToken.utf8.count),
            requestToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw AuthorizationFailure.unknownToken }
        // In a task of its own, because a request token is valid once: a client that disconnects must not leave a session
        // behind that is neither stored nor ended.
        return try await Task {
            let upstream = try await self.accounts.session(for: requestToken)
            let opened: AuthenticatedSession
            do {
                let device = remembersDevice && self.accounts.isTemporary ? holder?.session.signedInDevice : nil
                opened = try await self.open(
                    .account(upstream.source, id: upstream.accountID), upstream, device: device,
                    for: self.lifetimeSeconds)
            } catch {
                // The storage failure is reported, not that of ending the session.
                try? await self.accounts.end(upstream)
                throw error
            }
            return (opened, try await self.moveFavourites(of: holder, to: opened.owner))
        }.value
    }

    /// - Returns: nil when nothing could be moved.
    private func moveFavourites(of holder: AuthenticatedSession?, to account: Owner) async throws -> Int? {
        guard let owner = holder?.owner else { return nil }
        switch owner {
        case .device: break
        // The favourites of a lasting account stay with it.
        case .account(let source, _):
            guard self.accounts.isTemporary, source == self.accounts.source else { return nil }
        }
        do {
            return try await self.favourites.move(from: owner, to: account, limit: AddFavourite.defaultLimit)
        } catch is StorageFailure {
            // The library logs it. The session is open, and the request token used: the favourites stay where they are.
            return nil
        }
    }

    /// Issues a token to a device, which may have favourites without an account.
    package func registerDevice() async throws -> AuthenticatedSession {
        // 128 random bits: cannot be guessed, and do not reveal the token.
        let id = String(AccessToken().text.prefix(32))
        return try await self.open(.device(id: id), nil, device: nil, for: Self.deviceLifetimeSeconds)
    }

    /// Ends a session here and at its source. The token is invalid from now on, even when the source fails.
    ///
    /// The favourites of a temporary account are its device's again, if that is known; what does not fit ends with the account.
    /// - Returns: Why the source did not end its session; nil when it did, or had none.
    package func end(_ token: AccessToken) async throws -> SourceFailure? {
        // In a task of its own: a client that disconnects does not cancel its sign-out.
        try await Task {
            try await self.returnFavourites(of: token)
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

    /// Before the session ends: while they cannot be moved, it goes on, and nothing is lost.
    private func returnFavourites(of token: AccessToken) async throws {
        guard self.accounts.isTemporary,
            let session = try await self.sessions.session(under: token, at: self.now()),
            session.upstream?.source == self.accounts.source, let device = session.device
        else { return }
        _ = try await self.favourites.move(
            from: session.owner, to: .device(id: device), limit: AddFavourite.defaultLimit)
    }

    private func open(
        _ owner: Owner, _ upstream: UpstreamSession?, device: String?, for seconds: Int64
    ) async throws -> AuthenticatedSession {
        let expiresAt = Instant(secondsSince1970: self.now().secondsSince1970 + seconds)
        let opened = AuthenticatedSession(
            token: AccessToken(),
            session: Session(owner: owner, upstream: upstream, device: device, expiresAt: expiresAt))
        try await self.sessions.keep(opened.session, under: opened.token)
        return opened
    }
}

extension Session {
    /// The id of the device, or of the one that signed in.
    fileprivate var signedInDevice: String? {
        if case .device(let id) = self.owner { id } else { self.device }
    }
}
