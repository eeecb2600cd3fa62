import MovieDomain
import PictureTesting
import PosterTesting
import Testing

@Suite("Requests per screen", .timeLimit(.hang))
struct UpstreamScreenRequestTests {
    private static let lists = ["now_playing", "popular", "top_rated", "upcoming"]
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    /// Scripts four lists of distinct films, which have overviews only in English.
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

    /// Scripts six films that TMDB finds by the month of their opening (two months), two that it finds by title, one
    /// rerelease, and one that it finds by its English title.
    private func fillBoxOffice(_ upstream: ReplayingUpstream) {
        UpstreamBodies.fill(upstream)
        let openings = (1...10).map { (4...6).contains($0) ? "2024-03-13" : "2024-04-24" }
        let entries = openings.enumerated().map { place, opening in
            UpstreamBodies.entry(rank: place + 1, "2024000\(place)", "영화 \(place + 1)", opening: opening)
        }
        upstream.on("GET", "/kobis/boxoffice/searchDailyBoxOfficeList.json", .json(UpstreamBodies.daily(entries)))
        for number in 1...10 {
            let (made, nation) = (number == 9 ? 1998 : 2024, number == 10 ? "미국" : "한국")
            let code = "2024000\(number - 1)"
            upstream.on(
                "GET", "/kobis/movie/searchMovieInfo.json", query: ["movieCd": code],
                .json(UpstreamBodies.koreanFilm(code, "영화 \(number)", made: made, in: nation)))
            upstream.on("GET", "/images/p\(number).jpg", .image(TestPicture.jpeg(width: 600, height: 900)))
        }
        for (first, numbers) in [("2024-03-25", 1...3), ("2024-02-23", 4...6)] {
            let rows = numbers.map { UpstreamBodies.row(300 + $0, title: "영화 \($0)", poster: "p\($0).jpg") }
            upstream.on(
                "GET", "/tmdb/discover/movie", query: ["release_date.gte": first], .json(UpstreamBodies.page(rows)))
        }
        for (number, title, date) in [
            (7, "영화 7", "2023-11-11"), (8, "영화 8", "2024-04-24"), (9, "영화 9", "1998-05-01"),
            (10, "A Night on the Shore", "2024-04-24"),
        ] {
            let row = UpstreamBodies.row(300 + number, title: title, date: date, poster: "p\(number).jpg")
            upstream.on("GET", "/tmdb/search/movie", query: ["query": title], .json(UpstreamBodies.page([row])))
        }
    }

    @Test func aBoxOfficeWithTenPostersIsTwentyFiveRequestsAtMost() async throws {
        try await withUpstream { upstream in
            self.fillBoxOffice(upstream)
            try await UpstreamFixture.run(upstream, data: self.data) { fixture in
                let list = try await fixture.app.get("/box-office/daily?date=2024-05-04")
                #expect(list.results.list.count == 10 && upstream.requests.count == 1)
                let urls = try list.results.list.map { try #require($0.poster.url.text) }
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for url in urls { group.addTask { try await fixture.app.picture(url).status } }
                    for try await status in group { #expect(status == 200) }
                }
                #expect(upstream.requestCount(to: "/tmdb/discover/movie") == 2, "once for each month")
                let searches = fixture.requests(of: .tmdb).filter { $0.path.hasSuffix("/search/movie") }
                #expect(
                    searches.compactMap { $0.query["query"] }.sorted()
                        == ["A Night on the Shore", "영화 10", "영화 7", "영화 8", "영화 9"])
                #expect(searches.allSatisfy { $0.query["primary_release_year"] == nil })
                let details = upstream.requests.filter { $0.path == "/kobis/movie/searchMovieInfo.json" }
                #expect(details.compactMap { $0.query["movieCd"] }.sorted() == ["20240008", "20240009"])
                #expect((1...10).allSatisfy { upstream.requestCount(to: "/images/p\($0).jpg") == 1 })
                #expect(upstream.requests.count == 20, "\(upstream.requests.map { "\($0.path) \($0.query)" })")
            }
        }
    }

    @Test func detailsAndVideosAreOneRequest() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let video =
                #"{"id":"v1","key":"abcdefghijk","site":"YouTube","type":"Trailer","name":"예고편","iso_639_1":"ko"}"#
            let details = UpstreamBodies.details(301).dropLast() + #","videos":{"results":[\#(video)]}}"#
            upstream.on("GET", "/tmdb/movie/301", .json(String(details)))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                let film = try await fixture.app.get("/movies/tmdb:301")
                #expect(film.title.text == "갯마을의 밤")
                #expect(try await fixture.app.get("/movies/tmdb:301/videos").videos.list.count == 1)
                for part in ["credits", "releases", "poster-candidates"] {
                    _ = try await fixture.app.get("/movies/tmdb:301/\(part)")
                }
                #expect(upstream.requests.map(\.path) == ["/tmdb/movie/301"])
            }
        }
    }

    @Test func imagesAndOffersAreOneRequestForAllLanguages() async throws {
        try await withUpstream { upstream in
            UpstreamBodies.fill(upstream)
            let posters = ["ko", "en"].map {
                #"{"file_path":"/\#($0).jpg","width":600,"height":900,"iso_639_1":"\#($0)"}"#
            }
            let pictures = #"{"id":301,"backdrops":[],"logos":[],"posters":[\#(posters.joined(separator: ","))]}"#
            upstream.on("GET", "/tmdb/movie/301/images", .json(pictures))
            let provider = #"{"provider_id":8,"provider_name":"Netflix","display_priority":0,"logo_path":"/n.jpg"}"#
            upstream.on(
                "GET", "/tmdb/movie/301/watch/providers",
                .json(#"{"id":301,"results":{"KR":{"flatrate":[\#(provider)]},"JP":{"rent":[\#(provider)]}}}"#))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for language in ["ko", "en", "ja"] {
                    var app = fixture.app
                    app.language = language
                    let images = try await app.get("/movies/tmdb:301/images?kind=poster")
                    #expect(images.images.list.count == 2)
                    for country in ["KR", "JP"] {
                        let offers = try await app.get("/movies/tmdb:301/offers?country=\(country)")
                        #expect(offers.offers.list.count == 1)
                    }
                }
                #expect(
                    upstream.requests.map(\.path).sorted()
                        == ["/tmdb/movie/301/images", "/tmdb/movie/301/watch/providers"])
            }
        }
    }

    @Test func homesOfTwoRegionsAreTwoLists() async throws {
        try await withUpstream { upstream in
            self.fillLists(upstream)
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                for region in ["KR", "JP", "KR"] {
                    let home = try await fixture.app.get("/movies/home?language=en&region=\(region)")
                    #expect(home.sections.list.count == 4)
                }
                for region in ["KR", "JP"] {
                    let requests = upstream.requests.filter { $0.query["region"] == region }
                    #expect(Set(requests.map(\.path)) == Set(Self.lists.map { "/tmdb/movie/\($0)" }))
                }
                #expect(upstream.requests.count == 8)
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
