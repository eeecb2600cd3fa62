import FoundationEssentials
import MovieDomain
import Testing

@testable import MovieWeb

struct TitleCardTests {
    private func film(_ title: String, id: String = "tmdb:301", original: String = "") throws -> MovieSummary {
        let id = try #require(MovieID(id))
        return try #require(
            MovieSummary(id: id, title: title, originalTitle: original, originalLanguage: Language("ja")))
    }

    private func card(_ title: String, id: String = "tmdb:301", dominant: String? = nil) throws -> TitleCard {
        TitleCard(try self.film(title, id: id, original: "x"), in: .korean, dominant: dominant)
    }

    private func fills(_ markup: String) -> [SRGBColour] {
        markup.matches(of: /fill="(#[0-9a-f]{6})"/).compactMap { SRGBColour(String($0.output.1)) }
    }

    @Test func theTitleHasContrastOnEveryColour() throws {
        let dominants = ["#000000", "#ffffff", "#7a1f1f", "#f2d9a0", "#808080", "#00ff00", "no colour"]
        let cards =
            try dominants.map { try self.card("Heat", dominant: $0) }
            + (1...50).map { try self.card("Heat", id: "tmdb:\($0)") }
        for card in cards {
            let fills = self.fills(card.markup().description)
            #expect(fills.count == 3 && fills[0].contrast(with: fills[2]) >= 4.5, "\(fills)")
        }
    }

    @Test func filmsHaveTheColourOfTheirPicturesElseOneOfTheirOwn() throws {
        let fields = try (1...20).map { try self.card("Heat", id: "tmdb:\($0)").markup() }
        #expect(Set(fields).count == 20)
        #expect(try self.card("Heat") == self.card("Heat"))
        #expect(try self.card("Heat", dominant: "#7a1f1f") == self.card("Heat", id: "tmdb:9", dominant: "#7a1f1f"))
    }

    @Test func titlesAreTextWhateverTheyHold() throws {
        let card = try self.card("</svg><script>alert(1)</script> & \u{FFFF}\u{1}\"x\"")
        for text in [card.markup(label: "\"<x>").description, card.document] {
            #expect(!text.contains("<script") && !text.contains("\u{FFFF}") && !text.contains("\u{1}"))
            // Lines break after a slash.
            #expect(text.contains("&lt;/") && text.contains("svg&gt;") && text.contains("&amp;"), "\(text)")
        }
        #expect(card.markup(label: "\"<x>").description.contains("aria-label=\"&quot;&lt;x&gt;\""))
    }

    @Test func aPageCardHasNoStylesAndIsADecorationWithoutALabel() throws {
        let markup = try self.card("Heat").markup().description
        #expect(markup.contains("<svg class=\"poster\" aria-hidden=\"true\" "))
        #expect(!markup.contains("style=") && !markup.contains("xmlns") && !markup.contains("font-family"))
        let named = try self.card("Heat").markup(label: "Heat").description
        #expect(named.contains("role=\"img\" aria-label=\"Heat\"") && !named.contains("aria-hidden"))
    }

    @Test(
        "titles of scripts from right to left begin at the right",
        arguments: [("الطريق", true), ("2: שלום", true), ("Heat", false), ("히트", false), ("12", false)])
    func direction(title: String, isRightToLeft: Bool) throws {
        let markup = try self.card(title).markup().description
        #expect(markup.contains("direction=\"rtl\"") == isRightToLeft)
        #expect(markup.contains("<tspan x=\"\(isRightToLeft ? 220 : 20)\""))
    }

    @Test func theLanguageIsTheTitles() throws {
        let own = TitleCard(try self.film("千と千尋の神隠し"), in: .korean, dominant: nil)
        #expect(own.document.contains("lang=\"ja\""))
        let translated = TitleCard(try self.film("센과 치히로", original: "千と千尋"), in: .korean, dominant: nil)
        #expect(translated.document.contains("lang=\"ko\""))
    }
}
