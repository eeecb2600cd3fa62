import Testing

@testable import MovieWeb

struct ScalarHTMLTests {
    @Test func everyQuoteIsEscapedWhateverFollowsIt() {
        // Each of these combines with a preceding scalar to one character.
        for mark in ["\u{301}", "\u{20E3}", "\u{FE0F}", "\u{200D}"] {
            for (scalar, entity) in [("\"", "&quot;"), ("'", "&#39;"), ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;")] {
                let escaped = ScalarHTML.escape("a" + scalar + mark + "b")
                #expect(Array(escaped.unicodeScalars) == Array(("a" + entity + mark + "b").unicodeScalars))
            }
        }
    }

    @Test func controlCharactersAreLeftOutButTabsAndNewLines() {
        #expect(ScalarHTML.escape("a\u{0}b\u{1B}c\u{7F}d\u{85}e\tf\ng") == "abcde\tf\ng")
        #expect(ScalarHTML.escape("a\r\nb") == "a\nb")
    }

    @Test(arguments: [
        "밤의 노래", "مرحبا", "👩‍👩‍👧‍👦", "\u{202E}evil", "{{t.skip}}", "", String(repeating: "A", count: 300),
    ])
    func whatMeansNothingInHTMLStays(text: String) { #expect(ScalarHTML.escape(text) == text) }

    @Test func markupOfATextIsItsEscapedForm() {
        #expect(Markup("<b>").description == "&lt;b&gt;")
        #expect((Markup(html: "<b>") + Markup("&")).description == "<b>&amp;")
        #expect([Markup("a"), Markup("b")].joined().description == "a\nb")
    }
}
