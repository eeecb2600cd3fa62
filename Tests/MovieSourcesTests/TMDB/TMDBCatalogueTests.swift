import Flights
import Foundation
import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Lists, search and posters of TMDB")
struct TMDBCatalogueTests {
    private let korean = LanguagePreference([.korean])

    @Test func aListIsFilledFromEnglishByOneRequestMore() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/movie/popular",
                .json(
                    TMDBFixtures.page(
                        [
                            TMDBFixtures.row(1), TMDBFixtures.row(2, overview: ""), TMDBFixtures.row(1), "{}", "7",
                            TMDBFixtures.row(3, title: "", overview: ""),
                        ], totalPages: 42_471, totalResults: 849_420)))
            upstream.on(
                "GET", "/3/movie/popular", query: ["language": "en-US"],
                .json(TMDBFixtures.page([TMDBFixtures.row(2, title: "Two", overview: "Plot")])))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            for _ in 0..<2 {
                let page = try await catalogue.list(.popular, page: 1, language: self.korean, region: .korea)
                #expect(page.results.map(\.id.description) == ["tmdb:1", "tmdb:2", "tmdb:3"])
                #expect(page.results.map(\.title) == ["제목", "제목", "Title 3"])
                #expect(page.results.map(\.overview) == ["줄거리", "Plot", ""])
                #expect(page.results[0].genres == [Genre(id: .drama, name: "드라마"), Genre(id: .action, name: "액션")])
                #expect(page.results[0].poster == PosterReference(.tmdb(file: "p1.jpg")))
                #expect(page.results[0].backdrop == PosterReference(.tmdb(file: "b1.jpg")))
                #expect(page.results[0].year == 1999)
                #expect((page.totalPages, page.totalResults) == (500, 849_420))
            }
            #expect(upstream.requestCount(to: "/3/movie/popular") == 2)
            #expect(upstream.requestCount(to: "/3/genre/movie/list") == 0)
            #expect(upstream.requests.first { $0.path == "/3/movie/popular" }?.query["region"] == "KR")
            let behind = try await catalogue.list(.popular, page: 501, language: self.korean, region: .korea)
            #expect(behind.results == [])
            #expect(upstream.requestCount(to: "/3/movie/popular") == 2)
        }
    }

    @Test(
        "counts agree with the rows of a page, which are at most 20",
        arguments: [
            (page: 1, rowCount: 0, stated: (9, 171), counts: (0, 0)), (1, 2, (0, 0), (1, 2)),
            (1, 30, (-1, -1), (1, 30)),
            (3, 5, (2, 45), (3, 45)), (3, 0, (3, 45), (2, 45)), (2, 20, (7, 131), (7, 131)),
        ])
    func counts(page: Int, rowCount: Int, stated: (Int, Int), counts: (Int, Int)) async throws {
        try await withUpstream { upstream in
            let rows = (0..<rowCount).map { TMDBFixtures.row($0 + 1) }
            upstream.on(
                "GET", "/3/movie/popular",
                .json(TMDBFixtures.page(rows, totalPages: stated.0, totalResults: stated.1)))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let found = try await catalogue.list(.popular, page: page, language: self.korean, region: .korea)
            #expect(found.results.count == min(20, rowCount))
            #expect((found.totalPages, found.totalResults) == counts)
        }
    }

    @Test func anOverviewThatAnotherResponseHadIsNotAskedForAgain() async throws {
        try await withUpstream { upstream in
            for (path, ids) in [("/3/movie/popular", [1, 2]), ("/3/movie/top_rated", [2, 3])] {
                let bare = ids.map { TMDBFixtures.row($0, overview: "") }
                upstream.on("GET", path, .json(TMDBFixtures.page(bare)))
                let full = ids.map { TMDBFixtures.row($0, overview: "Plot \($0)") }
                upstream.on("GET", path, query: ["language": "en-US"], .json(TMDBFixtures.page(full)))
            }
            upstream.on(
                "GET", "/3/movie/3", query: ["language": "en-US"],
                .json(TMDBFixtures.details(3, overview: "Plot of the details")))
            let fixture = try AdapterFixture(upstream)
            let tmdb = fixture.tmdb()
            let english = LanguagePreference([.english])
            _ = try await tmdb.catalogue.list(.popular, page: 1, language: english)
            let third = try #require(MovieID("tmdb:3"))
            _ = try await tmdb.movies.movie(third, language: english)
            let count = upstream.requests.count
            let recorder = FreshnessRecorder(supplementLimit: 0)
            let page = try await FreshnessRecorder.$current.withValue(recorder) {
                try await tmdb.catalogue.list(.topRated, page: 1, language: self.korean)
            }
            #expect(page.results.map(\.overview) == ["Plot 2", "Plot of the details"])
            #expect(upstream.requests.count == count + 1 && !recorder.hasGaps)
            // The details are used for a day.
            fixture.time.advance(seconds: 25 * 3600)
            let later = try await tmdb.catalogue.list(.topRated, page: 1, language: self.korean)
            #expect(later.results.map(\.overview) == ["Plot 2", "Plot 3"])
        }
    }

    @Test func whatAListMayNotAskForIsFilledAsFarAsItIsKnown() async throws {
        try await withUpstream { upstream in
            let path = "/3/movie/popular"
            let bare = [TMDBFixtures.row(1, overview: ""), TMDBFixtures.row(2, overview: "")]
            upstream.on("GET", path, .json(TMDBFixtures.page(bare)))
            upstream.on(
                "GET", "/3/movie/2", query: ["language": "en-US"], .json(TMDBFixtures.details(2, overview: "Plot")))
            let tmdb = try AdapterFixture(upstream).tmdb()
            let second = try #require(MovieID("tmdb:2"))
            _ = try await tmdb.movies.movie(second, language: LanguagePreference([.english]))
            let recorder = FreshnessRecorder(supplementLimit: 0)
            let page = try await FreshnessRecorder.$current.withValue(recorder) {
                try await tmdb.catalogue.list(
                    .popular, page: 1, language: LanguagePreference([.korean, Language("ja") ?? .english]))
            }
            #expect(page.results.map(\.overview) == ["", "Plot"])
            #expect(recorder.hasGaps && upstream.requestCount(to: path) == 1)
        }
    }

    @Test(.timeLimit(.hang))
    func aListDoesNotWaitForEnglishNorGenres() async throws {
        try await withUpstream { upstream in
            let (gate, deadline) = (Gate(), Gate())
            let french = LanguagePreference([Language("fr")].compactMap { $0 })
            let path = "/3/movie/popular"
            upstream.on("GET", "/3/genre/movie/list", .held(gate, .json(#"{"genres":[{"id":18,"name":"Drame"}]}"#)))
            upstream.on("GET", path, .json(TMDBFixtures.page([TMDBFixtures.row(2, overview: "")])))
            upstream.on(
                "GET", path, query: ["language": "en-US"],
                .held(gate, .json(TMDBFixtures.page([TMDBFixtures.row(2, title: "Two", overview: "Plot")]))))
            let tmdb = try AdapterFixture(upstream, sleep: { _ in try await deadline.wait() }).tmdb()
            let recorder = FreshnessRecorder()
            let response = Task {
                try await FreshnessRecorder.$current.withValue(recorder) {
                    try await tmdb.catalogue.list(.popular, page: 1, language: french)
                }
            }
            try await upstream.requestsArrived(at: path, count: 2)
            try await upstream.requestsArrived(at: "/3/genre/movie/list")
            deadline.open()
            let page = try await response.value
            #expect(page.results.map(\.overview) == [""] && recorder.hasGaps)
            #expect(page.results[0].genres.first?.name != "Drame")
            gate.open()
            try await eventually {
                let later = FreshnessRecorder()
                let page = try await FreshnessRecorder.$current.withValue(later) {
                    try await tmdb.catalogue.list(.popular, page: 1, language: french)
                }
                return page.results.map(\.overview) == ["Plot"] && page.results[0].genres.first?.name == "Drame"
                    && !later.hasGaps
            }
            tmdb.close()
        }
    }

    @Test func genresHaveNamesInKoreanEnglishAndJapaneseWithoutARequest() async throws {
        try await withUpstream { upstream in
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            for (code, name) in [("ko", "공포"), ("en", "Horror"), ("ja", "ホラー")] {
                let genres = try await catalogue.genres(
                    language: LanguagePreference([Language(code)].compactMap { $0 }))
                #expect(genres.count == 19 && genres.contains(Genre(id: .horror, name: name)))
            }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func namesOfGenresInOtherLanguagesAreTMDBsAndAListDoesNotNeedThem() async throws {
        try await withUpstream { upstream in
            let french = LanguagePreference([Language("fr")].compactMap { $0 })
            upstream.on("GET", "/3/movie/top_rated", .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            upstream.on(
                "GET", "/3/genre/movie/list", query: ["language": "fr"],
                .json(#"{"genres":[{"id":18,"name":"Drame"},{"id":28,"name":""},{"id":4711,"name":"Neuf"}]}"#))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let page = try await catalogue.list(.topRated, page: 1, language: french)
            #expect(page.results.first?.genres.map(\.name) == ["Drame", "Action"])
            #expect(try await catalogue.genres(language: french).map(\.id) == [.drama, .action])
            #expect(upstream.requestCount(to: "/3/genre/movie/list") == 1)
        }
        try await withUpstream { upstream in
            let french = LanguagePreference([Language("fr")].compactMap { $0 })
            upstream.on("GET", "/3/movie/top_rated", .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            upstream.on("GET", "/3/genre/movie/list", .status(500))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let page = try await catalogue.list(.topRated, page: 1, language: french)
            #expect(page.results.first?.genres.map(\.name) == ["Drama", "Action"])
        }
    }

    @Test(arguments: [OriginScript.status(404), .html(status: 404), .json(TMDBFixtures.status(34), status: 404)])
    func aListThatIsSuddenlyMissingIsAFaultThatIsNotRemembered(script: OriginScript) async throws {
        try await withUpstream { upstream in
            let pages = ["/3/movie/popular", "/3/search/movie"]
            for path in pages + ["/3/genre/movie/list"] { upstream.on("GET", path, script) }
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let query = try #require(MovieQuery("a"))
            await #expect(throws: SourceFailure.self) {
                try await catalogue.list(.popular, page: 1, language: self.korean)
            }
            await #expect(throws: SourceFailure.self) {
                try await catalogue.search(query, page: 1, language: self.korean)
            }
            let french = LanguagePreference([Language("fr")].compactMap { $0 })
            await #expect(throws: SourceFailure.self) { try await catalogue.genres(language: french) }
            for path in pages { upstream.on("GET", path, .json(TMDBFixtures.page([TMDBFixtures.row(1)]))) }
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            let list = try await catalogue.list(.popular, page: 1, language: self.korean)
            let found = try await catalogue.search(query, page: 1, language: self.korean)
            let genres = try await catalogue.genres(language: french)
            #expect(list.results.count == 1 && found.results.count == 1 && !genres.isEmpty)
        }
    }

    @Test func aSearchWithoutResultsIsRepeatedOnceWithWhatMayBeMeant() async throws {
        try await withUpstream { upstream in
            let path = "/3/search/movie"
            upstream.on("GET", path, .json(TMDBFixtures.page([], totalPages: 0, totalResults: 0)))
            upstream.on("GET", path, query: ["query": "하녀"], .json(TMDBFixtures.page([TMDBFixtures.row(7)])))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let mistyped = try #require(MovieQuery("gksu", year: 1960))
            let found = try await catalogue.search(mistyped, page: 1, language: self.korean)
            #expect(found.results.map(\.id.description) == ["tmdb:7"])
            let sent = upstream.requests.filter { $0.path == path }.map(\.query)
            #expect(sent.map { $0["query"] } == ["gksu", "하녀"])
            #expect(sent.allSatisfy { $0["primary_release_year"] == "1960" })
            for text in ["amélie", "unknown"] {
                let query = try #require(MovieQuery(text))
                #expect(try await catalogue.search(query, page: 1, language: self.korean).results.isEmpty)
            }
            let all = upstream.requests.filter { $0.path == path }.map { $0.query["query"] }
            #expect(all == ["gksu", "하녀", "amélie", "amelie", "unknown"])
        }
    }

    @Test(.timeLimit(.hang), arguments: [true, false])
    func aRepeatedSearchThatFailsOrIsLateLeavesTheEmptyPage(isLate: Bool) async throws {
        try await withUpstream { upstream in
            let (gate, deadline, path) = (Gate(), Gate(), "/3/search/movie")
            let results = OriginScript.json(TMDBFixtures.page([TMDBFixtures.row(7)]))
            upstream.on("GET", path, .json(TMDBFixtures.page([], totalPages: 0, totalResults: 0)))
            upstream.on("GET", path, query: ["query": "하녀"], isLate ? .held(gate, results) : .status(503))
            let tmdb = try AdapterFixture(upstream, sleep: { _ in try await deadline.wait() }).tmdb()
            deadline.open()
            let mistyped = try #require(MovieQuery("gksu"))
            let recorder = FreshnessRecorder()
            let found = try await FreshnessRecorder.$current.withValue(recorder) {
                try await tmdb.catalogue.search(mistyped, page: 1, language: self.korean)
            }
            #expect(found.results.isEmpty && found.totalResults == 0 && recorder.hasGaps)
            gate.open()
            tmdb.close()
        }
    }

    @Test func searchesByTextAndYear() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on("GET", "/3/search/movie", .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let query = try #require(MovieQuery("a&b=살인 #1", year: 2003))
            _ = try await catalogue.search(query, page: 2, language: self.korean)
            let sent = try #require(upstream.requests.first { $0.path == "/3/search/movie" }).query
            #expect(sent["query"] == "a&b=살인 #1")
            #expect(sent["primary_release_year"] == "2003")
            #expect(sent["include_adult"] == "false")
            #expect(sent["page"] == "2")
        }
    }

    @Test func findsPostersByOneTitleAfterTheOther() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on("GET", "/3/search/movie", .json(TMDBFixtures.page([])))
            upstream.on(
                "GET", "/3/search/movie", query: ["query": "Original"], .json(TMDBFixtures.page([TMDBFixtures.row(5)])))
            let posters = try AdapterFixture(upstream).tmdb().posters
            let film = PosterSearchTerms(
                id: MovieID("kobis:20228555")!, titles: ["제목", "Original"], year: 2000)!
            let found = try await posters.posters(for: film)
            #expect(
                found == [
                    PosterCandidate(
                        source: .tmdb, location: .tmdb(file: "p5.jpg"), title: "제목", originalTitle: "Title 5",
                        year: 1999,
                        size: nil)
                ])
            #expect(upstream.requests.map { $0.query["query"] } == ["제목", "Original"])
        }
    }

    @Test func filmsAreFoundBySearchesForPostersAndThenInKorean() async throws {
        let film = try #require(
            PosterSearchTerms(
                id: MovieID("kobis:20228555")!, titles: ["Title 5", "제목"], year: 1999))
        try await withUpstream { upstream in
            let bare = TMDBFixtures.row(5).replacingOccurrences(of: #""/p5.jpg""#, with: "null")
            upstream.on("GET", "/3/search/movie", .json(TMDBFixtures.page([bare])))
            let posters = try AdapterFixture(upstream).tmdb().posters
            #expect(try await posters.posters(for: film).isEmpty)
            let requests = upstream.requestCount(to: "/3/search/movie")
            let found = try await posters.films(for: film)
            #expect(
                found == [FoundFilm(id: MovieID("tmdb:5")!, title: "제목", originalTitle: "Title 5", year: 1999)],
                "also without a poster")
            #expect(upstream.requestCount(to: "/3/search/movie") == requests, "their answers are stored")
        }
        try await withUpstream { upstream in
            upstream.on("GET", "/3/search/movie", .json(TMDBFixtures.page([])))
            upstream.on(
                "GET", "/3/search/movie", query: ["language": "ko-KR"], .json(TMDBFixtures.page([TMDBFixtures.row(5)])))
            let posters = try AdapterFixture(upstream).tmdb(posterLanguage: .english).posters
            #expect(try await posters.films(for: film).map(\.id) == [MovieID("tmdb:5")])
        }
    }

    @Test func theOriginalTitleCountsAndTheNextTitleIsTriedUntilOneDoes() async throws {
        let film = try #require(
            PosterSearchTerms(
                id: MovieID("kobis:20228555")!, titles: ["경관의 피", "Title 2", "Third"], year: 1999))
        try await withUpstream { upstream in
            upstream.on("GET", "/3/search/movie", .json(TMDBFixtures.page([TMDBFixtures.row(1, overview: "")])))
            upstream.on(
                "GET", "/3/search/movie", query: ["query": "Title 2"],
                .json(TMDBFixtures.page([TMDBFixtures.row(1), TMDBFixtures.row(2)])))
            let found = try await AdapterFixture(upstream).tmdb().posters.posters(for: film)
            #expect(found.map(\.originalTitle) == ["Title 1", "Title 2"])
            #expect(found.filter(film.allows).map(\.location) == [.tmdb(file: "p2.jpg")])
            #expect(upstream.requests.map { $0.query["query"] } == ["경관의 피", "Title 2"], "and nothing in English")
        }
    }

    @Test func aPosterThatIsGoneIsAskedForAgainButNotAgainAndAgain() async throws {
        let id = try #require(MovieID("tmdb:1"))
        try await withUpstream { upstream in
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on("GET", "/3/movie/upcoming", .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            upstream.on(
                "GET", "/3/movie/1",
                inTurn: [
                    .json(TMDBFixtures.details(1)),
                    .json(
                        TMDBFixtures.details(1).replacingOccurrences(of: #"path":"/p.jpg"#, with: #"path":"/new.jpg"#)),
                ])
            let rig = try AdapterFixture(upstream)
            let tmdb = rig.tmdb()
            _ = try await tmdb.catalogue.list(.upcoming, page: 1, language: self.korean)
            #expect(try await tmdb.posters.poster(of: id)?.location == .tmdb(file: "p1.jpg"))
            for _ in 0..<3 {
                #expect(try await tmdb.posters.refreshedPoster(of: id)?.location == .tmdb(file: "p.jpg"))
            }
            #expect(try await tmdb.posters.poster(of: id)?.location == .tmdb(file: "p.jpg"))
            #expect(upstream.requestCount(to: "/3/movie/1") == 1)
            rig.time.advance(by: .seconds(601))
            #expect(try await tmdb.posters.refreshedPoster(of: id)?.location == .tmdb(file: "new.jpg"))
            #expect(upstream.requestCount(to: "/3/movie/1") == 2)
        }
    }

    @Test func whatIsEmptyComesFromTheNextLanguageBeforeEnglish() async throws {
        let readers = LanguagePreference([try #require(Language("fi")), .korean])
        try await withUpstream { upstream in
            let path = "/3/movie/popular"
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on(
                "GET", path,
                .json(TMDBFixtures.page([TMDBFixtures.row(1, overview: ""), TMDBFixtures.row(2, overview: "")])))
            upstream.on(
                "GET", path, query: ["language": "ko-KR"],
                .json(TMDBFixtures.page([TMDBFixtures.row(1), TMDBFixtures.row(2, overview: "")])))
            upstream.on(
                "GET", path, query: ["language": "en-US"],
                .json(TMDBFixtures.page([TMDBFixtures.row(1, overview: "x"), TMDBFixtures.row(2, overview: "Plot")])))
            let page = try await AdapterFixture(upstream).tmdb().catalogue.list(.popular, page: 1, language: readers)
            #expect(page.results.map(\.overview) == ["줄거리", "Plot"])
            #expect(upstream.requestCount(to: path) == 3)
        }
    }

    @Test func aPosterThatAListHasShownIsNotAskedFor() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on("GET", "/3/movie/upcoming", .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            upstream.on("GET", "/3/movie/2", .json(TMDBFixtures.details(2)))
            let tmdb = try AdapterFixture(upstream).tmdb()
            _ = try await tmdb.catalogue.list(.upcoming, page: 1, language: self.korean)
            let shown = try await tmdb.posters.poster(of: MovieID("tmdb:1")!)
            #expect(shown?.location == .tmdb(file: "p1.jpg"))
            let asked = try await tmdb.posters.poster(of: MovieID("tmdb:2")!)
            #expect(asked?.location == .tmdb(file: "p.jpg"))
            #expect(upstream.requestCount(to: "/3/movie/1") == 0)
            #expect(upstream.requestCount(to: "/3/movie/2") == 1)
        }
    }

    @Test(arguments: ["/../x.jpg", "/a/b.jpg", "x.jpg", "/.jpg", "/x.", "/x.jpg?a", "/x", "/\u{0}.jpg", "/x.y.jpg", ""])
    func aPathThatIsNoFileNameIsNoPicture(path: String) {
        #expect(TMDBPicture.location(path) == nil)
    }
}
