import HTTPTypes
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

struct DiscoverPageTests {
    private let fixture: WebFixture

    init() throws { self.fixture = try WebFixture() }

    private func film(_ number: Int) throws -> MovieSummary {
        let id = try #require(MovieID("film-\(number)"))
        return try #require(MovieSummary(id: id, title: "Film \(number)"))
    }

    private func chosen(_ text: String) -> [String] {
        text.matches(of: /<option value="([^"]*)" selected>/).map { String($0.output.1) }
    }

    @Test(
        "filters of the address choose films, and are chosen in the form",
        arguments: [
            ("", FilmFilter(), ["", "", "", "popularity"]),
            (
                "&genre=horror&decade=1920&country=DE&sort=oldest",
                FilmFilter(genres: [.horror], years: 1920...1929, country: Country(code: "DE"), sort: .oldest),
                ["horror", "1920", "DE", "oldest"]
            ),
            ("&genre=horror,war", FilmFilter(genres: [.horror, .war]), ["horror,war", "", "", "popularity"]),
            // Without scripts, a form also sends fields without a choice.
            (
                "&genre=&decade=1960&country=&sort=popularity", FilmFilter(years: 1960...1969),
                ["", "1960", "", "popularity"]
            ),
            ("&keyword=tmdb:818&utm_source=x", FilmFilter(keyword: "tmdb:818"), ["", "", "", "popularity"]),
        ])
    func filters(query: String, filter: FilmFilter, chosen: [String]) async throws {
        self.fixture.catalogue.set([try self.film(1), try self.film(2)], for: .discover(filter))
        let page = try await self.fixture.ask(.get, "/discover?language=en" + query)
        #expect(page.status == 200 && page.text.contains("2 films"), "\(page.text.suffix(600))")
        #expect(self.chosen(page.text) == chosen)
        #expect(self.fixture.catalogue.asked.contains(.discover(filter)))
        #expect(page.text.contains("name=\"language\" value=\"en\""))
        #expect(page.text.contains(">Clear filters</a>") == (filter != FilmFilter()))
        #expect(page.text.contains("href=\"/discover?language=en\" aria-current=\"page\""))
    }

    @Test func theTitleNamesWhatIsChosen() async throws {
        let plain = try await self.fixture.ask(.get, "/discover?language=en")
        #expect(plain.text.contains("<title>Discover · OneSheet</title>"))
        let page = try await self.fixture.ask(.get, "/discover?language=ja&genre=horror&decade=1920&country=KR")
        #expect(page.text.contains("<title>ホラー · 1920年代 · 韓国 · 見つける · OneSheet</title>"))
    }

    @Test func theNextPageHasTheSameFilters() async throws {
        let filter = FilmFilter(genres: [.horror, .war], sort: .newest)
        self.fixture.catalogue.set(try (1...21).map(self.film), for: .discover(filter))
        let page = try await self.fixture.ask(.get, "/discover?sort=newest&genre=horror,war&language=ko")
        #expect(
            page.text.contains(
                "rel=\"next\" href=\"/discover?genre=horror%2Cwar&amp;sort=newest&amp;page=2&amp;language=ko\""))
    }

    @Test func theRegionStaysWhenFiltersAreChosenAndCleared() async throws {
        let page = try await self.fixture.ask(.get, "/discover?genre=horror&region=KR&language=en")
        #expect(page.text.contains("<input type=\"hidden\" name=\"region\" value=\"KR\">"))
        #expect(page.text.contains("href=\"/discover?region=KR&amp;language=en\""))
        let without = try await self.fixture.ask(.get, "/discover?genre=horror&language=en")
        #expect(!without.text.contains("name=\"region\""))
    }

    @Test func nothingFoundIsSaid() async throws {
        let page = try await self.fixture.ask(.get, "/discover?genre=western&language=en")
        #expect(page.status == 200 && page.text.contains("No film matches these filters."))
        #expect(self.chosen(page.text).first == "western")
    }

    @Test func withoutWhatTheCatalogueHasTheFormOffersAllAndThePageIsNotStored() async throws {
        self.fixture.catalogue.set([try self.film(1)], for: .discover(FilmFilter()))
        self.fixture.catalogue.fail(.genres, with: .unavailable(.embedded, reason: "it is off"))
        let page = try await self.fixture.ask(.get, "/discover?language=en")
        #expect(page.status == 200 && page.text.contains("<option value=\"horror\">Horror</option>"))
        #expect(page.text.contains("<option value=\"1890\">1890s</option>"))
        #expect(page.headers[.cacheControl]?.contains("no-store") == true)
    }

    @Test(
        "wrong values are refused with what is right",
        arguments: [
            ("genre=sad", "separated by commas: action"), ("decade=1995", "the first year of a decade"),
            ("country=Korea", "ISO 3166-1"), ("sort=best", "sort must be popularity, rating"),
            ("keyword=818", "the id of a keyword"), ("page=0", "page must be"),
        ])
    func refusals(query: String, words: String) async throws {
        let answer = try await self.fixture.ask(.get, "/discover?" + query)
        #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
        #expect(self.fixture.catalogue.asked.isEmpty)
    }
}
