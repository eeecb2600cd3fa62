import MovieDomain
import PosterTesting
import Testing

/// How many requests to upstreams a screen costs.
@Suite("Requests per screen", .timeLimit(.minutes(3)))
struct UpstreamScreenRequestTests {
    private static let lists = ["now_playing", "popular", "top_rated", "upcoming"]
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    /// Four lists of other films, which have overviews in English alone.
    private func fillLists(_ upstream: ReplayingUpstream) {
        UpstreamBodies.fill(upstream)
        for (place, list) in Self.lists.enumerated() {
            upstream.on("GET", "/tmdb/movie/\(list)") { request in
                let overview = request.query["language"] == "en-US" ? UpstreamBodies.overview : ""
                return .json(
                    UpstreamBodies.page((1...20).map { UpstreamBodies.row(place * 100 + $0, overview: overview) }))
            }
        }
    }

    @Test(arguments: [("en", 4), ("ko", 5), ("fr", 5), ("ko, ja;q=0.8", 5)])
    func aColdHomeIsFiveRequestsAtMost(language: String, count: Int) async throws {
        try await withUpstream { upstream in
            self.fillLists(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                var app = fixture.app
                app.language = language
                let home = try await app.get("/movies/home")
                #expect(home.sections.list.allSatisfy { $0.results.list.count == 20 && !$0.problem.exists })
                #expect(upstream.requests.count == count, "\(upstream.requests.map { "\($0.path) \($0.query)" })")
                for list in Self.lists { #expect(upstream.requestCount(to: "/tmdb/movie/\(list)") >= 1) }
            }
        }
    }

    @Test func theFollowingHomesCompleteTheTexts() async throws {
        try await withUpstream { upstream in
            self.fillLists(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for number in 1...6 {
                    let home = try await fixture.app.send("GET", "/movies/home")
                    let isWhole = number >= 4
                    #expect(upstream.requests.count == 4 + min(number, 4))
                    #expect(home.headers["cache-control"]?.contains("no-store") == !isWhole)
                    let filled = home.body.sections.list.filter { section in
                        section.results.list.allSatisfy { $0.overview.text == UpstreamBodies.overview }
                    }
                    #expect(filled.count == min(number, 4))
                }
            }
        }
    }

    @Test func oneHomeInEnglishFillsThoseInKorean() async throws {
        try await withUpstream { upstream in
            self.fillLists(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                var english = fixture.app
                english.language = "en"
                _ = try await english.get("/movies/home")
                let home = try await fixture.app.send("GET", "/movies/home")
                #expect(upstream.requests.count == 8)
                #expect(home.headers["cache-control"]?.hasPrefix("public, max-age=60") == true)
                let films = home.body.sections.list.flatMap(\.results.list)
                #expect(films.count == 80 && films.allSatisfy { $0.overview.text == UpstreamBodies.overview })
            }
        }
    }
}
