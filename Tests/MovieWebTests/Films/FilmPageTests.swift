import HTTPSemantics
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

@Suite struct FilmPageTests {
    static let id = MovieID("heat-1995")!

    private func movie(
        title: String = "히트", homepage: String? = nil, videos: [Video] = [], overview: String = "",
        credits: Credits = Credits(cast: [], crew: []), releases: [Release] = []
    ) throws -> Movie {
        let summary = try #require(
            MovieSummary(
                id: Self.id, title: title, originalTitle: "Heat", originalLanguage: .english, overview: overview,
                releaseDate: CalendarDate("1995-12-15"), score: AudienceScore(average: 8.26, count: 12_345)))
        return Movie(
            summary: summary, tagline: "A Los Angeles crime saga", runtimeMinutes: 170, countries: [.unitedStates],
            credits: credits, homepage: homepage, videos: videos, releases: releases)
    }

    private func page(
        _ movie: Movie, _ fixture: PageFixture, target: String = "/films/heat-1995?language=en"
    ) async throws -> (page: MovieWeb.Page, html: String) {
        fixture.movies.add(movie)
        let page = try await FilmPage.page(try fixture.request(target))
        return (page, page.main.description)
    }

    @Test func aFilmIsShownWithWhatIsKnownOfIt() async throws {
        let credits = Credits(
            cast: [Credits.CastMember(name: "Al Pacino", role: "Hanna", id: PersonID("al-pacino"))],
            crew: [Credits.CrewMember(name: "Michael Mann", sourceJob: "Director", id: PersonID("michael-mann"))])
        let fixture = try PageFixture()
        let (page, html) = try await self.page(try self.movie(overview: "Two men.", credits: credits), fixture)
        #expect(page.title == "히트" && page.description == "Two men." && page.sources.contains(.embedded))
        #expect(html.contains("<p class=\"film-original quiet\" dir=\"auto\" lang=\"en\">Heat</p>"))
        #expect(html.contains("<li>1995</li><li>2 h 50 min</li>"))
        #expect(html.contains("Directed by <a href=\"/persons/michael-mann?language=en\">Michael Mann</a>"))
        #expect(html.contains("<b>8.3</b>") && html.contains("12.3K ratings"))
        #expect(html.contains("<a href=\"/persons/al-pacino?language=en\">Al Pacino</a>") && html.contains("Hanna"))
        #expect(html.contains("15 December 1995") && html.contains("A Los Angeles crime saga"))
        let outline = HTMLOutline(html)
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        #expect(outline.all("img").allSatisfy { $0["alt"] != nil && $0["width"] != nil && $0["height"] != nil })
    }

    @Test func formsOfAVisitorAreSlots() async throws {
        let (_, html) = try await self.page(try self.movie(), try PageFixture())
        for slot in [PageSlot.mark(.favourite, Self.id), .mark(.watchlist, Self.id), .rating(Self.id)] {
            #expect(html.contains(slot.markup.description))
        }
    }

    @Test func titlesNeverBecomeMarkup() async throws {
        let title = "\"\u{301} onload=x \"<script>alert(1)</script>{{t.skip}}"
        let (_, html) = try await self.page(try self.movie(title: title, overview: title), try PageFixture())
        #expect(!html.contains("<script") && !html.contains("\"\u{301}") && html.contains("&lt;script&gt;"))
        #expect(html.contains("{{t.skip}}"))
    }

    @Test func anAddressThatIsNotOfTheWebIsNoLink() async throws {
        let script = try await self.page(try self.movie(homepage: "javascript:alert(1)"), try PageFixture()).html
        #expect(script.contains("javascript:alert(1)") && !script.contains("href=\"javascript"))
        let web = try await self.page(try self.movie(homepage: "https://www.example.com/heat/"), try PageFixture()).html
        #expect(
            web.contains("<a href=\"https://www.example.com/heat/\" rel=\"external noopener\">example.com/heat</a>"))
    }

    @Test func onlyTrailersThatArePlayedInThePageNeedAFrame() async throws {
        let youtube = try #require(
            Video(id: "1", kind: .trailer, site: .youtube, key: "abcdefghijk", name: "Trailer"))
        let vimeo = try #require(Video(id: "2", kind: .trailer, site: .vimeo, key: "123", name: "Teaser"))
        let played = try await self.page(try self.movie(videos: [youtube, vimeo]), try PageFixture())
        #expect(played.page.needs.videos && played.html.contains("data-video=\"abcdefghijk\""))
        #expect(played.html.contains("https://vimeo.com/123") && played.html.contains("Playing connects to YouTube."))
        let linked = try await self.page(try self.movie(videos: [vimeo]), try PageFixture())
        #expect(!linked.page.needs.videos && !linked.html.contains("data-video"))
        #expect(linked.html.contains("Watch at Vimeo") && !linked.html.contains("Playing connects"))
    }

    @Test func whereToWatchIsSaidForTheCountryOfTheReader() async throws {
        let fixture = try PageFixture()
        fixture.movies.set(
            offers: FilmOffers(
                byCountry: [.korea: WatchOffers([.rent: [WatchOffers.Provider(id: "1", name: "Watcha")]])],
                attribution: "By JustWatch."), of: Self.id)
        let without = try await self.page(try self.movie(), fixture).html
        #expect(!without.contains("id=\"offers\""))
        let korea = try await self.page(try self.movie(), fixture, target: "/films/heat-1995?language=en&region=KR")
            .html
        #expect(korea.contains("Rent") && korea.contains("Watcha") && korea.contains("By JustWatch."))
        let japan = try await self.page(try self.movie(), fixture, target: "/films/heat-1995?language=en&region=JP")
            .html
        #expect(japan.contains("Nowhere in Japan at the moment.") && !japan.contains("Watcha"))
    }

    @Test func theReleaseInTheCountryOfTheReaderIsAFact() async throws {
        let day = try #require(CalendarDate("1996-05-18"))
        let movie = try self.movie(releases: [Release(country: .japan, date: day, kind: .theatrical)])
        let fact = "<dt>Released in Japan</dt><dd>18 May 1996</dd>"
        let japan = try await self.page(movie, try PageFixture(), target: "/films/heat-1995?language=en&region=JP")
        #expect(japan.html.contains(fact))
        let korea = try await self.page(movie, try PageFixture(), target: "/films/heat-1995?language=en&region=KR")
        #expect(!korea.html.contains("Released in"))
    }

    @Test func similarFilmsAreARowAndReviewsHaveALinkToAll() async throws {
        let fixture = try PageFixture()
        let review = Review(id: "1", author: "Ann", score: 9, content: "Great.\n\n<b>Really</b>.")
        fixture.movies.add(
            try self.movie(), reviews: [review], similar: [try PageFixture.film("thief-1981", title: "Thief")])
        let html = try await FilmPage.page(try fixture.request("/films/heat-1995?language=en")).main.description
        #expect(html.contains("/films/thief-1981?language=en") && html.contains("Similar films"))
        #expect(html.contains("/films/heat-1995/reviews?language=en") && html.contains("9 out of 10"))
        #expect(html.contains("&lt;b&gt;Really&lt;/b&gt;"))
    }

    @Test func anotherSpellingOfTheIDLeadsToTheFilm() async throws {
        let fixture = try PageFixture()
        await #expect(throws: PageRedirection(to: "/films/heat-1995?language=ko")) {
            _ = try await FilmPage.page(try fixture.request("/films/sample:heat-1995?language=ko"))
        }
    }

    @Test func anUnknownFilmIsNotShown() async throws {
        let fixture = try PageFixture()
        await #expect(throws: UnknownMovie(Self.id)) {
            _ = try await FilmPage.page(try fixture.request("/films/heat-1995"))
        }
    }
}
