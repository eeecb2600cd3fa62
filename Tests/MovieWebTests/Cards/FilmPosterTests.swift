import HTTPSemantics
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieWeb

/// Posters of films, and the title cards of films without one.
@Suite(.timeLimit(.hang))
struct FilmPosterTests {
    private func site(missing: Bool) throws -> WebFixture {
        var fixture = try WebFixture()
        fixture.services.isPosterless = { _ in missing }
        let film = try #require(MovieID("heat-1995")).summary(title: "Heat & Dust")
        fixture.catalogue.set([film], for: .list(.popular))
        return fixture
    }

    @Test func aFilmWithoutAPosterIsACardWithoutARequest() async throws {
        for path in ["/lists/popular", "/", "/films/heat-1995"] {
            let page = try await self.site(missing: true).ask(.get, path)
            #expect(page.status == 200 && page.text.contains("<svg class=\"poster\""), "\(path)")
            #expect(!page.text.contains("/poster/"), "\(path)")
        }
    }

    @Test func aFilmThatMayHaveAPosterElsewhereIsAPicture() async throws {
        for path in ["/lists/popular", "/", "/films/heat-1995"] {
            let page = try await self.site(missing: false).ask(.get, path)
            #expect(page.text.contains("src=\"/poster/") && !page.text.contains("<svg class=\"poster\""), "\(path)")
        }
    }

    @Test func theCardOfAFilmPageHasItsTitleAsName() async throws {
        let page = try await self.site(missing: true).ask(.get, "/films/heat-1995")
        #expect(page.text.contains("role=\"img\" aria-label=\"Title of heat-1995\""))
    }

    @Test func aCardIsAFileThatCachesMayStore() async throws {
        let fixture = try self.site(missing: false)
        let card = try await fixture.ask(.get, "/films/heat-1995/card.svg?language=ko")
        #expect(card.status == 200 && card.headers[.contentType] == "image/svg+xml")
        #expect(card.text.contains("<svg xmlns=") && card.text.contains("Title of"))
        #expect(card.headers[.cacheControl]?.hasPrefix("public, max-age=") == true)
        #expect(card.headers[.contentSecurityPolicy] == "default-src 'none'")
        let tag = try #require(card.headers[.eTag])
        let again = try await fixture.ask(
            .get, "/films/heat-1995/card.svg?language=ko", headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.text.isEmpty)
        #expect(try await fixture.ask(.get, "/films/unknown/card.svg?language=ko").status == 404)
        #expect(try await fixture.ask(.get, "/films/x:y/card.svg?language=ko").status == 400)
    }

    @Test func theCardOfAFilmOfARecentPageNeedsNoRequestToItsSource() async throws {
        let fixture = try self.site(missing: false)
        _ = try await fixture.ask(.get, "/lists/popular?language=ko")
        let card = try await fixture.ask(.get, "/films/heat-1995/card.svg?language=ko")
        #expect(card.text.contains("Heat &amp;"), "the list's title, not the film's: \(card.text)")
    }

    @Test func aPictureThatFailsRedirectsToTheCard() async throws {
        try await MovieServicesFixture().serveWeb { server in
            let picture = try await server.get("/poster/heat-1995?w=92&card=ko")
            #expect(picture.status == 302)
            #expect(picture.headers["cache-control"] == "public, max-age=60")
            let place = try #require(picture.headers["location"])
            #expect(place == "/films/heat-1995/card.svg?language=ko")
            #expect(try await server.get(place).text.contains("히트"))
            #expect(try await server.get("/poster/heat-1995?w=92").status == 404)
            #expect(try await server.get("/poster/heat-1995?w=92&card=1").status == 400)
        }
        try await MovieServicesFixture().run { server in
            let picture = try await server.get("/poster/heat-1995?w=92&card=ko")
            #expect(picture.status == 404, "there are no pages")
        }
    }
}

extension MovieID {
    fileprivate func summary(title: String) -> MovieSummary { MovieSummary(id: self, title: title)! }
}
