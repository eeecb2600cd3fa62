import HTTPTypes
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieHTTP
@testable import MovieWeb

struct ListPageTests {
    private static let korean: HTTPFields = [.acceptLanguage: "ko"]

    private let fixture: WebFixture

    init() throws { self.fixture = try WebFixture() }

    /// Films `film-1`, `film-2`…
    private func films(_ count: Int) throws -> [MovieSummary] {
        try (1...count).map { number in
            let id = try #require(MovieID("film-\(number)"))
            return try #require(MovieSummary(id: id, title: "Film \(number)", year: 1920 + number))
        }
    }

    /// The URLs of the films, in order.
    private func cards(_ text: String) -> [String] {
        text.matches(of: /<h3[^>]*><a href="([^"]+)"/).map { String($0.output.1) }
    }

    private func links(_ relation: String, _ text: String) -> [String] {
        text.matches(of: /<a [^>]*rel="([a-z]+)" href="([^"]+)"/).filter { $0.output.1 == relation }
            .map { String($0.output.2).replacing("&amp;", with: "&") }
    }

    @Test(
        "every list has a page",
        arguments: [
            ("now-playing", ScriptedCatalogue.Question.list(.nowPlaying), "Now playing"),
            ("popular", .list(.popular), "Popular"), ("top-rated", .list(.topRated), "Top rated"),
            ("upcoming", .list(.upcoming), "Upcoming"), ("trending-day", .trending(.day), "Trending today"),
            ("trending-week", .trending(.week), "Trending this week"),
        ])
    func lists(path: String, question: ScriptedCatalogue.Question, heading: String) async throws {
        self.fixture.catalogue.set(try self.films(3), for: question)
        let page = try await self.fixture.ask(.get, "/lists/\(path)?language=en")
        #expect(page.status == 200)
        #expect(page.text.contains("<h1 dir=\"auto\">\(heading)</h1>") && page.text.contains("3 films"))
        #expect(self.cards(page.text) == (1...3).map { "/films/film-\($0)?language=en" })
        #expect(self.fixture.catalogue.asked == [question])
        // The other lists are linked, and this one is marked as current.
        for list in FilmList.allCases { #expect(page.text.contains("href=\"\(list.path)?language=en\"")) }
        #expect(page.text.contains("href=\"/lists/\(path)?language=en\" aria-current=\"page\""))
        // So is the entry of the navigation.
        #expect(page.text.contains("<a href=\"/lists/popular?language=en\" aria-current=\"page\">Lists</a>"))
    }

    @Test func theLanguageIsTheBrowsersAndLinksCarryNone() async throws {
        self.fixture.catalogue.set(try self.films(1), for: .list(.popular))
        let page = try await self.fixture.ask(.get, "/lists/popular", headers: Self.korean)
        #expect(page.text.contains("<html lang=\"ko\">") && page.text.contains(">인기</h1>"))
        #expect(self.cards(page.text) == ["/films/film-1"])
        #expect(page.headers[.vary]?.contains("Accept-Language") == true)
        #expect(self.fixture.catalogue.languages.map(\.first) == [.korean])
    }

    @Test func pagesLeadToTheirNeighboursAndKeepTheLanguage() async throws {
        self.fixture.catalogue.set(try self.films(45), for: .list(.popular))
        let first = try await self.fixture.ask(.get, "/lists/popular?language=en&utm_source=x")
        #expect(self.links("prev", first.text).isEmpty)
        #expect(self.links("next", first.text) == ["/lists/popular?page=2&language=en"])
        let second = try await self.fixture.ask(.get, "/lists/popular?page=2&language=en")
        #expect(self.links("prev", second.text) == ["/lists/popular?language=en"])
        #expect(self.links("next", second.text) == ["/lists/popular?page=3&language=en"])
        #expect(second.text.contains("Page 2 of 3"))
        let last = try await self.fixture.ask(.get, "/lists/popular?page=3&language=en")
        #expect(self.links("next", last.text).isEmpty && self.cards(last.text).count == 5)
    }

    @Test(
        "a page after the last one leads to the last one",
        arguments: [
            (21, "page=9&region=KR", "page=2&region=KR&language=en"), (21, "page=3", "page=2&language=en"),
            (20, "page=2", "language=en"), (0, "page=7", "language=en"),
            // The catalogue has at most 500 pages.
            (21, "page=501", "page=500&language=en"), (21, "page=9223372036854775807", "page=500&language=en"),
        ])
    func afterTheLastPage(count: Int, query: String, place: String) async throws {
        self.fixture.catalogue.set(count == 0 ? [] : try self.films(count), for: .list(.popular))
        let page = try await self.fixture.ask(.get, "/lists/popular?language=en&\(query)")
        #expect(page.status == 302 && page.headers[.location] == "/lists/popular?\(place)")
        #expect(page.headers[.cacheControl] == "no-store")
    }

    @Test func aPartAfterTheLastPageIsEmptySoThatScriptsAppendNothing() async throws {
        self.fixture.catalogue.set(try self.films(21), for: .list(.popular))
        let part = try await self.fixture.ask(.get, "/lists/popular?language=en&page=9&part=1")
        #expect(part.status == 200 && self.cards(part.text).isEmpty && !part.text.contains("Page 9"))
        #expect(self.links("next", part.text).isEmpty)
        #expect(self.links("prev", part.text) == ["/lists/popular?page=2&language=en"])
    }

    @Test(
        "an address that means nothing is refused",
        arguments: [
            ("/lists/best", 404, "now-playing, popular"), ("/lists/popular?page=0", 400, "page must be"),
            ("/lists/popular?page=x", 400, "page must be"),
            ("/lists/popular?page=99999999999999999999", 400, "from 1 to 500"),
        ])
    func refusals(target: String, status: Int, words: String) async throws {
        let answer = try await self.fixture.ask(.get, target)
        #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
        #expect(self.fixture.catalogue.asked.isEmpty)
    }

    @Test func aSourceThatFailsIsAProblemAndNoEmptyList() async throws {
        self.fixture.catalogue.fail(
            .list(.popular), with: .unavailable(.embedded, reason: "it is off"))
        let answer = try await self.fixture.ask(.get, "/lists/popular")
        #expect(answer.status == 502)
    }

    @Test func theRegionIsForTheCatalogue() async throws {
        _ = try await self.fixture.ask(.get, "/lists/upcoming?region=JP")
        #expect(self.fixture.catalogue.regions == [.japan])
    }

    @Test func postersOfServedFilmsAreReported() async throws {
        let served = EventRecorder()
        var fixture = self.fixture
        fixture.services.listServed = { films, _, _, _ in served.add(films.map(\.key).joined(separator: " ")) }
        fixture.catalogue.set(try self.films(2), for: .list(.popular))
        _ = try await fixture.ask(.get, "/lists/popular")
        #expect(served.all == ["film-1 film-2"])
    }

    @Test func onlyTheFirstPostersAreLoadedAtOnce() async throws {
        self.fixture.catalogue.set(try self.films(8), for: .list(.popular))
        let page = try await self.fixture.ask(.get, "/lists/popular")
        #expect(page.text.matches(of: /fetchpriority="high"/).count == 1)
        #expect(page.text.matches(of: /loading="lazy"/).count == 5)
    }

    @Test func titlesAreTextWhateverTheyHold() async throws {
        let id = try #require(MovieID("film-1"))
        let hostile = "<script>alert(1)</script>\"\u{301} onload='x' {{t.skip}}"
        let film = try #require(MovieSummary(id: id, title: hostile))
        self.fixture.catalogue.set([film], for: .list(.popular))
        let page = try await self.fixture.ask(.get, "/lists/popular")
        #expect(!page.text.contains("<script>alert") && page.text.contains("&lt;script&gt;alert(1)"))
        #expect(page.text.contains("&quot;\u{301} onload=&#39;x&#39; {{t.skip}}"))
    }
}
