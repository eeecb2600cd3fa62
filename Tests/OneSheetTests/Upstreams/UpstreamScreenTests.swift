import Foundation
import MovieDomain
import PosterCodec
import PosterTesting
import Testing

/// Main screens of each app from upstream sources, replayed by a local server.
@Suite("Screens from upstreams", .timeLimit(.hang))
struct UpstreamScreenTests {
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    @Test func homeSearchAndGenresAreTMDBs() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            upstream.on(
                "GET", "/tmdb/search/movie", query: ["query": "밤 & 불", "page": "1"],
                .json(UpstreamBodies.page([UpstreamBodies.row(41)], totalPages: 2)))
            upstream.on(
                "GET", "/tmdb/search/movie", query: ["query": "밤 & 불", "page": "2"],
                .json(UpstreamBodies.page([UpstreamBodies.row(42)], totalPages: 2)))
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let home = try await fixture.app.get("/movies/home")
                #expect(home.sections.list.compactMap(\.id.text) == ["nowPlaying", "popular", "topRated", "upcoming"])
                #expect(home.sections.list.allSatisfy { $0.results.list.count == 3 && !$0.problem.exists })
                #expect(home.attribution[0].text?.contains("TMDB") == true)
                let film = home.sections[1].results[0]
                #expect(film.id.text == "tmdb:11" && film.source.text == "tmdb")
                #expect(film.title.text == "영화 11" && film.overview.text == UpstreamBodies.overview)
                #expect(film.genres.list.compactMap(\.name.text) == ["드라마", "미스터리"])
                #expect(film.score.average.double == 7.25 && film.score.count.int == 40)
                #expect(film.releaseDate.text == "2024-04-24" && film.year.int == 2024)
                // Loading text requests no poster.
                #expect(upstream.requestCount(to: "/images/poster.jpg") == 0)
                let poster = try await fixture.server.get(try #require(film.poster.url.text))
                #expect(poster.status == 200 && poster.headers["content-type"]?.hasPrefix("image/") == true)
                #expect(upstream.requestCount(to: "/tmdb/movie/11") == 0)
                #expect(try await fixture.app.get("/genres").genres.list.count == 19)
                #expect(upstream.requestCount(to: "/tmdb/genre/movie/list") == 0)

                let pages = try await fixture.app.pages(
                    of: "/movies/search?query=%EB%B0%A4%20%26%20%EB%B6%88&year=2024")
                #expect(pages.flatMap { $0.results.list.compactMap(\.id.text) } == ["tmdb:41", "tmdb:42"])
                let sent = fixture.requests(of: .tmdb).filter { $0.path.hasSuffix("/search/movie") }
                #expect(
                    sent.allSatisfy { $0.query["primary_release_year"] == "2024" && $0.query["language"] == "ko-KR" })
                #expect(fixture.requests(of: .tmdb).allSatisfy { $0.query["api_key"] == UpstreamFixture.keys[.tmdb] })
            }
        }
    }

    @Test func aFilmIsOfTMDBWithScoresOfOthers() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let film = try await fixture.app.get("/movies/tmdb:301")
                #expect(film.title.text == "갯마을의 밤" && film.tagline.text == "불을 켜라")
                #expect(film.runtimeMinutes.int == 109 && film.certificate.rating.text == "15")
                #expect(film.imdbId.text == "tt0903001" && !film.problems.exists)
                let scores = film.otherScores.list.compactMap(\.value.text)
                #expect(scores == ["7.9/10", "91%", "78/100", "3.9/5"])
                #expect(
                    film.sections.list.compactMap(\.type.text)
                        == ["top", "summary", "gallery", "description", "cast", "information", "reviews"])
                let credits = try await fixture.app.get("/movies/tmdb:301/credits")
                #expect(credits.cast.list.compactMap(\.role.text) == ["선장", "등대지기"])
                #expect(credits.crew.list.compactMap(\.job.text) == ["director", "editor"])
                let reviews = try await fixture.app.get("/movies/tmdb:301/reviews")
                #expect(reviews.results.list.compactMap(\.author.text) == ["긴글", "파란"])
                #expect(reviews.results.list.map { $0.isTruncated.bool ?? false } == [true, false])
                #expect(reviews.results[0].preview.text?.count ?? 301 <= 300)
                let similar = try await fixture.app.get("/movies/tmdb:301/similar")
                #expect(similar.results[0].id.text == "tmdb:302")
                #expect(try await fixture.app.send("GET", "/movies/tmdb:999").status == 404)
                // Details and credits come from one response.
                #expect(upstream.requestCount(to: "/tmdb/movie/301") == 1)
                #expect(fixture.requests(of: .omdb).map { $0.query["i"] } == ["tt0903001"])
                #expect(fixture.requests(of: .mdblist).map { $0.query["apikey"] } == [UpstreamFixture.keys[.mdblist]])
            }
        }
    }

    @Test(
        arguments: [(MovieSource.omdb, ["7.8/10", "90%", "3.9/5"]), (.mdblist, ["7.9/10", "91%", "78/100"])])
    func aFilmIsThereWithoutTheOpinionsOfASourceThatIsUsedUp(source: MovieSource, scores: [String]) async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            if source == .omdb {
                upstream.on("GET", "/omdb/", .json(UpstreamBodies.quotaOfOMDb, status: 401))
            } else {
                upstream.on(
                    "GET", "/mdblist/imdb/movie/tt0903001", .json(UpstreamBodies.quotaOfMDBList, status: 429))
            }
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let answer = try await fixture.app.send("GET", "/movies/tmdb:301")
                #expect(answer.status == 200 && answer.headers["cache-control"]?.contains("no-store") == true)
                #expect(answer.body.title.text == "갯마을의 밤")
                #expect(answer.body.otherScores.list.compactMap(\.value.text) == scores)
                #expect(answer.body.problems.list.compactMap(\.source.text) == [source.rawValue])
                #expect(answer.body.problems[0].type.text == "urn:onesheet:problem:source-busy")
            }
        }
    }

    @Test func theBoxOfficeIsKOBISsWithPostersOfTMDBs() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            upstream.on(
                "GET", "/tmdb/search/movie", query: ["query": "갯마을의 밤"],
                .json(UpstreamBodies.page([UpstreamBodies.row(301, title: "갯마을의 밤")])))
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let list = try await fixture.app.get("/box-office/daily?date=2024-05-04")
                #expect(list.source.text == "kobis" && list.from.text == "2024-05-04")
                #expect(list.results.list.compactMap(\.code.text) == ["20228555", "20228556"])
                #expect(list.results[0].isNew.bool == true && list.results[1].rankChange.int == -1)
                #expect(list.results[0].audience.value.int == 8123 && list.results[0].sales.total.int == 912_345_000)
                let poster = try await fixture.server.get("/poster/kobis:20228555?w=368")
                #expect(poster.status == 200)
                #expect(try Self.size(of: poster.body) == [368, 552])
                // Lists include the known size eventually: a response to anonymous clients may be reused for a moment.
                var known = list.results[0].poster
                while known.width.int == nil {
                    try Task.checkCancellation()
                    known = try await fixture.app.get("/box-office/daily?date=2024-05-04&language=ko").results[0].poster
                }
                #expect(known.width.int == 600 && known.height.int == 900)

                let film = try await fixture.app.get("/box-office/movies/20228555")
                #expect(film.runtimeMinutes.int == 109 && film.certificate.rating.text == "15")
                #expect(film.sections.list.contains { $0.type.text == "cast" && $0.members.list.count == 2 })
                #expect(try await fixture.app.send("GET", "/box-office/movies/20990001").status == 404)
                for (span, number) in [("week", "0"), ("weekend", "1"), ("weekdays", "2")] {
                    let week = try await fixture.app.get("/box-office/weekly?date=2024-05-04&span=\(span)")
                    #expect(week.results[0].code.text == "20228556" && week.span.text == span)
                    #expect(fixture.requests(of: .kobis).last?.query["weekGb"] == number)
                }
                #expect(fixture.requests(of: .kobis).first?.query["targetDt"] == "20240504")
                #expect(upstream.requestCount(to: "/kobis/boxoffice/searchDailyBoxOfficeList.json") == 1)
            }
        }
    }

    private static func size(of bytes: [UInt8]) throws -> [Int] {
        guard case .header(let header) = try probe(bytes.span.bytes) else { return [] }
        return [header.uprightSize.width, header.uprightSize.height]
    }

    @Test func theStoreIsTheCountrys() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.itunes]) { fixture in
                let found = try await fixture.app.send("GET", "/apps/search?term=%EB%AC%BC%EB%95%8C&limit=2")
                #expect(found.body.results.list.compactMap(\.id.text) == ["itunes:901", "itunes:902"])
                #expect(found.body.hasMore.bool == true && found.headers["link"]?.contains("offset=2") == true)
                let sent = try #require(fixture.requests(of: .itunes).first).query
                #expect(sent["term"] == "물때" && sent["country"] == "KR" && sent["media"] == "software")
                let app = try await fixture.app.get("/apps/itunes:901")
                #expect(app.name.text == "물때표 901" && app.averageRating.double == 4.5)
                #expect(
                    app.sections.list.compactMap(\.type.text)
                        == ["top", "summary", "gallery", "description", "releaseNotes", "information"])
                let today = try await fixture.app.get("/apps/today")
                #expect(today.featured.name.text?.isEmpty == false && today["list"].list.count == 2)
                _ = try await fixture.app.get("/apps/itunes:901")
                #expect(fixture.requests(of: .itunes).count { $0.query["id"] == "901" } == 1)
            }
        }
    }

    @Test func naversFormatIsAnsweredFromTMDBsSearch() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            upstream.on("GET", "/tmdb/search/movie", .json(UpstreamBodies.page([UpstreamBodies.row(41)])))
            upstream.on("GET", "/tmdb/movie/41/credits", .json(UpstreamBodies.credits(41)))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for _ in 0..<2 {
                    let page = try await fixture.app.get("/v1/search/movie.json?query=41")
                    #expect(page.total.int == 1 && page.items.list.count == 1)
                    #expect(page.items[0].title.text?.contains("41") == true)
                    #expect(page.items[0].director.text == "정만조|" && page.items[0].actor.text == "한바다|윤파도|")
                }
                #expect(upstream.requestCount(to: "/tmdb/movie/41/credits") == 1)
            }
        }
    }
}
