import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieWeb

/// The badges that a visitor has chosen, in a cookie and on pages.
@Suite(.timeLimit(.hang))
struct BadgeSettingTests {
    private func fixture() throws -> WebFixture {
        let fixture = try WebFixture()
        let film = MovieServicesFixture.summary("heat-1995", title: "Heat")
        fixture.catalogue.set([film], for: .list(.popular))
        return fixture
    }

    @Test(arguments: [
        ("imdb.rt~top~bar~source", "&badges=imdb,rt&badge-position=top&badge-style=bar&badge-colours=source"),
        ("imdb", "&badges=imdb"), ("tmdb~bottom~pill~value", "&badges=tmdb"),
        ("rt.imdb.rt.tmdb.sample", "&badges=rt,imdb,tmdb"), ("imdb.evil~left~round~red~more", "&badges=imdb"),
    ])
    func aCookieIsReadAsFarAsItIsKnown(_ value: String, _ query: String) throws {
        let badges = try #require(BadgeSetting.badges(value, .scripted()))
        #expect(badges.query == query)
        #expect(BadgeSetting.badges(BadgeSetting.value(of: badges), .scripted()) == badges)
    }

    @Test(arguments: [
        "", "~top", "evil", "imdb,rt", "\"imdb\"", "imdb&text=x", String(repeating: "imdb.", count: 60),
    ])
    func aCookieWithoutKnownSitesIsNone(_ value: String) {
        #expect(BadgeSetting.badges(value, .scripted()) == nil)
    }

    @Test func pagesHaveNoBadgesByDefault() async throws {
        let fixture = try self.fixture()
        for path in ["/", "/lists/popular", "/films/heat-1995"] {
            for cookie in [nil, "onesheet_badges=evil", "onesheet_badges="] as [String?] {
                var headers: HTTPFields = [:]
                headers[.cookie] = cookie
                let page = try await fixture.ask(.get, path, headers: headers)
                #expect(page.text.contains("src=\"/poster/") && !page.text.contains("badges="), "\(path)")
                #expect(page.headers[.cacheControl]?.hasPrefix("public") == true, "\(path)")
                #expect(page.headers[.vary]?.contains("Cookie") == true, "\(path)")
            }
        }
    }

    @Test func chosenBadgesAreInAllURLsOfPostersAndThePageIsTheVisitors() async throws {
        let fixture = try self.fixture()
        for path in ["/", "/lists/popular", "/films/heat-1995", "/lists/popular?part=1"] {
            let plain = try await fixture.ask(.get, path)
            let page = try await fixture.ask(.get, path, headers: [.cookie: "onesheet_badges=imdb.rt~top"])
            let url = "/poster/sample:heat-1995?w=240&amp;badges=imdb,rt&amp;badge-position=top"
            #expect(page.text.contains("src=\"\(url)\" srcset=\"\(url) 240w\""), "\(path)")
            #expect(page.headers[.cacheControl] == "private, no-cache", "\(path)")
            #expect(page.headers[.vary]?.contains("Cookie") == true, "\(path)")
            let tag = try #require(page.headers[.eTag])
            #expect(tag != plain.headers[.eTag], "\(path)")
            let again = try await fixture.ask(
                .get, path, headers: [.cookie: "onesheet_badges=imdb.rt~top", .ifNoneMatch: tag])
            #expect(again.status == 304, "\(path)")
            let other = try await fixture.ask(
                .get, path, headers: [.cookie: "onesheet_badges=tmdb", .ifNoneMatch: tag])
            #expect(other.status == 200 && other.text.contains("badges=tmdb"), "\(path)")
        }
    }

    @Test func aStoredPageIsNotOneOfAnotherSetting() async throws {
        var fixture = try self.fixture()
        fixture.services.sharedResponseLifetime = .seconds(60)
        for cookie in ["onesheet_badges=imdb", nil, "onesheet_badges=rt", nil] as [String?] {
            var headers: HTTPFields = [:]
            headers[.cookie] = cookie
            let page = try await fixture.ask(.get, "/lists/popular", headers: headers)
            let badges = cookie.map { "badges=\($0.split(separator: "=")[1])" }
            #expect(page.text.contains("badges=") == (badges != nil))
            #expect(badges.map { page.text.contains($0) } ?? true)
        }
    }

    @Test func pagesWithoutPostersStayPublic() async throws {
        let page = try await self.fixture().ask(.get, "/about", headers: [.cookie: "onesheet_badges=imdb"])
        #expect(page.headers[.cacheControl]?.hasPrefix("public") == true)
    }

    @Test func theFormStoresAndRemovesTheSetting() async throws {
        let fixture = try self.fixture()
        let stored = try await fixture.send(
            "/badges",
            [
                "token": "0", "return": "/badges?badge1=rt", "badges": "rt,evil,imdb", "position": "top",
                "style": "round", "on": "1",
            ])
        #expect(stored.status == 303 && stored.headers[.location] == "/badges?badge1=rt")
        #expect(
            stored.cookies["onesheet_badges"] == "rt.imdb~top~~; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax")
        let others: [KeyValuePairs<String, String>] = [
            ["on": "0", "badges": "rt"], ["on": "1", "badges": "evil"], ["on": "1"],
        ]
        for fields in others {
            let removed = try await fixture.send("/badges", fields, cookie: "onesheet_badges=rt")
            #expect(removed.status == 303 && removed.headers[.location] == "/badges")
            #expect(removed.cookies["onesheet_badges"]?.hasPrefix("; Path=/; Max-Age=0") == true)
        }
    }

    @Test func anotherSiteChangesNothing() async throws {
        let answer = try await self.fixture().send(
            "/badges", ["on": "1", "badges": "rt"], headers: [.fetchSite: "cross-site"])
        #expect(answer.status == 403 && answer.cookies["onesheet_badges"] == nil)
    }
}
