import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Watchlists at TMDB", .timeLimit(.hang))
struct TMDBWatchlistTests {
    private static let path = "/3/account/548/watchlist"
    private let session = UpstreamSession(source: .tmdb, secret: "5e55", accountID: "548")
    private let ids = [1, 2, 99].map { MovieID(source: .tmdb, key: String($0))! }
    private let english = LanguagePreference([.english])

    private func serve(_ upstream: ReplayingUpstream, _ films: [Int] = [1, 2], pages: Int = 1) {
        upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
        upstream.on(
            "GET", "\(Self.path)/movies",
            .json(TMDBFixtures.page(films.map { TMDBFixtures.row($0) }, totalPages: pages, totalResults: 20 * pages)))
    }

    @Test(
        "a film is added and removed",
        arguments: [
            (true, 1, 201, WatchlistChange.done(isNew: true)), (true, 12, 201, .done(isNew: false)),
            (true, 40, 200, .done(isNew: false)), (false, 13, 200, .done(isNew: false)),
            (false, 40, 200, .done(isNew: false)), (true, 34, 404, .unknownMovie),
        ])
    func changes(isOn: Bool, code: Int, status: Int, change: WatchlistChange) async throws {
        try await withUpstream { upstream in
            upstream.on("POST", Self.path, .json(TMDBFixtures.status(code), status: status))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            #expect(try await accounts.setOnWatchlist(self.ids[0], isOn, with: self.session) == change)
            let sent = try #require(upstream.requests.first)
            #expect(sent.body == Array(#"{"media_type":"movie","media_id":1,"watchlist":\#(isOn)}"#.utf8))
            #expect(sent.query["session_id"] == "5e55" && upstream.requests.count == 1)
        }
    }

    @Test(arguments: [OriginScript.html(status: 200), .json("{}"), .status(500), .json(TMDBFixtures.status(2))])
    func aResponseWithoutSuccessIsAFailure(script: OriginScript) async throws {
        try await withUpstream { upstream in
            upstream.on("POST", Self.path, script)
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: SourceFailure.self) {
                _ = try await accounts.setOnWatchlist(self.ids[0], true, with: self.session)
            }
        }
    }

    @Test func filmsOfOtherSourcesAndOddAccountsAreNotAskedFor() async throws {
        try await withUpstream { upstream in
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let other = try #require(MovieID("kobis:20228555"))
            #expect(try await accounts.setOnWatchlist(other, true, with: self.session) == .unknownMovie)
            #expect(try await !accounts.isOnWatchlist(other, with: self.session))
            let odd = UpstreamSession(source: .tmdb, secret: "5e55", accountID: "1/../2")
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.setOnWatchlist(self.ids[0], true, with: odd)
            }
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.watchlist(page: 1, language: self.english, with: odd)
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func theListComesInPages() async throws {
        try await withUpstream { upstream in
            self.serve(upstream, pages: 3)
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let page = try await accounts.watchlist(page: 2, language: self.english, with: self.session)
            #expect(page.results.map(\.id) == Array(self.ids.prefix(2)))
            #expect([page.number, page.totalPages, page.totalResults] == [2, 3, 60])
            let sent = try #require(upstream.requests.first { $0.path.hasSuffix("movies") }).query
            #expect(sent["sort_by"] == "created_at.desc" && sent["page"] == "2" && sent["language"] == "en-US")
            let count = upstream.requests.count
            let behind = try await accounts.watchlist(page: 501, language: self.english, with: self.session)
            #expect(behind.results.isEmpty && upstream.requests.count == count)
        }
    }

    @Test func whichFilmsAreOnItIsReadOnceAndFollowsChanges() async throws {
        try await withUpstream { upstream in
            self.serve(upstream)
            upstream.on(
                "POST", Self.path,
                inTurn: [.json(TMDBFixtures.status(1), status: 201), .json(TMDBFixtures.status(13))])
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            for _ in 1...2 {
                let found = try await accounts.watchlistIDs(among: self.ids, with: self.session)
                #expect(found == Set(self.ids.prefix(2)))
            }
            _ = try await accounts.setOnWatchlist(self.ids[2], true, with: self.session)
            _ = try await accounts.setOnWatchlist(self.ids[0], false, with: self.session)
            #expect(try await accounts.watchlistIDs(among: self.ids, with: self.session) == Set(self.ids.suffix(2)))
            #expect(upstream.requestCount(to: "\(Self.path)/movies") == 1)
        }
    }

    @Test func aFilmAloneIsAskedForWhenTheListIsLong() async throws {
        try await withUpstream { upstream in
            self.serve(upstream, pages: TMDBAccountFilms<Void>.pageLimit + 1)
            upstream.on("GET", "/3/movie/99/account_states", .json(#"{"watchlist":true,"rated":false}"#))
            upstream.on("GET", "/3/movie/98/account_states", .json(TMDBFixtures.status(34), status: 404))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            #expect(try await accounts.watchlistIDs(among: self.ids, with: self.session) == nil)
            #expect(try await accounts.watchlistIDs(among: [self.ids[2]], with: self.session) == [self.ids[2]])
            let none = try #require(MovieID("tmdb:98"))
            #expect(try await accounts.watchlistIDs(among: [none], with: self.session) == [])
            #expect(try await !accounts.isOnWatchlist(none, with: self.session))
        }
    }

    @Test func aSessionThatIsOverHasNoWatchlist() async throws {
        try await withUpstream { upstream in
            for path in [Self.path, "\(Self.path)/movies", "/3/movie/1/account_states"] {
                upstream.on(nil, path, .json(TMDBFixtures.status(3), status: 401))
            }
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.setOnWatchlist(self.ids[0], true, with: self.session)
            }
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.watchlist(page: 1, language: self.english, with: self.session)
            }
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.isOnWatchlist(self.ids[0], with: self.session)
            }
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.watchlistIDs(among: self.ids, with: self.session)
            }
        }
    }
}
