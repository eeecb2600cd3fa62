import MovieDomain
import PictureTesting
import PosterTesting
import Testing

/// RPDB's paths with films and series of TMDB, replayed by a local server.
@Suite("RPDB's paths from upstreams", .timeLimit(.hang))
struct UpstreamRPDBTests {
    private static let count = 50
    private static let base = "/compat/rpdb/t2-any"
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    private static func title(_ number: Int) -> String { "tt\(1_000_000 + number)" }

    /// Films with numbers from 1, and a series.
    private static func fill(_ upstream: ReplayingUpstream) {
        upstream.on("GET", "/images/poster.jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
        for number in 1...self.count {
            let film = """
                {"id":\(number),"title":"Film \(number)","overview":"Text.","poster_path":"/poster.jpg",
                "vote_average":\(Double(number) / 10),"vote_count":9,"release_date":"1999-03-31",
                "imdb_id":"\(self.title(number))"}
                """
            upstream.on(
                "GET", "/tmdb/find/\(self.title(number))", .json(#"{"movie_results":[\#(film)],"tv_results":[]}"#))
            upstream.on("GET", "/tmdb/movie/\(number)", .json(film))
        }
        let found = #"{"movie_results":[],"tv_results":[{"id":1396,"name":"A series"}]}"#
        for id in ["tt0903747", "81189"] { upstream.on("GET", "/tmdb/find/\(id)", .json(found)) }
        upstream.on(
            "GET", "/tmdb/tv/1396",
            .json(#"{"id":1396,"name":"A series","poster_path":"/poster.jpg","vote_average":8.9,"vote_count":9}"#))
        upstream.on("GET", "/tmdb/find/tt9", .json(#"{"movie_results":[],"tv_results":[]}"#))
    }

    @Test func aWallIsCompleteAndAsksOncePerFilm() async throws {
        try await withUpstream { upstream in
            Self.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                var tags: Set<String> = []
                for number in 1...Self.count {
                    for path in ["imdb/poster-default/\(Self.title(number))", "tmdb/poster-default/movie-\(number)"] {
                        let answer = try await fixture.server.get("\(Self.base)/\(path).jpg?fallback=true")
                        #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg")
                        #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=2592000") == true)
                        tags.insert(try #require(answer.headers["etag"]))
                    }
                    #expect(upstream.requestCount(to: "/tmdb/find/\(Self.title(number))") == 1)
                    #expect(upstream.requestCount(to: "/tmdb/movie/\(number)") == 1)
                }
                #expect(tags.count == Self.count, "each film has another score")
            }
        }
    }

    @Test func aSeriesIsFoundByItsIds() async throws {
        try await withUpstream { upstream in
            Self.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for path in [
                    "imdb/poster-default/tt0903747", "tvdb/poster-default/81189", "tmdb/poster-default/series-1396",
                ] {
                    let answer = try await fixture.server.get("\(Self.base)/\(path).jpg")
                    #expect(answer.status == 200 && answer.headers["content-type"] == "image/jpeg", "\(path)")
                }
                let unknown = try await fixture.server.get("\(Self.base)/imdb/poster-default/tt9.jpg")
                #expect(unknown.status == 404)
            }
        }
    }

    @Test func aSourceThatFailsLeavesItsScoresOut() async throws {
        try await withUpstream { upstream in
            Self.fill(upstream)
            upstream.on("GET", "/omdb/", .status(500))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb, .omdb]) { fixture in
                let answer = try await fixture.server.get("\(Self.base)/imdb/poster-default/\(Self.title(1)).jpg")
                #expect(answer.status == 200 && answer.headers["cache-control"] == "public, max-age=60")
            }
        }
    }
}
