/// Signs users in and out, and registers devices.
///
/// When a device signs in to a lasting account, its favourites and watchlist are moved to the account. A temporary
/// account uses the device's lists instead (``AuthenticatedSession/favouritesOwner``), and so does the device's next
/// temporary account: if the response to a sign-in is lost, the client signs in again with its old token and loses
/// nothing. The device's token stays valid, and the client returns to it when the session ends.
package struct SignIn: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// The redirect URI has none of the accepted ``RedirectURI/forms``.
        case unacceptableAddress
    }

    /// The default lifetime of a session in seconds: 30 days.
    package static let defaultLifetimeSeconds: Int64 = 30 * 86_400
    /// The lifetime of a device's token in seconds: 365 days. The device's favourites expire with it.
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
    /// - Parameter address: The URL that the approval page redirects to; `nil` if it does not redirect.
    /// - Throws: ``Failure``, ``SourceFailure``, ``StorageFailure``, `CancellationError`.
    package func begin(returningTo address: String?) async throws -> AuthorizationRequest {
        if let address, RedirectURI(address) == nil { throw Failure.unacceptableAddress }
        return try await self.accounts.requestAuthorization(returningTo: address)
    }

    /// Exchanges an approved request token for a session.
    ///
    /// - Parameters:
    ///   - holder: The client's previous session, of a device or a temporary account, to move lists from.
    /// - Returns: The session, and the numbers of favourites and watchlist films that its account gained; `nil` if none
    ///   were moved: without a holder, from a lasting account, if the account uses the device's lists, or if the write
    ///   fails.
    /// - Throws: ``AuthorizationFailure``, ``SourceFailure``, ``StorageFailure``.
    package func complete(
        requestToken: String, from holder: AuthenticatedSession? = nil
    ) async throws -> (session: AuthenticatedSession, movedFavourites: Int?, movedToWatchlist: Int?) {
        // No source issues such tokens: saves the request.
        guard (1...Self.tokenLengthLimit).contains(requestToken.utf8.count),
            requestToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw AuthorizationFailure.unknownToken }
        // An unstructured task, because a request token is valid once: a client's disconnection must not leave an
        // upstream session that is neither stored nor ended.
        return try await Task {
            let upstream = try await self.accounts.session(for: requestToken)
            var opened: AuthenticatedSession
            do {
                let shared = holder?.session.sharedDevice(with: upstream.source) ?? upstream.accountID
                opened = try await self.open(
                    .account(upstream.source, id: upstream.accountID), upstream,
                    device: self.accounts.isTemporary ? shared : nil, for: self.lifetimeSeconds)
            } catch {
                // The storage failure is reported, not a failure to end the session.
                try? await self.accounts.end(upstream)
                throw error
            }
            opened.device = holder?.deviceToken
            // One after the other: a failed write of one list does not affect the other.
            let account = opened.favouritesOwner
            let favourites = try await self.move(self.favourites, of: holder, to: account)
            return (opened, favourites, try await self.move(self.watchlist, of: holder, to: account))
        }.value
    }

    /// - Returns: `nil` if nothing was moved.
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
            // The repository logs it. The session is open and the request token used: the films stay with their owner.
            return nil
        }
    }

    /// Issues a token to a device, which can have lists of films without an account.
    package func registerDevice() async throws -> AuthenticatedSession {
        // 128 random bits: not guessable, and do not reveal the token.
        try await self.openDevice(String(AccessToken().text.prefix(32)))
    }

    /// The token of the device that a browser returns to when a session ends: the browser's own or, without one, a new
    /// token of the device with the lists of a temporary account.
    ///
    /// - Returns: `nil` for a lasting account without a device.
    /// - Throws: ``StorageFailure``, `CancellationError`.
    package func device(behind holder: AuthenticatedSession) async throws -> AccessToken? {
        if let known = holder.device, try await self.sessions.session(under: known, at: self.now()) != nil {
            return known
        }
        guard let id = holder.session.device else { return nil }
        return try await self.openDevice(id).token
    }

    private func openDevice(_ id: String) async throws -> AuthenticatedSession {
        try await self.open(.device(id: id), nil, device: nil, for: Self.deviceLifetimeSeconds)
    }

    /// Ends a session here and at its source. The token is invalid afterwards, even if the source fails.
    ///
    /// A temporary account's lists remain with its device; lists that no other session uses are removed.
    /// - Returns: The source's failure to end its session; `nil` if it succeeded or there was none.
    package func end(_ token: AccessToken) async throws -> SourceFailure? {
        // An unstructured task: a client's disconnection does not cancel its sign-out.
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

extension AuthenticatedSession {
    /// The token of the device behind the session, or the session's own for a device.
    fileprivate var deviceToken: AccessToken? {
        if case .device = self.session.owner { return self.token }
        return self.device
    }
}

extension Session {
    /// The id under which the next temporary account shares this session's lists, the same at each sign-in: the
    /// device's id or, for sessions of earlier versions without a device, the temporary account's id. `nil` for a
    /// lasting account.
    fileprivate func sharedDevice(with source: MovieSource) -> String? {
        switch self.owner {
        case .device(let id): id
        case .account(source, let id): self.device ?? id
        case .account: nil
        }
    }
}
