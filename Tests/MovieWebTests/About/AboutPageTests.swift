import MovieDomain
import Testing

@testable import MovieWeb

struct AboutPageTests {
    private func page(_ target: String = "/about", version: String? = "1.2.3", off: [MovieSource: String]) throws
        -> MovieWeb.Page
    {
        let fixture = try PageFixture(source: .tmdb, off: off)
        return AboutPage(try fixture.request(target, accept: "en"), version: version).page()
    }

    @Test func everySourceIsThereWithItsState() throws {
        let html = try self.page(off: [.kobis: "--kobis-key"]).main.description
        for source in MovieSource.allCases { #expect(html.contains("<dt>\(source.name)</dt>"), "\(source)") }
        #expect(html.contains("<dt>KOBIS</dt><dd>Off</dd>"), "what is not used needs no attribution")
        #expect(html.contains("<dt>TMDB</dt><dd>In use<br><span class=\"quiet small\" lang=\"en\">This product uses"))
        #expect(html.contains("lang=\"ko\">자료: 한국영상자료원"))
        #expect(HTMLOutline(html).isOrdered && html.contains("Version 1.2.3") && html.contains("Apache License 2.0"))
    }

    @Test func withoutAVersionThereIsNone() throws {
        #expect(!(try self.page(version: nil, off: [:]).main.description.contains("Version")))
    }

    @Test func whatIsInventedIsSaidInThePagesLanguage() throws {
        let html = try self.page("/about?language=ja", off: [:]).main.description
        #expect(html.contains("lang=\"ja\">評価・レビュー"))
    }
}
