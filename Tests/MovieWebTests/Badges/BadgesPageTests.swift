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

/// The form, the preview and the URL of `/badges`.
@Suite(.timeLimit(.hang))
struct BadgesPageTests {
    private func fixture(allowsTexts: Bool = false) throws -> WebFixture {
        var fixture = try WebFixture()
        fixture.pictures.badgeChoices = .scripted(allowsTexts: allowsTexts)
        let film = MovieServicesFixture.summary("heat-1995", title: "Heat")
        fixture.catalogue.set([film], for: .list(.popular))
        return fixture
    }

    @Test func everyOptionHasAField() async throws {
        let page = try await self.fixture(allowsTexts: true).ask(.get, "/badges?language=en")
        #expect(page.status == 200)
        let outline = HTMLOutline(page.text)
        #expect(outline.complaints == [] && outline.repeatedIDs == [] && outline.danglingReferences == [])
        #expect(outline.isOrdered)
        let selects = ["badge1", "badge2", "badge3", "position", "style", "colours", "width"]
        #expect(outline.all("select").compactMap { $0["name"] }.filter { $0 != "" } == selects)
        let values = Set(outline.all("option").compactMap { $0["value"] })
        let choices = BadgeChoices.scripted()
        #expect(values.isSuperset(of: choices.sources + choices.positions + choices.styles + choices.colours))
        #expect(values.isSuperset(of: ["92", "342", "500"]))
        #expect(outline.first("input") { $0["name"] == "film" } != nil)
        #expect(outline.first("input") { $0["name"] == "text" }?["maxlength"] == "24")
        #expect(!outline.elements.contains { $0.text.contains("badges") && $0.name == "option" }, "a name is missing")
    }

    @Test func theFirstPreviewIsAPopularFilmWithTheSourcesScores() async throws {
        let outline = HTMLOutline(try await self.fixture().ask(.get, "/badges").text)
        let url = "/poster/sample:heat-1995?w=342&amp;badges=sample"
        #expect(outline.first("img") { $0["class"] == "poster" }?["src"] == url)
        #expect(outline.first(withID: "b-url")?["value"] == url)
        #expect(outline.first(withID: "b-url")?["readonly"] != nil)
    }

    @Test func thePreviewIsWhatTheAddressChooses() async throws {
        let page = try await self.fixture().ask(
            .get, "/badges?film=heat-1995&badge1=rt&badge3=imdb&position=top-left&style=bar&colours=source&width=500")
        let url =
            "/poster/sample:heat-1995?w=500&amp;badges=rt,imdb&amp;badge-position=top-left"
            + "&amp;badge-style=bar&amp;badge-colours=source"
        let outline = HTMLOutline(page.text)
        #expect(outline.first("img") { $0["class"] == "poster" }?["src"] == url)
        let chosen = outline.all("option") { $0["selected"] != nil }.compactMap { $0["value"] }
        #expect(chosen == ["rt", "imdb", "", "top-left", "bar", "source", "500"])
    }

    @Test func valuesThatAreNotKnownAreIgnored() async throws {
        let page = try await self.fixture().ask(
            .get, "/badges?badge1=evil&badge2=rt&position=middle&style=%22%3E&colours=red&width=99999")
        #expect(page.status == 200)
        #expect(page.text.contains("src=\"/poster/sample:heat-1995?w=342&amp;badges=rt\""))
    }

    @Test func aFormWithoutBadgesHasAPlainPreview() async throws {
        let page = try await self.fixture().ask(.get, "/badges?film=heat-1995&position=top&language=en")
        #expect(page.text.contains("src=\"/poster/sample:heat-1995?w=342\""))
        #expect(page.text.contains("No badge is chosen.") && !page.text.contains("value=\"1\""))
    }

    @Test(arguments: [
        "%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "..%2F..%2Fetc", "tmdb:%00", "x:y", "%E2%80%AE", "tt0111161",
    ])
    func hostileFilmsAreTextOnly(_ film: String) async throws {
        let page = try await self.fixture().ask(.get, "/badges?film=\(film)&badge1=rt&language=en")
        #expect(page.status == 200)
        #expect(page.text.contains("This is not the id of a film") && !page.text.contains("<img"))
        #expect(!page.text.contains("<script>alert") && HTMLOutline(page.text).complaints == [])
    }

    @Test func anUnknownFilmIsSaidSo() async throws {
        let page = try await self.fixture().ask(.get, "/badges?film=no-such-film&language=en")
        #expect(page.status == 200 && page.text.contains("There is no such film") && !page.text.contains("<img"))
    }

    @Test func aTextIsDrawnOnlyIfTheServerAllowsIt() async throws {
        let plain = try await self.fixture().ask(.get, "/badges?badge1=rt&text=4K&position=top")
        #expect(!plain.text.contains("name=\"text\"") && !plain.text.contains("text=4K&amp;badge"))
        let fixture = try self.fixture(allowsTexts: true)
        let page = try await fixture.ask(.get, "/badges?badge1=rt&text=4K%20%3Cb%3E%22&position=top&language=en")
        #expect(page.text.contains("w=342&amp;badges=rt&amp;text=4K%20%3Cb%3E%22&amp;badge-position=top\""))
        #expect(page.text.contains("value=\"4K &lt;b&gt;&quot;\"") && HTMLOutline(page.text).complaints == [])
        let refused = try await fixture.ask(.get, "/badges?badge1=rt&text=4K!&position=top&language=en")
        #expect(refused.text.contains("This text cannot be drawn") && !refused.text.contains("text=4K!&amp;badge"))
    }

    @Test func thePageShowsTheSettingAndIsTheVisitors() async throws {
        let page = try await self.fixture().ask(
            .get, "/badges?language=en", headers: [.cookie: "onesheet_badges=rt.imdb~top"])
        #expect(page.text.contains("Posters on this site show Rotten Tomatoes, critics, IMDb."))
        #expect(page.text.contains("badges=rt,imdb&amp;badge-position=top\""), "the setting is the first preview")
        #expect(page.headers[.cacheControl] == "private, no-cache")
        #expect(page.text.contains("name=\"on\" value=\"0\"") && page.text.contains("name=\"on\" value=\"1\""))
        let off = try await self.fixture().ask(.get, "/badges?language=en")
        #expect(off.text.contains("Posters on this site have no badges."))
        #expect(!off.text.contains("name=\"on\" value=\"0\"") && off.headers[.cacheControl] == "private, no-cache")
    }

    @Test func everyPageLinksToItInItsLanguage() async throws {
        let page = try await self.fixture().ask(.get, "/about?language=ja")
        #expect(page.text.contains("<a href=\"/badges?language=ja\">バッジ</a>"))
    }
}
