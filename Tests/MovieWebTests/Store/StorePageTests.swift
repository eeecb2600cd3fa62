import HTTPTypes
import MovieDomain
import MovieHTTP
import PosterTesting
import Testing

@testable import MovieWeb

struct StorePageTests {
    private func fixture(_ store: ScriptedStore) throws -> WebFixture {
        var fixture = try WebFixture()
        fixture.services.store = store
        return fixture
    }

    private func apps(_ count: Int) throws -> [StoreApp] {
        try (1...count).map { try StoreApp.sample("app-\($0)", name: "App \($0)") }
    }

    @Test func theAppOfTheDayStandsBeforeTheOthers() async throws {
        let answer = try await self.fixture(ScriptedStore(try self.apps(8))).ask(.get, "/store?language=en")
        #expect(answer.status == 200 && answer.headers[.cacheControl]?.contains("max-age=300") == true)
        let outline = HTMLOutline(answer.text)
        #expect(outline.headings.map(\.text) == ["Apps", "App of the day", "More apps"])
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        let links = outline.links.filter { $0.hasPrefix("/store/") }
        #expect(links == (1...6).map { "/store/app-\($0)?language=en" })
        #expect(answer.text.contains("<p class=\"app-about\">First paragraph.</p>"))
        #expect(answer.text.contains("Paper Moon · Games") && answer.text.contains("GET"))
        #expect(outline.all("img").allSatisfy { $0["alt"] == "" && $0["width"] != nil && $0["height"] != nil })
        #expect(!outline.all("p").contains { $0["data-more"] != nil })
    }

    @Test func aStoreWithoutAppsHasItsSearch() async throws {
        let answer = try await self.fixture(ScriptedStore()).ask(.get, "/store?q=%20&language=en")
        let outline = HTMLOutline(answer.text)
        #expect(answer.status == 200 && outline.headings.map(\.text) == ["Apps"])
        #expect(outline.all("input").contains { $0["name"] == "q" && $0["type"] == "search" })
        #expect(outline.all("input").contains { $0["name"] == "language" && $0["value"] == "en" })
    }

    @Test func resultsComeInPages() async throws {
        let store = ScriptedStore(try self.apps(50))
        let fixture = try self.fixture(store)
        let steps = { (target: String) in
            let outline = HTMLOutline(try await fixture.ask(.get, target).text)
            return ["prev", "next"].map { relation in outline.all("a").first { $0["rel"] == relation }?["href"] }
        }
        #expect(try await steps("/store?q=a&language=en") == [nil, "/store?q=a&amp;page=2&amp;language=en"])
        #expect(try await steps("/store?q=a&page=2") == ["/store?q=a", "/store?q=a&amp;page=3"])
        #expect(try await steps("/store?q=a&page=3") == ["/store?q=a&amp;page=2", nil])
        #expect(store.asked == ["a 0 20", "a 20 20", "a 40 20"])
        let last = try await fixture.ask(.get, "/store?q=a&page=3&language=en")
        #expect(HTMLOutline(last.text).links.count { $0.hasPrefix("/store/") } == 10)
        #expect(last.text.contains("Search for “a”") && last.text.contains("data-grid"))
    }

    @Test func nothingFoundIsSaidWithTheTerm() async throws {
        let answer = try await self.fixture(ScriptedStore()).ask(.get, "/store?q=%3Cb%3E%22&language=en")
        #expect(answer.status == 200 && answer.text.contains("No app found for “&lt;b&gt;&quot;”."))
        #expect(answer.text.contains("value=\"&lt;b&gt;&quot;\"") && !answer.text.contains("<b>\""))
    }

    @Test(
        "a page after the last one leads to an existing one",
        arguments: [
            (3, "page=2", "/store?q=a&language=en"), (0, "page=9", "/store?q=a&language=en"),
            (3, "page=52", "/store?q=a&page=51&language=en"),
        ])
    func afterTheLastPage(count: Int, query: String, location: String) async throws {
        let fixture = try self.fixture(ScriptedStore(count == 0 ? [] : try self.apps(count)))
        let answer = try await fixture.ask(.get, "/store?q=a&language=en&\(query)")
        #expect(answer.status == 302 && answer.headers[.location] == location)
    }

    @Test(arguments: ["q=a&page=0", "q=a&page=x", "q=\(String(repeating: "a", count: 201))"])
    func whatCannotBeAskedForIsRefused(query: String) async throws {
        let store = ScriptedStore()
        #expect(try await self.fixture(store).ask(.get, "/store?\(query)").status == 400)
        #expect(store.asked.isEmpty)
    }
}
