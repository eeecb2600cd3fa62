import Testing

@testable import MovieWeb

struct OuterLinkTests {
    @Test(arguments: [
        ("https://apps.apple.com/kr/app/id1?mt=8&uo=4", "https://apps.apple.com/kr/app/id1?mt=8&uo=4"),
        ("HTTP://Example.ORG:80/a", "http://example.org/a"),
    ])
    func addressesOfOtherSitesHaveOneForm(text: String, form: String) {
        #expect(OuterLink(text)?.description == form)
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "//example.org/a", "/films/x", "https://", "",
        "https://u:p@example.org/",
        "https://example.org/\n", "ftp://example.org/",
    ])
    func whatLeadsNowhereIsNoLink(text: String) {
        #expect(OuterLink(text) == nil)
    }

    @Test func blankLinesMakeNoParagraphs() {
        #expect("  one \r\n\n \ttwo\u{2028}three\n".paragraphs == ["one", "two", "three"])
        #expect(" \n\n".paragraphs.isEmpty && "".paragraphs.isEmpty)
    }
}
