import HTTPTesting
import MovieDomain
import Testing

@testable import MovieCompatibility

struct NaverTextTests {
    @Test(arguments: [
        ("유전자 과일", "유전", "<b>유전</b>자 과일"), ("그것이 그것이 온다면", "그것", "<b>그것</b>이 <b>그것</b>이 온다면"),
        ("The Matrix", "matrix", "The <b>Matrix</b>"), ("살인의 추억", "추억 살인", "<b>살인</b>의 <b>추억</b>"),
        ("Tom & Jerry <3", "jerry", "Tom &amp; <b>Jerry</b> &lt;3"), ("Heat", "x", "Heat"), ("", "a", ""),
        ("aaa", "aa", "<b>aa</b>a"), ("A  B", " a ", "<b>A</b>  B"), ("</b>", "b", "&lt;/<b>b</b>&gt;"),
    ])
    func whatWasLookedForIsBold(title: String, query: String, expected: String) {
        #expect(NaverText.title(title, query: query) == expected)
    }

    @Test func namesEndWithALine() {
        #expect(NaverText.names(["토니 콜렛", "", "A|B & C", "D|\u{301}"]) == "토니 콜렛|A B &amp; C|D \u{301}|")
        #expect(NaverText.names([]) == "")
    }

    @Test func daysAreThoseOfSeoul() {
        #expect(NaverDate.text(Instant(secondsSince1970: 1_542_587_867)) == "Mon, 19 Nov 2018 09:37:47 +0900")
        #expect(NaverDate.text(Instant(secondsSince1970: 1_735_657_200)) == "Wed, 01 Jan 2025 00:00:00 +0900")
    }

    @Test(arguments: [
        ("?query=a", nil), ("?query=a+b%20c", nil), ("?query=a&sort=sim&genre=1&country=KR", nil),
        ("?query=a&yearfrom=2000&yearto=2001", nil), ("", "SE01"), ("?query=", "SE01"), ("?query=%20+", "SE01"),
        ("?query=a&display=0", "SE02"), ("?query=a&display=101", "SE02"), ("?query=a&display=x", "SE02"),
        ("?query=a&start=0", "SE03"), ("?query=a&start=1001", "SE03"), ("?query=%FF", "SE06"), ("?query=%2", "SE06"),
        ("?query=a&yearfrom=2000", "SE01"), ("?query=a&yearfrom=2001&yearto=2000", "SE01"),
    ])
    func whatNaverWouldRefuseIsRefused(query: String, code: String?) {
        var found: String?
        do throws(NaverFault) {
            _ = try NaverQuery("/v1/search/movie.json\(query)")
        } catch {
            found = error.code
        }
        #expect(found == code)
    }
}
