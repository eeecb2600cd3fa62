import Testing

@testable import UpstreamClient

struct PlainTextTests {
    @Test(
        "markup, entities and marks are gone",
        arguments: [
            ("<b>그것</b>", "그것"), ("The <b>It</b> <b>Crowd</b>", "The It Crowd"), ("a &lt; b", "a < b"),
            ("5 < 6 > 4", "5 < 6 > 4"), ("<Heat>", "<Heat>"), ("<부산행>", "<부산행>"), ("Tom &amp; Jerry", "Tom & Jerry"),
            ("&amp;#26469;&amp;#65533;", "来\u{FFFD}"), ("&#x6765;", "来"), ("&unknown; &", "&unknown; &"),
            ("&amp;amp;amp;", "&amp;"), ("a<br/>b", "a\nb"), ("<a href=\"x\">link</a>", "link"),
            (" !HS 부산행 !HE ", "부산행"), (" !HS 살인의 !HE   !HS 추억 !HE ", "살인의 추억"),
            (" !HS 기생 !HE 충", "기생충"), (" 평원의 대결", "평원의 대결"), ("<b></b>", nil), (" ", nil), ("&nbsp;", nil),
            ("&#0;&#27;x", "&#0;&#27;x"), ("&#xD800;", "&#xD800;"),
        ] as [(String, String?)])
    func plain(text: String, expected: String?) {
        #expect(PlainText.of(text) == expected)
    }

    @Test func partsOfAListAreTrimmedAndNotEmpty() {
        #expect(PlainText.parts(of: "이름|다른 이름 |", separator: "|") == ["이름", "다른 이름"])
        #expect(PlainText.parts(of: "Action, Adventure,N/A", separator: ",") == ["Action", "Adventure"])
        #expect(PlainText.parts(of: nil, separator: ",") == [])
    }

    @Test func longTextsOfOpenTagsAreReadInOneGo() {
        let text = String(repeating: "<", count: 20_000) + String(repeating: "&", count: 20_000)
        #expect(PlainText.of(text) == text)
    }
}
