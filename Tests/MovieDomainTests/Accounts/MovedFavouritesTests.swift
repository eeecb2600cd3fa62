import MovieDomain
import MovieTesting
import Testing

/// Moving favourites and watchlists when users sign in and out.
struct MovedFavouritesTests {
    private let sessions = MemorySessions()
    private let favourites = MemoryFavourites()
    private let watchlist = MemoryFavourites()
    private let now: @Sendable () -> Instant = { Instant(secondsSince1970: 1000) }

    private func use(_ accounts: ScriptedAccounts) -> SignIn {
        SignIn(
            accounts: accounts, sessions: self.sessions, favourites: self.favourites, watchlist: self.watchlist,
            now: self.now)
    }

    private func put(
        _ names: [String], of owner: Owner, in list: MemoryFavourites? = nil
    ) async throws {
        for (number, name) in names.enumerated() {
            let movie = try #require(MovieID(name).flatMap { MovieSummary(id: $0, title: name) })
            let favourite = Favourite(movie: movie, addedAt: Instant(secondsSince1970: Int64(number)))
            _ = try await (list ?? self.favourites).put(favourite, of: owner, limit: 9)
        }
    }

    private func names(of owner: Owner, in list: MemoryFavourites? = nil) async throws -> Set<String> {
        Set(try await (list ?? self.favourites).favourites(of: owner, page: 1, size: 20).results.map(\.movie.title))
    }

    /// Signs in with a request token approved by the user.
    private func complete(
        _ accounts: ScriptedAccounts, from holder: AuthenticatedSession?
    ) async throws -> (session: AuthenticatedSession, movedFavourites: Int?, movedToWatchlist: Int?) {
        accounts.decide("token", .success(()))
        return try await self.use(accounts).complete(requestToken: "token", from: holder)
    }

    @Test func favouritesOfADeviceComeAlongOnce() async throws {
        let accounts = ScriptedAccounts()
        let device = try await self.use(accounts).registerDevice()
        let account = Owner.account(.tmdb, id: "7")
        try await self.put(["a", "b"], of: device.favouritesOwner)
        try await self.put(["b", "c"], of: account)
        let first = try await self.complete(accounts, from: device)
        #expect(first.session.favouritesOwner == account && first.movedFavourites == 1)
        #expect(try await self.names(of: account) == ["a", "b", "c"])
        #expect(try await self.names(of: device.favouritesOwner).isEmpty)
        await #expect(throws: AuthorizationFailure.unknownToken) {
            try await self.use(accounts).complete(requestToken: "token", from: device)
        }
        #expect(try await self.complete(accounts, from: device).movedFavourites == 0, "nothing is left to move")
        #expect(try await self.complete(accounts, from: nil).movedFavourites == nil)
        #expect(first.session.session.device == nil, "an account that lasts keeps them")
        #expect(try await self.use(accounts).end(first.session.token) == nil)
        #expect(try await self.names(of: account) == ["a", "b", "c"])
    }

    @Test func theWatchlistComesAlong() async throws {
        let accounts = ScriptedAccounts()
        let device = try await self.use(accounts).registerDevice()
        let account = Owner.account(.tmdb, id: "7")
        try await self.put(["a"], of: device.favouritesOwner)
        try await self.put(["b", "c"], of: device.favouritesOwner, in: self.watchlist)
        let opened = try await self.complete(accounts, from: device)
        #expect(opened.movedFavourites == 1 && opened.movedToWatchlist == 2)
        #expect(try await self.names(of: account) == ["a"])
        #expect(try await self.names(of: account, in: self.watchlist) == ["b", "c"])
        #expect(try await self.names(of: device.favouritesOwner, in: self.watchlist).isEmpty)
    }

    @Test("a list that cannot be moved leaves the other alone", arguments: [true, false])
    func aFailingListLeavesTheOther(isWatchlist: Bool) async throws {
        let accounts = ScriptedAccounts()
        let device = try await self.use(accounts).registerDevice()
        for list in [self.favourites, self.watchlist] {
            try await self.put(["a"], of: device.favouritesOwner, in: list)
        }
        let (broken, other) = isWatchlist ? (self.watchlist, self.favourites) : (self.favourites, self.watchlist)
        broken.failMoves(with: StorageFailure(reason: "full"))
        let opened = try await self.complete(accounts, from: device)
        #expect(opened.movedFavourites == (isWatchlist ? 1 : nil) && opened.movedToWatchlist == (isWatchlist ? nil : 1))
        #expect(try await self.names(of: .account(.tmdb, id: "7"), in: other) == ["a"])
        #expect(try await self.names(of: device.favouritesOwner, in: broken) == ["a"])
    }

    @Test func aRefusedSignInMovesNothing() async throws {
        let accounts = ScriptedAccounts()
        let device = try await self.use(accounts).registerDevice()
        try await self.put(["a"], of: device.favouritesOwner)
        accounts.decide("token", .failure(.denied))
        await #expect(throws: AuthorizationFailure.denied) {
            try await self.use(accounts).complete(requestToken: "token", from: device)
        }
        #expect(try await self.names(of: device.favouritesOwner) == ["a"])
    }

    @Test func favouritesThatCannotBeMovedStayAndTheUserIsSignedIn() async throws {
        let accounts = ScriptedAccounts()
        let device = try await self.use(accounts).registerDevice()
        try await self.put(["a"], of: device.favouritesOwner)
        self.favourites.failMoves(with: StorageFailure(reason: "full"))
        let opened = try await self.complete(accounts, from: device)
        #expect(opened.movedFavourites == nil && accounts.ended.isEmpty)
        #expect(try await self.sessions.session(under: opened.session.token, at: self.now()) != nil)
        #expect(try await self.names(of: device.favouritesOwner) == ["a"])
        self.favourites.failMoves(with: nil)
        #expect(try await self.complete(accounts, from: device).movedFavourites == 1, "the next time they come along")
    }

    @Test func thoseOfAnotherAccountDoNot() async throws {
        let (accounts, other) = (ScriptedAccounts(), Owner.account(.tmdb, id: "8"))
        try await self.put(["a"], of: other)
        let session = Session(
            owner: other, upstream: UpstreamSession(source: .tmdb, secret: "s", accountID: "8"),
            expiresAt: Instant(secondsSince1970: 9999))
        let holder = AuthenticatedSession(token: AccessToken(), session: session)
        #expect(try await self.complete(accounts, from: holder).movedFavourites == nil)
        #expect(try await self.names(of: other) == ["a"])
    }

    @Test func aGuestUsesThoseOfTheDevice() async throws {
        let accounts = ScriptedAccounts(source: .embedded, isTemporary: true)
        let device = try await self.use(accounts).registerDevice()
        try await self.put(["a"], of: device.favouritesOwner)
        // Moves fail, but none is needed.
        self.favourites.failMoves(with: StorageFailure(reason: "full"))
        let lost = try await self.complete(accounts, from: device)
        #expect(lost.movedFavourites == nil)
        #expect(try await self.names(of: lost.session.favouritesOwner) == ["a"])
        #expect(try await self.names(of: device.favouritesOwner) == ["a"], "also when the response is lost")
        // The guest signs in again and still belongs to its device.
        let guest = try await self.complete(accounts, from: lost.session).session
        #expect(guest.session.owner != .device(id: guest.session.device ?? ""))
        try await self.put(["b"], of: guest.favouritesOwner)
        #expect(try await self.use(accounts).end(guest.token) == nil)
        #expect(accounts.ended.map(\.source) == [.embedded])
        #expect(try await self.names(of: device.favouritesOwner) == ["a", "b"])
    }

    @Test func aGuestWithoutADeviceSharesItsOwnWithTheNext() async throws {
        let accounts = ScriptedAccounts(source: .embedded, isTemporary: true)
        let guest = try await self.complete(accounts, from: nil).session
        try await self.put(["a"], of: guest.favouritesOwner)
        // The client does not receive this response.
        _ = try await self.complete(accounts, from: guest)
        #expect(try await self.names(of: guest.favouritesOwner) == ["a"])
        let next = try await self.complete(accounts, from: guest)
        #expect(next.movedFavourites == nil)
        #expect(try await self.names(of: next.session.favouritesOwner) == ["a"])
        #expect(try await self.names(of: guest.favouritesOwner) == ["a"])
    }

    @Test func aGuestOfAnEarlierVersionKeepsItsOwnHoweverOftenItSignsIn() async throws {
        let accounts = ScriptedAccounts(source: .embedded, isTemporary: true)
        let session = Session(
            owner: .account(.embedded, id: "8"),
            upstream: UpstreamSession(source: .embedded, secret: "s", accountID: "8"),
            expiresAt: Instant(secondsSince1970: 9999))
        let holder = AuthenticatedSession(token: AccessToken(), session: session)
        try await self.put(["a"], of: session.owner)
        let lost = try await self.complete(accounts, from: holder)
        #expect(lost.movedFavourites == 1)
        let next = try await self.complete(accounts, from: holder)
        #expect(try await self.names(of: next.session.favouritesOwner) == ["a"])
    }

    @Test func thoseThatAGuestUsesMoveToAnAccountThatLasts() async throws {
        let guests = ScriptedAccounts(source: .embedded, isTemporary: true)
        let device = try await self.use(guests).registerDevice()
        try await self.put(["a"], of: device.favouritesOwner)
        let guest = try await self.complete(guests, from: device).session
        // Meanwhile a key of the other source was configured.
        let opened = try await self.complete(ScriptedAccounts(), from: guest)
        #expect(opened.movedFavourites == 1 && opened.session.session.device == nil)
        #expect(try await self.names(of: .account(.tmdb, id: "7")) == ["a"])
    }
}
