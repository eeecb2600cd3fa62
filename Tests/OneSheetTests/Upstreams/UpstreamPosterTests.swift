import MovieDomain
import PictureTesting
import PosterTesting
import Testing

/// Posters from other sources for films without one.
@Suite("Posters from upstreams", .timeLimit(.hang))
struct UpstreamPosterTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test func candidatesSayWhyOneWasChosen() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let rows = [
                UpstreamBodies.row(1, title: "갯마을의 밤", date: "1997-01-01", poster: "old.jpg"),
                UpstreamBodies.row(2, title: "갯마을", poster: "other.jpg"),
                UpstreamBodies.row(3, title: "갯마을의 밤"),
                UpstreamBodies.row(4, title: "갯마을의 밤", poster: "late.jpg"),
            ]
            upstream.on("GET", "/tmdb/search/movie", query: ["query": "갯마을의 밤"], .json(UpstreamBodies.page(rows)))
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let told = try await fixture.app.get("/movies/kobis:20228555/poster-candidates")
                #expect(told.source.text == "tmdb" && told.chosen.file.text == "poster.jpg")
                #expect(
                    told.candidates.list.compactMap(\.verdict.text) == ["rejected", "rejected", "chosen", "notNeeded"])
                #expect(told.candidates[0].reason.text?.contains("1997") == true)
                #expect(told.candidates[1].reason.text?.contains("another title") == true)
                #expect(told.failures.list.isEmpty)
                // No other source is requested; the poster itself needs no further request.
                #expect(fixture.requests(of: .kmdb).isEmpty && fixture.requests(of: .kakao).isEmpty)
                let count = fixture.requests(of: .tmdb).count
                #expect(try await fixture.server.get("/poster/kobis:20228555?w=185").status == 200)
                #expect(fixture.requests(of: .tmdb).count == count)
            }
            // Decisions survive a restart.
            let count = upstream.requests.count
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let again = try await fixture.app.get("/movies/kobis:20228555/poster-candidates")
                #expect(again.chosen.file.text == "poster.jpg" && upstream.requests.count == count)
            }
        }
    }

    @Test(
        "all are asked in turn, and what they found is looked at in public places only",
        arguments: [["--allow-private-origin", "127.0.0.1"], ["--allow-private-origins"]])
    func strangers(opening: [String]) async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let picture = upstream.origin.url("/found.jpg")
            upstream.on(
                "GET", "/kmdb/search_json2.jsp",
                .json(UpstreamBodies.filmOfKMDb("F00001", title: "등대지기", year: "2024", posters: picture)))
            upstream.on(
                "GET", "/kakao/v2/search/image",
                .json(
                    UpstreamBodies.pictures([(picture, 640, 360), (picture, 600, 900), (picture + "?a=b", 600, 840)])))
            try await UpstreamFixture.run(upstream, data: self.data, opening) { fixture in
                let told = try await fixture.app.get("/movies/kobis:20228556/poster-candidates")
                #expect(told.candidates.list.compactMap(\.source.text) == ["kmdb", "kakao", "kakao"])
                // URLs from search results must not lead to private addresses, even if origins may.
                let reasons = told.candidates.list.compactMap(\.reason.text)
                #expect(reasons == Array(repeating: "it is not at a public address", count: 3))
                #expect(told.chosen.exists == false && told.source.exists == false)
                #expect(upstream.requestCount(to: "/found.jpg") == 0)
                let order = upstream.requests.map { $0.path.split(separator: "/")[0] }
                #expect(order.first == "kobis" && order.last { $0 != "tmdb" } == "kakao")
                #expect(fixture.requests(of: .kakao).first?.query["query"] == "등대지기 2024 영화 포스터")
                #expect(
                    fixture.requests(of: .kakao).first?.headers["authorization"]
                        == "KakaoAK \(try #require(UpstreamFixture.keys[.kakao]))")
                let poster = try await fixture.server.get("/poster/kobis:20228556?w=185")
                #expect(poster.status == 404 && poster.text.contains("unknown-poster"))
                // Lists omit the poster, too.
                let list = try await fixture.app.get("/box-office/daily?date=2024-05-04")
                #expect(list.results[1].code.text == "20228556" && !list.results[1].poster.exists)
                #expect(list.results[0].poster.exists)
            }
        }
    }

    /// Each language has its own picture and size: the size of the picture at the URL.
    @Test func postersFollowTheLanguage() async throws {
        let sizes = ["en": (width: 400, height: 600), "ja": (width: 200, height: 300), "ko": (width: 300, height: 450)]
        let tags = ["en": "en-US", "ja": "ja-JP", "ko": "ko-KR"]
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let plain = TestPicture.jpeg(width: 100, height: 150)
            upstream.on("GET", "/images/plain.jpg", .image(plain))
            var pictures: [String: [UInt8]] = [:]
            for (language, size) in sizes {
                let picture = TestPicture.jpeg(width: size.width, height: size.height)
                pictures[language] = picture
                upstream.on("GET", "/images/\(language).jpg", .image(picture))
                let query = ["language": try #require(tags[language])]
                upstream.on(
                    "GET", "/tmdb/movie/301", query: query,
                    .json(UpstreamBodies.details(301, poster: "\(language).jpg", size: size, textless: "plain.jpg")))
                upstream.on(
                    "GET", "/tmdb/movie/popular", query: query,
                    .json(UpstreamBodies.page([UpstreamBodies.row(301, poster: "\(language).jpg")])))
            }
            try await UpstreamFixture.run(upstream, data: self.data, ["--language", "en"]) { fixture in
                var tags: Set<String> = []
                for language in ["ja", "en", "ko"] {
                    let size = try #require(sizes[language])
                    let film = try await fixture.app.get("/movies/tmdb:301?language=\(language)")
                    #expect(film.poster.width.int == size.width && film.poster.height.int == size.height)
                    let url = try #require(film.poster.url.text)
                    #expect(url.contains("language=\(language)"))
                    let poster = try await fixture.server.get(url)
                    #expect(poster.status == 200 && poster.headers["vary"] == "Accept")
                    tags.insert(try #require(poster.headers["etag"]))
                    let original = try await fixture.server.get("/poster/tmdb:301?language=\(language)")
                    #expect(original.body == pictures[language])
                    let info = try await fixture.app.get("/poster/tmdb:301/info?language=\(language)")
                    #expect(info.width.int == size.width && info.height.int == size.height)
                    let list = try await fixture.app.get("/movies/lists/popular?language=\(language)")
                    let row = list.results[0].poster
                    #expect(row.width.int == size.width && row.url.text?.contains("language=\(language)&v=") == true)
                }
                #expect(tags.count == 3)
                let usual = try await fixture.server.get("/poster/tmdb:301")
                #expect(usual.body == pictures["en"])
                for query in ["textless=true", "textless=true&language=ja"] {
                    #expect(try await fixture.server.get("/poster/tmdb:301?\(query)").body == plain)
                }
            }
        }
    }

    @Test func aFinderThatFailsIsNamedAndIsNoAnswer() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            upstream.on("GET", "/tmdb/search/movie", .json(UpstreamBodies.status(7), status: 401))
            upstream.on("GET", "/kmdb/search_json2.jsp", .html())
            upstream.on("GET", "/kakao/v2/search/image", .json(#"{"code":-10,"msg":"API limit"}"#, status: 400))
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let told = try await fixture.app.get("/movies/kobis:20228556/poster-candidates")
                #expect(told.failures.list.compactMap(\.source.text) == ["tmdb", "kmdb", "kakao"])
                let types = told.failures.list.compactMap { $0.type.text?.split(separator: ":").last }
                #expect(types == ["source-unavailable", "source-unavailable", "source-busy"])
                let poster = try await fixture.app.send("GET", "/poster/kobis:20228556?w=185")
                #expect(poster.status == 502, "\(poster.text)")
                for key in UpstreamFixture.keys.values {
                    #expect(!"\(told)\(poster.text)\(fixture.server.errors)".contains(key))
                }
            }
        }
    }
}
