/// Signs users in and out, and registers devices.
///
/// The favourites and the watchlist of a device that signs in are moved to an account that lasts. An account that ends with its session uses those of its
/// device instead (``AuthenticatedSession/favouritesOwner``), and the next such account those of this one: nothing is lost when the response
/// to a sign-in is, and the client signs in again with the token that it still has.
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
    private let watchlist: any FavouriteRepository
    private let lifetimeSeconds: Int64
    private let now: @Sendable () -> Instant

    package init(
        accounts: any AccountRepository, sessions: any SessionRepository, favourites: any FavouriteRepository,
        watchlist: any FavouriteRepository,
        lifetimeSeconds: Int64 = SignIn.defaultLifetimeSeconds, now: @escaping @Sendable () -> Instant
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.favourites = favourites
        self.watchlist = watchlist
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
    ///   - holder: The session until now, of a device or a temporary account, whose lists come along; nil for none.
    /// - Returns: The session, and how many more favourites its account has, and films on its watchlist; nil when none were moved:
    ///   without a holder, when the account uses those of the device, or while they cannot be written, when they stay the holder's.
    /// - Throws: ``AuthorizationFailure``, ``SourceFailure``, ``StorageFailure``.
    package func complete(
        requestToken: String, from holder: AuthenticatedSession? = nil
    ) async throws -> (session: AuthenticatedSession, movedFavourites: Int?, movedToWatchlist: Int?) {
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
                let shared = holder?.session.sharedDevice(with: upstream.source) ?? upstream.accountID
                opened = try await self.open(
                    .account(upstream.source, id: upstream.accountID), upstream,
                    device: self.accounts.isTemporary ? shared : nil, for: self.lifetimeSeconds)
            } catch {
                // The storage failure is reported, not that of ending the session.
                try? await self.accounts.end(upstream)
                throw error
            }
            // One after the other: a list that cannot be written leaves the other alone.
            let account = opened.favouritesOwner
            let favourites = try await self.move(self.favourites, of: holder, to: account)
            return (opened, favourites, try await self.move(self.watchlist, of: holder, to: account))
        }.value
    }

    /// - Returns: nil when nothing was moved.
    private func move(
        _ list: any FavouriteRepository, of holder: AuthenticatedSession?, to account: Owner
    ) async throws -> Int? {
        guard let owner = holder?.favouritesOwner, owner != account else { return nil }
        switch owner {
        case .device: break
        // The lists of a lasting account stay with it.
        case .account(let source, _):
            guard self.accounts.isTemporary, source == self.accounts.source else { return nil }
        }
        do {
            return try await list.move(from: owner, to: account, limit: AddFavourite.defaultLimit)
        } catch is StorageFailure {
            // The library logs it. The session is open, and the request token used: the films stay where they are.
            return nil
        }
    }

    /// Issues a token to a device, which may have lists of films without an account.
    package func registerDevice() async throws -> AuthenticatedSession {
        // 128 random bits: cannot be guessed, and do not reveal the token.
        let id = String(AccessToken().text.prefix(32))
        return try await self.open(.device(id: id), nil, device: nil, for: Self.deviceLifetimeSeconds)
    }

    /// Ends a session here and at its source. The token is invalid from now on, even when the source fails.
    ///
    /// The lists that a temporary account used are still its device's; those that no session reaches any more end with the account.
    /// - Returns: Why the source did not end its session; nil when it did, or had none.
    package func end(_ token: AccessToken) async throws -> SourceFailure? {
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
    /// The id under which the next temporary account shares the lists of this session, the same each time it signs in: that of its
    /// device; without one, as sessions of earlier versions, that of its temporary account. nil for an account that lasts.
    fileprivate func sharedDevice(with source: MovieSource) -> String? {
        switch self.owner {
        case .device(let id): id
        case .account(source, let id): self.device ?? id
        case .account: nil
        }
    }
}
