import HTTPTypes
import MovieDomain
import MovieHTTP
import PosterTesting
import Testing

@testable import MovieWeb

struct AppPageTests {
    private func fixture(_ apps: [StoreApp]) throws -> WebFixture {
        var fixture = try WebFixture()
        fixture.services.store = ScriptedStore(apps)
        return fixture
    }

    @Test func anAppIsShownBySections() async throws {
        let answer = try await self.fixture([try .sample()]).ask(.get, "/store/app-reel?language=en")
        #expect(answer.status == 200 && answer.headers[.cacheControl]?.contains("max-age=3600") == true)
        let outline = HTMLOutline(answer.text)
        #expect(
            outline.headings.map(\.text) == ["Reel", "Screenshots", "Description", "What’s new", "Information"])
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        for words in [
            "<p>First paragraph.</p><p>Second.</p>", "Version 5.2", "1.2K RATINGS", "<b>4.5</b>", "Reel Ltd",
            "84.2 MB", "15.0 or later", "Paper Moon · Games",
        ] {
            #expect(answer.text.contains(words), "\(words)")
        }
        #expect(answer.text.contains("<title>Reel · OneSheet</title>"))
    }

    @Test func screenshotsHaveTheirShapeAndAText() async throws {
        let answer = try await self.fixture([try .sample()]).ask(.get, "/store/app-reel?language=en")
        let shots = HTMLOutline(answer.text).all("img").filter { $0["class"]?.hasPrefix("shot") == true }
        #expect(shots.map { $0["alt"] } == ["Picture 1 of Reel", "Picture 2 of Reel"])
        #expect(shots.map { $0["width"] } == ["600", "240"] && shots.map { $0["height"] } == ["1300", "427"])
        #expect(
            shots.map { $0["sizes"] } == [
                "(min-width: 76.5rem) 12rem, (min-width: 47rem) 16vw, 8rem",
                "(min-width: 76.5rem) 15rem, (min-width: 47rem) 20vw, 9rem",
            ])
        #expect(shots.map { $0["loading"] } == [nil, "lazy"])
        #expect(shots.last?["src"]?.contains("app-reel~2") == true)
    }

    @Test(
        arguments: [
            ("https://apps.apple.com/kr/app/id1", true), ("javascript:alert(1)", false), ("not a URL", false),
            (nil, false),
        ] as [(String?, Bool)])
    func itsStoreIsLinkedWhereThatIsAnAddressOfTheWeb(url: String?, isLinked: Bool) async throws {
        let answer = try await self.fixture([try .sample(url: url)]).ask(.get, "/store/app-reel")
        let links = HTMLOutline(answer.text).all("a").filter { $0["rel"] == "external noopener" }
        #expect(links.map { $0["href"] } == (isLinked ? [url] : []))
        #expect(!answer.text.contains("javascript:"))
    }

    @Test func whatIsNotKnownIsLeftOut() async throws {
        let id = try #require(StoreAppID("app-bare"))
        let answer = try await self.fixture([try #require(StoreApp(id: id, name: "Bare"))])
            .ask(.get, "/store/app-bare?language=en")
        let outline = HTMLOutline(answer.text)
        #expect(answer.status == 200 && outline.headings.map(\.text) == ["Bare"])
        #expect(!outline.all("ul").contains { $0["class"] == "summary" } && !answer.text.contains(" · </p>"))
    }

    @Test func anotherSpellingLeadsToTheOneAddress() async throws {
        let answer = try await self.fixture([try .sample()]).ask(.get, "/store/sample:app-reel?language=ja&utm=1")
        #expect(answer.status == 301 && answer.headers[.location] == "/store/app-reel?language=ja")
    }

    @Test(arguments: [("app-nothing", 404), ("itunes:361309726", 404), ("tmdb:1", 400), ("%zz", 400)])
    func whatIsNoAppOfTheStoreIsRefused(id: String, status: Int) async throws {
        #expect(try await self.fixture([try .sample()]).ask(.get, "/store/\(id)").status == status)
    }
}
