import MovieDomain
import MovieTesting
import Synchronization
import Testing

/// Watchlists: a device's are stored here, an account's at its source.
struct SavedFilmsTests {
    /// Moves to the source, which the test runs.
    private final class Moves: Sendable {
        private let started = Mutex<[@Sendable () async -> Void]>([])

        var count: Int { self.started.withLock { $0.count } }

        func add(_ move: @escaping @Sendable () async -> Void) { self.started.withLock { $0.append(move) } }

        func run() async {
            let all = self.started.withLock { moves in
                defer { moves = [] }
                return moves
            }
            for move in all { await move() }
        }
    }

    private static let kobis = MovieID("kobis:20228555")!
    private static let own = MovieID("heat-1995")!
    private let stored = MemoryFavourites()
    private let sessions = MemorySessions()
    private let moves = Moves()
    private let accounts = ScriptedAccounts(hasWatchlists: true, known: (1...99).map { Self.id($0) })
    private let tmdb = ScriptedMovies(source: .tmdb)
    private let embedded = ScriptedMovies()
    private let now: @Sendable () -> Instant = { Instant(secondsSince1970: 1000) }
    private let account = AuthenticatedSession(
        token: AccessToken(),
        session: Session(
            owner: .account(.tmdb, id: "7"),
            upstream: UpstreamSession(source: .tmdb, secret: "s", accountID: "7"),
            expiresAt: Instant(secondsSince1970: 9999)))
    private let device = AuthenticatedSession(
        token: AccessToken(),
        session: Session(owner: .device(id: "d"), upstream: nil, expiresAt: Instant(secondsSince1970: 9999)))

    private static func id(_ number: Int) -> MovieID { MovieID("tmdb:\(number)")! }

    init() {
        for number in 1...99 { self.tmdb.add(Movie(summary: .whole(Self.id(number), title: "Film \(number)"))) }
        self.tmdb.add(Movie(summary: .whole(Self.id(404), title: "Elsewhere")))
        self.embedded.add(Movie(summary: .whole(Self.own, title: "Heat")))
    }

    /// Links the KOBIS film to the first TMDB film.
    private var links: MemoryFilmLinks {
        MemoryFilmLinks([
            FilmLink(film: Self.kobis, counterpart: Self.id(1), reason: "same title", linkedAt: self.now())
        ])
    }

    private func watchlist(isLinked: Bool = true) -> SavedFilms {
        let links = isLinked ? self.links : MemoryFilmLinks()
        let kobis = ScriptedMovies(source: .kobis)
        kobis.add(Movie(summary: .whole(Self.kobis, title: "KOBIS")))
        let identities = FilmIdentities(links: links, finder: nil, own: [], now: self.now)
        return SavedFilms(
            LinkedFavourites(self.stored, links: links),
            sources: MovieRepositories([self.tmdb, self.embedded, kobis]), identities: identities,
            accounts: AuthenticatedAccounts(
                accounts: self.accounts, sessions: self.sessions, identities: identities, now: self.now),
            limit: 60, now: self.now, start: { _, move in self.moves.add(move) })
    }

    /// Stores films locally; the last one is the newest.
    private func store(_ ids: [MovieID]) async throws {
        for (number, id) in ids.enumerated() {
            let film = Favourite(
                movie: .whole(id), addedAt: Instant(secondsSince1970: Int64(number)), language: .english)
            _ = try await self.stored.put(film, of: self.account.favouritesOwner, limit: 99)
        }
    }

    /// Adds films to the watchlist at the source.
    private func add(_ ids: [MovieID]) async throws {
        let upstream = try #require(self.account.session.upstream)
        for id in ids { _ = try await self.accounts.setOnWatchlist(id, true, with: upstream) }
    }

    private func storedIDs() async throws -> [MovieID] {
        try await self.stored.favourites(of: self.account.favouritesOwner, page: 1, size: 99).results.map(\.movie.id)
    }

    private func page(_ number: Int, _ films: SavedFilms? = nil) async throws -> Page<SavedFilm> {
        try await (films ?? self.watchlist()).page(number, language: LanguagePreference([.english]), for: self.account)
    }

    private func put(_ id: MovieID, isLinked: Bool = true) async throws -> (film: SavedFilm, isNew: Bool) {
        try await self.watchlist(isLinked: isLinked).put(
            id, language: LanguagePreference([.english]), for: self.account)
    }

    @Test func aWatchlistIsArrangedAcrossItsParts() async throws {
        try await self.add((10...40).map(Self.id))
        try await self.store([Self.kobis, Self.id(20)])
        let films = self.watchlist(isLinked: false)
        let arrangement = SavedFilmArrangement(.title)
        let (first, isComplete) = try await films.page(
            1, arrangedBy: arrangement, language: LanguagePreference([.english]), for: self.account)
        #expect(first.totalResults == 32 && first.results.count == 20 && isComplete)
        // The source's titles are numbers here, and stored films are translated before they are shown.
        #expect(first.results.first?.movie.id == Self.id(10))
        let (second, _) = try await films.page(
            2, arrangedBy: arrangement, language: LanguagePreference([.english]), for: self.account)
        #expect(Set((first.results + second.results).map(\.movie.id)).count == 32)
    }

    @Test func aLongWatchlistIsArrangedUpToALimit() async throws {
        let films = (1...SavedFilms.sourcePageLimit * Favourite.pageSize + 1).map { Self.id($0) }
        let accounts = ScriptedAccounts(hasWatchlists: true, known: films)
        let upstream = try #require(self.account.session.upstream)
        for id in films { _ = try await accounts.setOnWatchlist(id, true, with: upstream) }
        let watchlist = SavedFilms(
            self.stored, sources: MovieRepositories([self.tmdb]),
            accounts: AuthenticatedAccounts(accounts: accounts, sessions: self.sessions, now: self.now), now: self.now)
        let whole = try await watchlist.whole(language: LanguagePreference([.english]), for: self.account)
        #expect(whole.films.map(\.movie.id) == films.reversed().dropLast() && !whole.isComplete)
    }

    @Test func aFilmThatTheSourceKnowsIsPutThereAlone() async throws {
        for isNew in [true, false] {
            let (film, isAdded) = try await self.put(Self.id(5))
            #expect(film.movie.title == "Film 5" && film.addedAt == nil && isAdded == isNew)
        }
        #expect(self.accounts.watchlistChanges == ["+5", "+5"])
        #expect(try await self.storedIDs().isEmpty)
        let found = try await self.watchlist().film(
            Self.id(5), language: LanguagePreference([.english]), for: self.account)
        #expect(found?.movie.id == Self.id(5))
        try await self.watchlist().remove(Self.id(5), for: self.account)
        #expect(self.accounts.watchlistChanges.last == "-5")
        #expect(
            try await self.watchlist().film(Self.id(5), language: LanguagePreference(), for: self.account) == nil)
    }

    @Test func aFilmOfAnotherSourceIsPutThereUnderItsIDThere() async throws {
        let (film, isNew) = try await self.put(Self.kobis)
        #expect(film.movie.id == Self.kobis && isNew)
        #expect(self.accounts.watchlistChanges == ["+1"])
        let films = self.watchlist()
        for id in [Self.kobis, Self.id(1)] {
            #expect(try await films.film(id, language: LanguagePreference(), for: self.account)?.movie.id == id)
        }
        try await films.remove(Self.kobis, for: self.account)
        #expect(self.accounts.watchlistChanges == ["+1", "-1"])
    }

    @Test func whatTheSourceCannotHaveIsHere() async throws {
        #expect(try await self.put(Self.kobis, isLinked: false).isNew)
        #expect(try await self.put(Self.own).film.addedAt == self.now())
        #expect(self.accounts.watchlistChanges.isEmpty)
        #expect(Set(try await self.storedIDs()) == [Self.kobis, Self.own])
        let films = self.watchlist(isLinked: false)
        let (film, isNew) = try await films.put(Self.id(5), language: LanguagePreference(), for: self.device)
        #expect(film.movie.id == Self.id(5) && isNew, "a device has all of it here")
        #expect(try await films.page(1, language: LanguagePreference(), for: self.device).results == [film])
        try await films.remove(Self.id(5), for: self.device)
        #expect(try await films.film(Self.id(5), language: LanguagePreference(), for: self.device) == nil)
        #expect(self.accounts.watchlistChanges.isEmpty)
    }

    @Test func whatTheSourceRefusesIsNotStored() async throws {
        let failure = SourceFailure.unavailable(.tmdb, reason: "down")
        self.accounts.fail(with: failure)
        await #expect(throws: failure) { try await self.put(Self.id(5)) }
        await #expect(throws: failure) { try await self.page(1) }
        await #expect(throws: failure) { try await self.watchlist().remove(Self.id(5), for: self.account) }
        self.accounts.fail(with: nil)
        await #expect(throws: AddFavourite.Failure.unknownMovie(Self.id(404))) { try await self.put(Self.id(404)) }
        await #expect(throws: AddFavourite.Failure.unknownMovie(Self.id(405))) { try await self.put(Self.id(405)) }
        self.tmdb.fail(with: failure)
        await #expect(throws: failure) { try await self.put(Self.id(5)) }
        #expect(try await self.storedIDs().isEmpty)
        #expect(self.accounts.watchlistChanges == ["+404"], "nothing is asked for a film that is not known to exist")
    }

    @Test func whatIsHereIsRemovedOnceTheSourceHasIt() async throws {
        try await self.store([Self.id(5), Self.kobis])
        #expect(try await !self.put(Self.id(5)).isNew, "it was on the list")
        #expect(try await !self.put(Self.id(1)).isNew, "under another id too")
        #expect(try await self.storedIDs().isEmpty)
    }

    @Test(
        "pages are the films here, then those at the source", arguments: [0, 1, 20, 21], [0, 19, 20, 41])
    func pages(here: Int, there: Int) async throws {
        let ids = (1...99).map { Self.id($0) }
        let stored = ids.suffix(here).map { MovieID("film-\($0.key)")! }
        try await self.store(stored)
        try await self.add(Array(ids.prefix(there)))
        let all = Array(stored.reversed()) + ids.prefix(there).reversed()
        let pageCount = (all.count + 19) / 20
        for number in 1...pageCount + 1 {
            let page = try await self.page(number)
            #expect(page.results.map(\.movie.id) == Array(all.dropFirst(20 * (number - 1)).prefix(20)))
            #expect([page.number, page.totalPages, page.totalResults] == [number, pageCount, all.count])
        }
        #expect(try await self.page(.max).results.isEmpty)
    }

    @Test func filmsOfBothAreShownOnce() async throws {
        try await self.store([Self.id(5), Self.kobis])
        try await self.add([Self.id(1), Self.id(5), Self.id(6)])
        let page = try await self.page(1)
        #expect(page.results.map(\.movie.id) == [Self.kobis, Self.id(5), Self.id(6)])
        #expect(page.results.map { $0.addedAt == nil } == [false, false, true])
    }

    @Test func movedFilmsArePushedTwentyAtATimeInTheirOrder() async throws {
        let ids = [Self.own] + (1...45).map { Self.id($0) }
        try await self.store(ids)
        for left in [25, 5, 0] {
            _ = try await self.page(1)
            #expect(self.moves.count == 1)
            await self.moves.run()
            #expect(try await self.storedIDs().count == left + 1)
        }
        #expect(try await self.storedIDs() == [Self.own], "what the source cannot have stays")
        #expect(try await self.page(1).results.prefix(2).map(\.movie.id) == [Self.own, Self.id(45)])
        #expect(try await self.page(3).results.last?.movie.id == Self.id(1), "the latest is first there too")
        #expect(self.accounts.watchlistChanges.count == 45)
    }

    @Test func whatTheSourceRefusesStaysOnTheList() async throws {
        try await self.store([Self.id(404), Self.id(5)])
        self.watchlist().moveToSource(for: self.account)
        await self.moves.run()
        #expect(self.accounts.watchlistChanges == ["+404", "+5"])
        #expect(try await self.page(1).results.map(\.movie.id) == [Self.id(404), Self.id(5)])
    }

    @Test func aMoveThatFailsIsRepeatedTheNextTime() async throws {
        try await self.store([Self.id(4), Self.id(5)])
        self.watchlist().moveToSource(for: self.account)
        self.accounts.fail(with: .tooSlow(.tmdb))
        await self.moves.run()
        #expect(try await self.storedIDs() == [Self.id(5), Self.id(4)])
        self.accounts.fail(with: nil)
        self.watchlist().moveToSource(for: self.account)
        await self.moves.run()
        #expect(try await self.storedIDs().isEmpty)
        #expect(try await self.page(1).results.map(\.movie.id) == [Self.id(5), Self.id(4)])
    }

    @Test func nothingIsMovedOfDevicesAndWithoutFilmsHere() async throws {
        self.watchlist().moveToSource(for: self.device)
        _ = try await self.watchlist().page(1, language: LanguagePreference(), for: self.device)
        try await self.add([Self.id(5)])
        _ = try await self.page(1)
        #expect(self.moves.count == 0)
    }

    @Test func aSourceWithoutWatchlistsHasThemHere() async throws {
        let accounts = ScriptedAccounts(known: [Self.id(5)])
        let films = SavedFilms(
            self.stored, sources: MovieRepositories([self.tmdb]),
            accounts: AuthenticatedAccounts(accounts: accounts, sessions: self.sessions, now: self.now), now: self.now)
        #expect(try await films.put(Self.id(5), language: LanguagePreference(), for: self.account).isNew)
        #expect(try await self.storedIDs() == [Self.id(5)])
        #expect(try await films.page(1, language: LanguagePreference(), for: self.account).totalResults == 1)
    }

    @Test func aWatchlistHereHasALimit() async throws {
        let films = SavedFilms(self.stored, sources: MovieRepositories([self.tmdb]), limit: 1, now: self.now)
        _ = try await films.put(Self.id(5), language: LanguagePreference(), for: self.device)
        await #expect(throws: AddFavourite.Failure.tooMany(limit: 1)) {
            try await films.put(Self.id(6), language: LanguagePreference(), for: self.device)
        }
    }
}
