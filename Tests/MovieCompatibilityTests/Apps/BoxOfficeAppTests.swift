import MovieDomain
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// BoxOffice2 and BoxOffice-Upgrade.ver: the requests of their network layers, and the fields that they read.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct BoxOfficeAppTests {
    private static let daily = "/boxoffice/searchDailyBoxOfficeList.json"
    private static let weekly = "/boxoffice/searchWeeklyBoxOfficeList.json"
    private static let film = "/movie/searchMovieInfo.json"
    private static let images = "/v2/search/image"
    private static let naver = ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"]

    /// Scripts the box office of 5 January 2022 and its first film, `경관의 피`.
    private static func script(_ upstream: ReplayingUpstream) throws {
        let day = try Samples.bytes("kobis/daily_20220105.json")
        let film = try Samples.bytes("kobis/movie_info_20199882.json")
        upstream.on("GET", Self.daily, query: ["targetDt": "20220105"], .json(day))
        upstream.on("GET", Self.film, query: ["movieCd": "20199882"], .json(film))
    }

    /// The parameters of BoxOffice2's lists for cinemas in Seoul.
    ///
    /// - Parameter span: `nil` for a daily list.
    private static func ofSeoul(
        _ key: String, _ day: String, span: String? = nil
    ) -> [(name: String, value: String)] {
        var parameters = [
            (name: "key", value: key), ("targetDt", day), ("itemPerPage", "10"), ("wideAreaCd", "0105001"),
        ]
        if let span { parameters.append((name: "weekGb", value: span)) }
        return parameters
    }

    /// Joins a row of the list with the film's details, as the apps do.
    private static func details(_ client: AppClient, _ row: OrderedJSON) async throws {
        let code = try #require(row["movieCd"]?.string)
        #expect(code == "20199882" && row["rank"]?.string == "1" && row["rankOldAndNew"]?.string == "NEW")
        let result = try await client.json(.kobis, Self.film, [("key", client.key), ("movieCd", code)])
        let film = result["movieInfoResult"]?["movieInfo"]
        #expect(film?["prdtYear"]?.string == "2021" && film?["openDt"]?.string?.prefix(4) == "2022")
        #expect(film?["genres"]?.elements.first?["genreNm"]?.string == "범죄")
        #expect(film?["directors"]?.elements.first?["peopleNm"]?.string == "이규만")
        #expect(film?["audits"]?.elements.first?["watchGradeNm"]?.string == "15세이상관람가")
        #expect(film?["showTm"]?.string == "119" && film?["actors"]?.elements.count == 96)
    }

    @Test func boxOffice2ReadsListsOfSeoulDetailsAndPosters() async throws {
        let query = try #require(MovieQuery("경관의 피", year: 2021))
        let film = try #require(
            MovieSummary(
                id: MovieServicesFixture.film, title: "경관의 피", year: 2021,
                poster: PosterReference(.packaged(file: "a.jpg", version: "1"))))
        try await withUpstream { upstream in
            try Self.script(upstream)
            upstream.on("GET", Self.weekly, .json(try Samples.bytes("kobis/weekend_20120101.json")))
            try await SampleFixture(upstream).runPassingOn(found: [query: [film]]) { server in
                try await AppClient.run(on: server) { client in
                    let list = try await client.json(.kobis, Self.daily, Self.ofSeoul(client.key, "20220105"))
                    let rows = list["boxOfficeResult"]?["dailyBoxOfficeList"]?.elements ?? []
                    #expect(rows.count == 10)
                    for span in ["0", "1", "2"] {
                        let week = Self.ofSeoul(client.key, "20120101", span: span)
                        let list = try await client.json(.kobis, Self.weekly, week)
                        #expect(list["boxOfficeResult"]?["weeklyBoxOfficeList"]?.elements.count == 10)
                    }
                    try await Self.details(client, try #require(rows.first))
                    let found = try await client.json(
                        .naver, "/v1/search/movie.json",
                        [("query", "경관의 피"), ("display", "1"), ("yearfrom", "2021"), ("yearto", "2021")],
                        headers: Self.naver)
                    let image = found["items"]?.elements.first?["image"]?.string
                    #expect(image?.hasPrefix("http://localhost/poster/") == true)
                }
            }
            #expect(upstream.requestCount(to: Self.daily) == 1)
            #expect(upstream.requestCount(to: Self.weekly) == 3)
            #expect(upstream.requestCount(to: Self.film) == 1)
            #expect(upstream.requests.count == 5)
            let areas = upstream.requests.filter { $0.path != Self.film }.map { $0.query["wideAreaCd"] }
            #expect(areas == Array(repeating: "0105001", count: 4))
        }
    }

    @Test func boxOfficeUpgradeReadsADayDetailsAndTheFirstPicture() async throws {
        try await withUpstream { upstream in
            try Self.script(upstream)
            upstream.on("GET", Self.images, .json(try Samples.bytes("kakao/image_search_page1.json")))
            try await SampleFixture(upstream).runPassingOn { server in
                try await AppClient.run(on: server) { client in
                    let list = try await client.json(
                        .kobis, Self.daily, [("key", client.key), ("targetDt", "20220105")])
                    let row = try #require(list["boxOfficeResult"]?["dailyBoxOfficeList"]?.elements.first)
                    try await Self.details(client, row)
                    let name = try #require(row["movieNm"]?.string)
                    let found = try await client.json(
                        .kakao, Self.images, [("query", "\(name) 영화포스터")],
                        headers: ["Authorization": "KakaoAK \(client.key)"])
                    let image = found["documents"]?.elements.first?["image_url"]?.string
                    #expect(image?.hasPrefix("http://localhost/proxy?url=https") == true)
                }
            }
            #expect(upstream.requests.map(\.path) == [Self.daily, Self.film, Self.images])
            let search = try #require(upstream.requests.last)
            #expect(search.query["query"] == "경관의 피 영화포스터")
            #expect(search.headers["authorization"] == "KakaoAK key-of-kakao", "keys of clients are not sent")
        }
    }
}
