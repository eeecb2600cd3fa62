import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieWeb

@Suite(.timeLimit(.hang))
struct HomePageTests {
    private let fixture: MovieServicesFixture

    init() throws {
        self.fixture = try MovieServicesFixture()
        self.fixture.catalogue.set(MovieServicesFixture.films(14), for: .list(.popular))
        self.fixture.catalogue.set(
            [
                MovieServicesFixture.summary("plain", title: "Without a scene"),
                MovieServicesFixture.summary(
                    "nosferatu-1922", title: "Nosferatu", overview: "A count.", year: 1922,
                    directors: ["F. W. Murnau"], hasScene: true),
            ], for: .list(.nowPlaying))
    }

    @Test func rowsHaveTheFirstFilmsOfEachListAndALinkToAll() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/")
            #expect(answer.status == 200 && answer.headers["content-type"] == "text/html; charset=utf-8")
            let page = answer.outline
            #expect(page.complaints == [])
            #expect(page.all("h2").map(\.text) == ["Now playing", "Popular"])
            #expect(page.all("li") { $0["class"] == "card" }.count == 2 + HomePage.rowLength)
            #expect(page.links.contains("/lists/now-playing") && page.links.contains("/lists/popular"))
            #expect(page.links.contains("/films/film-1") && !page.links.contains("/films/film-13"))
            #expect(page.first("title")?.text == "OneSheet")
            #expect(page.first("html")?["lang"] == "en")
        }
    }

    @Test func theFilmOfTheDayHasASceneAndIsTheFirstPictureOfThePage() async throws {
        try await self.fixture.serveWeb { server in
            let page = try await server.page("/").outline
            #expect(page.first("h1")?.text == "Nosferatu")
            let picture = try #require(page.first("img"))
            #expect(picture["fetchpriority"] == "high" && picture["loading"] == nil)
            #expect(picture["width"] == "1280" && picture["srcset"]?.contains("nosferatu-1922~1") == true)
            #expect(page.all("img").dropFirst().allSatisfy { $0["loading"] == "lazy" })
            #expect(page.first("p") { $0.text.contains("F. W. Murnau") }?.text == "1922 · F. W. Murnau")
        }
    }

    @Test func withoutAnySceneTheSiteIsTheHeading() async throws {
        self.fixture.catalogue.set([], for: .list(.nowPlaying))
        try await self.fixture.serveWeb { server in
            let page = try await server.page("/").outline
            #expect(page.complaints == [])
            #expect(page.first("h1")?.text == "OneSheet")
            #expect(page.first("section") { $0["class"] == "hero" } == nil)
        }
    }

    @Test func aListThatFailsSaysSoAndThePageIsNotStored() async throws {
        self.fixture.catalogue.fail(.list(.upcoming), with: .tooSlow(.tmdb))
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/", languages: "ja")
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            #expect(answer.outline.complaints == [])
            #expect(answer.outline.first("p") { $0["class"] == "note note-alarm" }?.text == "いまTMDBから取得できません。")
        }
    }

    @Test(arguments: [("ko", "상영 중"), ("en", "Now playing"), ("ja", "上映中"), ("fr", "Now playing")])
    func theLanguageOfTheAddressIsCarriedByEveryLink(language: String, heading: String) async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/?language=\(language)", languages: "ko")
            let page = answer.outline
            #expect(page.first("h2")?.text == heading)
            let own = page.links.filter { $0.hasPrefix("/") && $0 != "/openapi.json" }
            let switching = page.all("a") { $0["hreflang"] != nil }.compactMap { $0["href"] }
            #expect(switching == ["/?language=ko", "/?language=en", "/?language=ja"])
            #expect(own.allSatisfy { $0.hasSuffix("language=\(language)") || switching.contains($0) })
            #expect(answer.headers["vary"] == "Cookie, Accept-Encoding")
            #expect(page.first("input") { $0["name"] == "language" }?["value"] == language)
        }
    }

    @Test func withoutALanguageInTheAddressTheBrowsersDecide() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/", languages: "de, ja;q=0.8")
            #expect(answer.outline.first("html")?["lang"] == "ja")
            #expect(answer.headers["vary"] == "Accept-Language, Cookie, Accept-Encoding")
            #expect(answer.headers["content-language"] == "ja")
            #expect(answer.outline.links.filter { $0.contains("language=") }.count == 3)
        }
    }

    @Test func parametersOfOtherSitesAreIgnoredAndWrongOnesAreNot() async throws {
        try await self.fixture.serveWeb { server in
            let answer = try await server.page("/?utm_source=x&language=en")
            #expect(answer.status == 200)
            #expect(!answer.text.contains("utm_source"))
            #expect(try await server.page("/?language=%0d").status == 400)
        }
    }

    @Test func hostileTitlesAreText() async throws {
        let titles = [
            "<script>alert(1)</script>", "\"\u{301} onload=alert(1) x=\"", "'", "&amp;", "{{t.skip}}", "{{{x}}}",
            "\u{202E}evil", "مرحبا بالعالم", String(repeating: "A", count: 300), "a\u{0}b", "</title>", "]]>", " -->",
            String(repeating: "👩‍👩‍👧‍👦", count: 40),
        ]
        let films = titles.enumerated().map { place, title in
            MovieServicesFixture.summary(
                "film-\(place)", title: title, overview: title, directors: [title], hasScene: place == 0)
        }
        self.fixture.catalogue.set(films, for: .list(.popular))
        self.fixture.catalogue.set(Array(films.reversed()), for: .list(.topRated))
        self.fixture.catalogue.set(films, for: .list(.nowPlaying))
        try await self.fixture.serveWeb { server in
            let page = try await server.page("/").outline
            #expect(page.complaints == [])
            #expect(page.first("h1")?.text == "&lt;script&gt;alert(1)&lt;/script&gt;")
            #expect(page.all("script").allSatisfy { $0["src"]?.hasPrefix("/assets/") == true })
            let shown = page.all("h3").map(\.text)
            #expect(shown.contains("{{t.skip}}") && shown.contains("&amp;amp;") && shown.contains("ab"))
        }
    }
}
