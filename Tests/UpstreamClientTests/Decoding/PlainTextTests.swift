import MovieDomain
import Testing

@testable import UpstreamClient

@Suite(.timeLimit(.minutes(1)))
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
            ("&#0;&#27;x", "&#0;&#27;x"), ("&#xD800;", "&#xD800;"), ("&amp", "&amp"), ("&abcdefghij;", "&abcdefghij;"),
            ("a!HSb !HE c", "abc"), ("a !HS !HS b", "ab"), ("x  !HS!HS y", "x y"), ("!HS", nil), ("!H", "!H"),
            ("</b>", nil), ("<b <i>x", "x"), ("a<b><br>c", "a\nc"), ("<", "<"), ("\u{FEFF}a\u{200B}", "a"),
        ] as [(String, String?)])
    func plain(text: String, expected: String?) {
        #expect(PlainText.of(text) == expected)
    }

    @Test func partsOfAListAreTrimmedAndNotEmpty() {
        #expect(PlainText.parts(of: "이름|다른 이름 |", separator: "|") == ["이름", "다른 이름"])
        #expect(PlainText.parts(of: "Action, Adventure,N/A", separator: ",") == ["Action", "Adventure"])
        #expect(PlainText.parts(of: nil, separator: ",") == [])
    }

    @Test(
        "long texts are read in one go, whatever they repeat",
        arguments: [
            ("a<b ", "a<b "), ("<", "<"), ("<b", "<b"), ("<a>", ""), ("&", "&"), ("&x;", "&x;"), ("&amp;", "&"),
            ("!HS !HE", ""), ("!", "!"), ("🇰🇷", "🇰🇷"), (" ", ""),
        ])
    func long(part: String, expected: String) {
        let count = 100_000
        let plain = PlainText.of(String(repeating: part, count: count)) ?? ""
        #expect(plain == PlainText.trimmed(String(repeating: expected, count: count)))
    }

    @Test(
        "marks that no letter has so many of are left out, however they are written",
        arguments: ["\u{301}\u{316}", "&#769;&#790;", "&amp;#769;&amp;#790;"])
    func marks(written: String) {
        let plain = PlainText.of("a" + String(repeating: written, count: 30_000) + "b")
        #expect(plain?.unicodeScalars.count == 2 + String.combiningMarkLimit)
    }
}
