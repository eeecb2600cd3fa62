import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import Testing

@testable import MovieWeb

/// `/robots.txt` and `/sitemap.xml`.
struct SearchEngineFilesTests {
    private static let path = "/sitemap.xml"

    /// - Parameter source: The catalogue's source.
    private func fixture(
        _ source: MovieSource = .embedded, publicURL: String? = "https://films.test"
    ) throws -> (WebFixture, ScriptedCatalogue) {
        var fixture = try WebFixture()
        let catalogue = ScriptedCatalogue(source: source)
        fixture.services.catalogue = catalogue
        fixture.publicURL = publicURL.flatMap { PublicURL($0) }
        return (fixture, catalogue)
    }

    private func films(_ count: Int, _ prefix: String = "film-") throws -> [MovieSummary] {
        try (1...count).map { try PageFixture.film("\(prefix)\($0)") }
    }

    private func locations(_ xml: String) -> [String] {
        xml.matches(of: /<loc>([^<]*)<\/loc>/).map { String($0.output.1) }
    }

    @Test func allFilmsOfTheEmbeddedCatalogueAreListedInEveryLanguage() async throws {
        let (fixture, catalogue) = try self.fixture()
        catalogue.set(try self.films(45), for: .discover(FilmFilter()))
        let answer = try await fixture.ask(.get, Self.path)
        #expect(answer.status == 200 && answer.headers[.contentType] == "application/xml; charset=utf-8")
        #expect(answer.headers[.cacheControl] == "public, max-age=3600" && answer.headers[.setCookie] == nil)
        let locations = self.locations(answer.text)
        #expect(locations.count == 5 + FilmList.allCases.count + 45 && Set(locations).count == locations.count)
        for path in ["/", "/discover", "/lists/trending-week", "/films/film-1", "/films/film-45"] {
            #expect(locations.contains("https://films.test\(path)"), "\(path)")
        }
        for (language, address) in [
            ("ko", "/films/film-1?language=ko"), ("ja", "/films/film-1?language=ja"), ("x-default", "/films/film-1"),
        ] {
            #expect(answer.text.contains("hreflang=\"\(language)\" href=\"https://films.test\(address)\"/>"))
        }
        #expect(!answer.text.contains("lastmod"), "no source states it")
    }

    @Test func aSiteMapIsMadeOnceAndHasAnEntityTag() async throws {
        let (fixture, catalogue) = try self.fixture()
        catalogue.set(try self.films(3), for: .discover(FilmFilter()))
        let tag = try #require(try await fixture.ask(.get, Self.path).headers[.eTag])
        let again = try await fixture.ask(.get, Self.path, headers: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.text.isEmpty)
        #expect(catalogue.asked == [.discover(FilmFilter())])
    }

    @Test func otherCataloguesAreAskedForTheListsOfTheHomePageOnly() async throws {
        let (fixture, catalogue) = try self.fixture(.tmdb)
        catalogue.set(try self.films(45, "tmdb:"), for: .list(.popular))
        catalogue.set(try self.films(2, "tmdb:"), for: .list(.upcoming))
        let films = self.locations(try await fixture.ask(.get, Self.path).text).filter { $0.contains("/films/") }
        #expect(films == (1...20).map { "https://films.test/films/tmdb:\($0)" })
        #expect(Set(catalogue.asked) == Set(MovieList.allCases.map { .list($0) }) && catalogue.asked.count == 4)
    }

    @Test func aFailingSourceOmitsItsFilmsAndIsAskedAgainSoon() async throws {
        let (fixture, catalogue) = try self.fixture(.tmdb)
        for list in MovieList.allCases { catalogue.fail(.list(list), with: .tooSlow(.tmdb)) }
        let answer = try await fixture.ask(.get, Self.path)
        #expect(answer.status == 200 && answer.headers[.cacheControl] == "public, max-age=60")
        #expect(self.locations(answer.text).count == 5 + FilmList.allCases.count)
        for list in MovieList.allCases { catalogue.fail(.list(list), with: nil) }
        catalogue.set(try self.films(1, "tmdb:"), for: .list(.popular))
        #expect(try await fixture.ask(.get, Self.path).text.contains("/films/tmdb:1<"))
    }

    @Test func theNumberOfAddressesIsLimited() async throws {
        let (fixture, catalogue) = try self.fixture()
        catalogue.set(try self.films(Sitemap.limit + 50), for: .discover(FilmFilter()))
        #expect(self.locations(try await fixture.ask(.get, Self.path).text).count == Sitemap.limit)
    }

    @Test func withoutAPublicURLThereIsNoSiteMap() async throws {
        let (fixture, _) = try self.fixture(publicURL: nil)
        #expect(try await fixture.ask(.get, Self.path).status == 404)
        let robots = try await fixture.ask(.get, "/robots.txt")
        #expect(robots.status == 200 && !robots.text.contains("Sitemap:"))
        #expect(robots.text.contains("Disallow: /my/\n"))
    }

    @Test func robotsNameTheSiteMap() async throws {
        let (fixture, _) = try self.fixture(publicURL: "https://films.test/site/")
        let robots = try await fixture.ask(.get, "/robots.txt")
        #expect(robots.text.hasSuffix("\n\nSitemap: https://films.test/site/sitemap.xml\n"))
    }
}
