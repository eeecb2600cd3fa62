import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// IAMMovie: a Naver search in pages of twenty, with films of The Movie Database.
@Suite(.timeLimit(.hang))
struct NaverAppTests {
    private static let count = 40
    private static let headers = ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"]

    private static func script(_ upstream: ReplayingUpstream) {
        for page in 1...2 {
            let rows = ((page - 1) * 20 + 1...page * 20).map { number in
                #"{"id":\#(number),"title":"영화 \#(number)","overview":"x","release_date":"2018-06-07","genre_ids":[18]}"#
            }
            upstream.on(
                "GET", "/3/search/movie", query: ["page": "\(page)"],
                .json(
                    #"{"page":\#(page),"results":[\#(rows.joined(separator: ","))],"total_pages":2,"#
                        + #""total_results":\#(Self.count)}"#))
        }
        let credits = #"""
            {"cast":[{"id":1,"name":"토니 콜렛","character":"x"}],
            "crew":[{"id":2,"name":"아리 애스터","job":"Director","department":"Directing"}]}
            """#
        for number in 1...Self.count { upstream.on("GET", "/3/movie/\(number)/credits", .json(credits)) }
    }

    @Test func allPagesAreReadWithOneRequestForEach() async throws {
        try await withUpstream { upstream in
            Self.script(upstream)
            var settings = LiveServer.Settings.compatible()
            settings.films = try ReplayedFixture(upstream).services
            let all = settings
            try await withOrigin { origin in
                try await LiveServer.run(origin: origin, all) { server in
                    try await AppClient.run(on: server) { client in
                        var links: [String] = []
                        for start in ["1", "21"] {
                            let page = try await client.json(
                                .naver, "/v1/search/movie.json",
                                [("query", "영화"), ("start", start), ("display", "20")], headers: Self.headers)
                            #expect(page["total"]?.integer == Self.count && page["display"] == 20)
                            let items = page["items"]?.elements ?? []
                            links += items.compactMap { $0["link"]?.string }
                            #expect(items.allSatisfy { $0["title"]?.string?.hasPrefix("<b>영화</b> ") == true })
                            #expect(items.allSatisfy { $0["pubDate"]?.string == "2018" })
                        }
                        #expect(Set(links).count == Self.count)
                    }
                }
            }
            #expect(upstream.requestCount(to: "/3/search/movie") == 2)
        }
    }
}
