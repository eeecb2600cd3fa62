import MovieDomain
import MovieTesting
import Testing

struct ShowMarksTests {
    /// Favourites that cannot be read.
    private struct BrokenFavourites: FavouriteRepository {
        func favourites(of owner: Owner, page: Int, size: Int) async throws -> Page<Favourite> { throw self.failure }
        func favourite(_ id: MovieID, of owner: Owner) async throws -> Favourite? { throw self.failure }
        func put(_ favourite: Favourite, of owner: Owner, limit: Int) async throws -> Bool? { throw self.failure }
        func remove(_ id: MovieID, of owner: Owner) async throws { throw self.failure }
        func move(from owner: Owner, to other: Owner, limit: Int) async throws -> Int { throw self.failure }
        func favouriteIDs(among ids: [MovieID], of owner: Owner) async throws -> Set<MovieID> { throw self.failure }

        private var failure: StorageFailure { StorageFailure(reason: "broken") }
    }

    private let ids = ["tmdb:603", "tmdb:604", "kobis:20228555"].map { MovieID($0)! }
    private let accounts: ScriptedAccounts
    private let sessions = MemorySessions()
    private let favourites = MemoryFavourites()
    private let watchlist = MemoryFavourites()
    private let now: @Sendable () -> Instant = { Instant(secondsSince1970: 1000) }

    init() {
        self.accounts = ScriptedAccounts(hasWatchlists: true, known: self.ids.filter { $0.source == .tmdb })
    }

    private var authenticated: AuthenticatedAccounts {
        AuthenticatedAccounts(accounts: self.accounts, sessions: self.sessions, now: self.now)
    }

    private var show: ShowMarks {
        ShowMarks(favourites: self.favourites, watchlist: self.watchlist, accounts: self.authenticated)
    }

    private func signIn() async throws -> AuthenticatedSession {
        self.accounts.decide("token", .success(()))
        return try await SignIn(
            accounts: self.accounts, sessions: self.sessions, favourites: self.favourites,
            watchlist: self.watchlist, now: self.now
        )
        .complete(requestToken: "token").session
    }

    private func like(_ id: MovieID, _ owner: Owner, in list: MemoryFavourites? = nil) async throws {
        let film = try #require(MovieSummary(id: id, title: "A"))
        _ = try await (list ?? self.favourites).put(Favourite(movie: film, addedAt: self.now()), of: owner, limit: 10)
    }

    @Test func marksAreOfTheAccount() async throws {
        let session = try await self.signIn()
        let rating = try #require(Rating(8.5))
        try await self.authenticated.rate(self.ids[0], rating, for: session)
        try await self.like(self.ids[0], session.favouritesOwner)
        try await self.like(self.ids[2], session.favouritesOwner)
        #expect(
            try await self.show(self.ids + self.ids, for: session) == [
                self.ids[0]: Marks(isFavourite: true, isOnWatchlist: false, rated: .rating(rating)), self.ids[1]: .none,
                self.ids[2]: Marks(isFavourite: true, isOnWatchlist: false, rated: .none),
            ])
        #expect(try await self.show([], for: session) == [:])
    }

    @Test func devicesHaveNoRatings() async throws {
        let device = try await SignIn(
            accounts: self.accounts, sessions: self.sessions, favourites: self.favourites,
            watchlist: self.watchlist, now: self.now
        ).registerDevice()
        try await self.like(self.ids[1], device.favouritesOwner)
        self.accounts.fail(with: .tooSlow(.tmdb))
        #expect(
            try await self.show(self.ids, for: device) == [
                self.ids[0]: .none, self.ids[1]: Marks(isFavourite: true, isOnWatchlist: false, rated: .none),
                self.ids[2]: .none,
            ])
    }

    @Test func theSourceIsAskedForTheMarksOfAccountsOnly() async throws {
        let device = try await SignIn(
            accounts: self.accounts, sessions: self.sessions, favourites: self.favourites,
            watchlist: self.watchlist, now: self.now
        ).registerDevice()
        #expect(!self.show.asksSource(for: device))
        #expect(self.show.asksSource(for: try await self.signIn()))
    }

    @Test func theWatchlistIsWhatIsHereAndWhatIsAtTheSource() async throws {
        let session = try await self.signIn()
        let upstream = try #require(session.session.upstream)
        _ = try await self.accounts.setOnWatchlist(self.ids[0], true, with: upstream)
        try await self.like(self.ids[2], session.favouritesOwner, in: self.watchlist)
        let marked = try await self.show(self.ids, for: session)
        #expect(self.ids.map { marked[$0]?.isOnWatchlist } == [true, false, true])
        #expect(self.ids.map { marked[$0]?.isFavourite } == [false, false, false])
        self.accounts.makeWatchlistUnknown()
        let known = try await self.show(self.ids, for: session)
        #expect(self.ids.map { known[$0]?.isOnWatchlist } == [nil, nil, true], "one that is here is on it anyway")
        #expect(known[self.ids[0]]?.rated == Marks.Rated.none)
    }

    @Test func whatCannotBeReadIsUnknown() async throws {
        let session = try await self.signIn()
        let id = self.ids[0]
        self.accounts.makeRatingsUnknown()
        #expect(
            try await self.show([id], for: session) == [
                id: Marks(isFavourite: false, isOnWatchlist: false, rated: .unknown)
            ])
        self.accounts.makeRatingsUnknown(false)
        self.accounts.fail(with: .tooSlow(.tmdb))
        #expect(
            try await self.show([id], for: session) == [
                id: Marks(isFavourite: false, isOnWatchlist: nil, rated: .unknown)
            ])
        self.accounts.fail(with: nil)
        let broken = ShowMarks(
            favourites: BrokenFavourites(), watchlist: BrokenFavourites(), accounts: self.authenticated)
        #expect(try await broken([id], for: session) == [id: Marks(isFavourite: nil, isOnWatchlist: nil, rated: .none)])
    }

    @Test func aSessionThatItsSourceHasEndedEnds() async throws {
        let session = try await self.signIn()
        self.accounts.forgetSessions()
        let id = self.ids[0]
        #expect(
            try await self.show([id], for: session) == [
                id: Marks(isFavourite: false, isOnWatchlist: nil, rated: .unknown)
            ])
        #expect(self.sessions.count == 0)
    }
}
