import MovieDomain
import MovieTesting
import Synchronization
import Testing

/// Imports of lists.
struct ImportFilmsTests {
    private let stored = MemoryFavourites()
    private let movies = ScriptedMovies()
    private let catalogue = ScriptedCatalogue()
    private let device = AuthenticatedSession(
        token: AccessToken(),
        session: Session(owner: .device(id: "d"), upstream: nil, expiresAt: Instant(secondsSince1970: 9999)))

    private func films(limit: Int = 10) -> SavedFilms {
        SavedFilms(
            self.stored, sources: MovieRepositories([self.movies]), limit: limit,
            now: { Instant(secondsSince1970: 1_000_000_000) })
    }

    private func film(_ id: String, _ title: String, _ year: Int) throws -> MovieSummary {
        let id = try #require(MovieID(id))
        return try #require(MovieSummary(id: id, title: title, year: year))
    }

    /// Adds a film, found by its title with the year and without.
    private func add(_ id: String, _ title: String, _ year: Int, isFound: Bool = true) throws {
        let film = try self.film(id, title, year)
        self.movies.add(Movie(summary: film))
        guard isFound else { return }
        self.catalogue.set([film], for: .search(try #require(MovieQuery(title, year: year))))
        self.catalogue.set([film], for: .search(try #require(MovieQuery(title))))
    }

    private func results(
        _ rows: [ImportRow], _ limits: ImportFilms.Limits = ImportFilms.Limits(), listLimit: Int = 10,
        language: Language = .english, isOver: @escaping @Sendable () -> Bool = { false }
    ) async throws -> [ImportFilms.Outcome] {
        try await ImportFilms(self.catalogue, limits: limits, isOver: isOver)(
            rows, into: self.films(limit: listLimit), language: LanguagePreference([language]), for: self.device
        ).map(\.outcome)
    }

    private var ids: [String] { self.stored.all(of: self.device.favouritesOwner).map(\.movie.id.key) }

    @Test func filmsAreFoundByIDThenByTitleAndYear() async throws {
        try self.add("heat-1995", "Heat", 1995)
        try self.add("ran-1985", "Ran", 1985)
        let rows = [
            ImportRow(id: "heat-1995", titles: ["Another title"]),
            ImportRow(tmdbID: "1", titles: ["Ran"], year: "1985"),
            ImportRow(titles: ["Nothing"]), ImportRow(id: "no-film"), ImportRow(),
        ]
        let outcomes = try await self.results(rows)
        #expect(outcomes == [.added, .added, .unmatched, .unmatched, .empty])
        #expect(self.ids.sorted() == ["heat-1995", "ran-1985"])
        #expect(try await self.results(Array(rows.prefix(2))) == [.known, .known])
    }

    @Test func aTitleOfSeveralFilmsIsNotGuessed() async throws {
        let films = [try self.film("a", "King Kong", 1933), try self.film("b", "King Kong", 1976)]
        self.catalogue.set(films, for: .search(try #require(MovieQuery("King Kong"))))
        #expect(try await self.results([ImportRow(titles: ["King Kong"])]) == [.ambiguous(films)])
        #expect(self.ids.isEmpty)
    }

    @Test func aTitleIsSearchedInEnglishToo() async throws {
        try self.add("ran-1985", "Ran", 1985)
        #expect(try await self.results([ImportRow(titles: ["Ran"], year: "1984")], language: .korean) == [.added])
        #expect(self.catalogue.languages.map(\.first) == [.korean, .english])
    }

    @Test func theTimeOfAddingStaysUnlessItIsInTheFutureOrBefore2000() async throws {
        try self.add("heat-1995", "Heat", 1995)
        try self.add("ran-1985", "Ran", 1985)
        try self.add("kes-1969", "Kes", 1969)
        let rows = [
            ImportRow(id: "heat-1995", date: "2000-01-01"), ImportRow(id: "ran-1985", date: "2999-01-01"),
            ImportRow(id: "kes-1969", date: "1999-12-31"),
        ]
        #expect(try await self.results(rows) == [.added, .added, .added])
        let films = self.stored.all(of: self.device.favouritesOwner)
        let times = Dictionary(uniqueKeysWithValues: films.map { ($0.movie.id.key, $0.addedAt.secondsSince1970) })
        #expect(times == ["heat-1995": 946_684_800, "ran-1985": 1_000_000_000, "kes-1969": 1_000_000_000])
    }

    @Test func aFullListIsSaidForEachRowWithoutFurtherRequests() async throws {
        for number in 1...3 { try self.add("film-\(number)", "Film \(number)", 1990) }
        var limits = ImportFilms.Limits()
        limits.atOnce = 1
        let rows = [1, 2, 3, 1].map { ImportRow(id: "film-\($0)") } + [ImportRow(titles: ["Nothing"])]
        let outcomes = try await self.results(rows, limits, listLimit: 2)
        #expect(outcomes == [.added, .added] + Array(repeating: .full(limit: 2), count: 3))
        #expect(self.catalogue.asked.isEmpty)
    }

    @Test func searchesAreLimitedAndIDsStillWork() async throws {
        try self.add("heat-1995", "Heat", 1995)
        var limits = ImportFilms.Limits()
        (limits.requests, limits.atOnce) = (4, 1)
        let rows = (1...3).map { ImportRow(titles: ["Nothing \($0)"]) } + [ImportRow(id: "heat-1995")]
        #expect(try await self.results(rows, limits) == [.unmatched, .unmatched, .untried, .added])
        #expect(self.catalogue.asked.count == 4)
    }

    @Test func lookupsByIDAreLimitedExceptOfTheEmbeddedCatalogue() async throws {
        let count = Mutex(0)
        let tmdb = ScriptedMovies(source: .tmdb) { count.withLock { $0 += 1 } }
        try self.add("heat-1995", "Heat", 1995)
        let films = SavedFilms(
            self.stored, sources: MovieRepositories([self.movies, tmdb]), now: { Instant(secondsSince1970: 0) })
        var limits = ImportFilms.Limits()
        (limits.requests, limits.atOnce) = (3, 1)
        // No source of IMDb ids is configured: their lookups are not counted, but the third row has none left to try.
        let rows = (1...4).map { ImportRow(tmdbID: "\($0)", imdbID: "tt000000\($0)") } + [ImportRow(id: "heat-1995")]
        let results = try await ImportFilms(self.catalogue, limits: limits, isOver: { false })(
            rows, into: films, language: LanguagePreference([.english]), for: self.device)
        #expect(results.map(\.outcome) == [.unmatched, .unmatched, .untried, .untried, .added])
        #expect(count.withLock(\.self) == 3)
    }

    @Test func anExpiredSessionEndsTheImport() async throws {
        let accounts = ScriptedAccounts(hasWatchlists: true)
        let id = try #require(MovieID("tmdb:603"))
        let tmdb = ScriptedMovies(source: .tmdb)
        tmdb.add(Movie(summary: try #require(MovieSummary(id: id, title: "The Matrix"))))
        let now = { @Sendable in Instant(secondsSince1970: 0) }
        let films = SavedFilms(
            self.stored, sources: MovieRepositories([tmdb]),
            accounts: AuthenticatedAccounts(accounts: accounts, sessions: MemorySessions(), now: now), now: now)
        let upstream = UpstreamSession(source: .tmdb, secret: "s", accountID: "7")
        let holder = AuthenticatedSession(
            token: AccessToken(),
            session: Session(
                owner: .account(.tmdb, id: "7"), upstream: upstream, expiresAt: Instant(secondsSince1970: 9999)))
        accounts.forgetSessions()
        await #expect(throws: AccountFailure.sessionExpired) {
            try await ImportFilms(self.catalogue, isOver: { false })(
                [ImportRow(tmdbID: "603")], into: films, language: LanguagePreference(), for: holder)
        }
    }

    @Test func noRowBeginsWhenTheTimeIsOver() async throws {
        try self.add("heat-1995", "Heat", 1995)
        let calls = Mutex(0)
        let outcomes = try await self.results([ImportRow(id: "heat-1995"), ImportRow(id: "heat-1995")]) {
            calls.withLock { calls in
                calls += 1
                return calls > 1
            }
        }
        #expect(outcomes == [.added, .untried])
    }

    @Test func aSourceThatFailsIsNotAskedForEveryRow() async throws {
        self.movies.fail(with: .tooSlow(.embedded))
        var limits = ImportFilms.Limits()
        (limits.failures, limits.atOnce) = (2, 1)
        let outcomes = try await self.results((1...4).map { ImportRow(id: "film-\($0)") }, limits)
        #expect(outcomes == [.failed, .failed, .untried, .untried])
    }

    @Test func aCancelledImportEnds() async throws {
        try self.add("heat-1995", "Heat", 1995)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await self.results([ImportRow(id: "heat-1995")])
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(self.ids.isEmpty)
    }
}
