import MovieDomain
import MovieTesting
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("What TMDB's catalogue is chosen by")
struct TMDBDiscoverTests {
    private static let path = "/3/discover/movie"

    private static func filter(_ change: (inout FilmFilter) -> Void) -> FilmFilter {
        var filter = FilmFilter()
        change(&filter)
        return filter
    }

    private static let french = Language("fr")!

    /// Filters with their parameters, without the parameters of every request.
    private static let filters: [(FilmFilter, [String: String])] = [
        (FilmFilter(), ["sort_by": "popularity.desc"]),
        (filter { $0.genres = [.drama] }, ["sort_by": "popularity.desc", "with_genres": "18"]),
        (filter { $0.genres = [.thriller, .drama] }, ["sort_by": "popularity.desc", "with_genres": "18,53"]),
        (
            filter { $0.years = 1999...1999 },
            [
                "sort_by": "popularity.desc", "primary_release_date.gte": "1999-01-01",
                "primary_release_date.lte": "1999-12-31",
            ]
        ),
        (
            filter { $0.years = 1990...1999 },
            [
                "sort_by": "popularity.desc", "primary_release_date.gte": "1990-01-01",
                "primary_release_date.lte": "1999-12-31",
            ]
        ),
        (filter { $0.country = .korea }, ["sort_by": "popularity.desc", "with_origin_country": "KR"]),
        (filter { $0.originalLanguage = french }, ["sort_by": "popularity.desc", "with_original_language": "fr"]),
        (filter { $0.keyword = "tmdb:818" }, ["sort_by": "popularity.desc", "with_keywords": "818"]),
        (filter { $0.sort = .rating }, ["sort_by": "vote_average.desc", "vote_count.gte": "200"]),
        (
            filter { $0.sort = .newest },
            ["sort_by": "primary_release_date.desc", "primary_release_date.lte": "2023-01-15"]
        ),
        (filter { $0.sort = .oldest }, ["sort_by": "primary_release_date.asc"]),
        (filter { $0.sort = .title }, ["sort_by": "title.asc"]),
    ]

    @Test(arguments: Self.filters)
    func everyFilterIsItsParameter(filter: FilmFilter, parameters: [String: String]) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let found = try await catalogue.discover(filter, page: 1, language: .korean, region: nil)
            #expect(found.results.map(\.id.description) == ["tmdb:1"] && filter.fields.isSubset(of: catalogue.filters))
            var expected = parameters
            for (name, value) in [
                ("include_adult", "false"), ("include_video", "false"), ("page", "1"), ("language", "ko-KR"),
                ("api_key", "key-of-tmdb"),
            ] {
                expected[name] = value
            }
            #expect(upstream.requests.map(\.query) == [expected])
        }
    }

    @Test func theRegionIsAParameterAndPagesHaveAnEnd() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(TMDBFixtures.page([TMDBFixtures.row(1)])))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            _ = try await catalogue.discover(FilmFilter(), page: 2, language: .korean, region: .japan)
            #expect(upstream.requests.map { $0.query["region"] } == ["JP"] && upstream.requests[0].query["page"] == "2")
            let behind = try await catalogue.discover(FilmFilter(), page: 501, language: .korean, region: .japan)
            #expect(behind.results.isEmpty && upstream.requests.count == 1)
        }
    }

    @Test(arguments: [
        FilmFilter(genres: [.drama, .filmNoir]), FilmFilter(keyword: "818"), FilmFilter(keyword: "kmdb:818"),
    ])
    func whatTMDBHasNotIsNoRequest(filter: FilmFilter) async throws {
        try await withUpstream { upstream in
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let none = try await catalogue.discover(filter, page: 1, language: .korean, region: nil)
            #expect(none.results.isEmpty && none.totalPages == 0 && none.totalResults == 0)
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test(
        "the newest are not in the future, unless only those are wanted",
        arguments: [
            (nil, nil, "2023-01-15"), (2020...2029, "2020-01-01", "2023-01-15"),
            (2023...2023, "2023-01-01", "2023-01-15"),
            (2019...2019, "2019-01-01", "2019-12-31"), (2024...2024, "2024-01-01", "2024-12-31"),
        ] as [(ClosedRange<Int>?, String?, String)])
    func newest(years: ClosedRange<Int>?, from: String?, to: String) throws {
        let filter = FilmFilter(years: years, sort: .newest)
        let today = try #require(CalendarDate("2023-01-15"))
        let parameters = try #require(filter.parametersOfTMDB(today: today))
        #expect(parameters.first { $0.name == "primary_release_date.gte" }?.value == from)
        #expect(parameters.first { $0.name == "primary_release_date.lte" }?.value == to)
    }

    @Test(arguments: [(TrendingPeriod.day, 900), (.week, 7200)] as [(TrendingPeriod, Int64)])
    func trendingIsAskedForAgainWhenItMayHaveChanged(period: TrendingPeriod, seconds: Int64) async throws {
        let path = "/3/trending/movie/\(period.rawValue)"
        try await withUpstream { upstream in
            let series = TMDBFixtures.row(2, more: #","media_type":"tv""#)
            let film = TMDBFixtures.row(1, more: #","media_type":"movie""#)
            upstream.on("GET", path, .json(TMDBFixtures.page([series, film])))
            let rig = try AdapterFixture(upstream)
            let tmdb = rig.tmdb()
            for advance in [0, seconds - 1, 1] {
                rig.time.advance(seconds: advance)
                let page = try await tmdb.catalogue.trending(period, page: 1, language: .korean)
                #expect(page.results.map(\.id.description) == ["tmdb:1"], "a series is no film")
            }
            try await upstream.requestsArrived(at: path, count: 2)
            #expect(upstream.requestCount(to: path) == 2)
            tmdb.close()
        }
    }

    @Test func whenTMDBIgnoresThePageOfATrendThereIsOnlyOne() async throws {
        let path = "/3/trending/movie/day"
        try await withUpstream { upstream in
            upstream.on("GET", path, .json(TMDBFixtures.page([TMDBFixtures.row(1)], totalPages: 1000)))
            upstream.on(
                "GET", path, query: ["page": "2"],
                .json(TMDBFixtures.page([TMDBFixtures.row(2)]).replacing("\"page\":1", with: "\"page\":2")))
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            let pages = [1, 2, 3]
            var found: [[String]] = []
            for page in pages {
                found.append(
                    try await catalogue.trending(.day, page: page, language: .korean).results.map(\.id.description))
            }
            #expect(found == [["tmdb:1"], ["tmdb:2"], []], "page 3 is answered with page 1")
        }
    }

    @Test func aTrendThatIsSuddenlyMissingIsAFault() async throws {
        try await withUpstream { upstream in
            for path in [Self.path, "/3/trending/movie/week"] {
                upstream.on("GET", path, .json(TMDBFixtures.status(34), status: 404))
            }
            let catalogue = try AdapterFixture(upstream).tmdb().catalogue
            await #expect(throws: SourceFailure.self) {
                try await catalogue.trending(.week, page: 1, language: .korean)
            }
            await #expect(throws: SourceFailure.self) {
                try await catalogue.discover(FilmFilter(), page: 1, language: .korean, region: nil)
            }
        }
    }
}
