import HTTPSemantics
import Testing

@testable import PosterAPI

struct URLPrefixTests {
    @Test(
        "a prefix ends where a segment does",
        arguments: [
            ("https://good.test", "https://good.test/", true), ("https://good.test", "https://GOOD.test:443/a", true),
            ("https://good.test", "https://good.test.evil.test/", false),
            ("https://good.test", "http://good.test/", false),
            ("https://good.test", "https://good.test:444/", false), ("https://good.test", "https://goo.test/", false),
            ("https://good.test", "https://sub.good.test/", false), ("https://good.test", "https://good.testa/", false),
            ("https://good.test/a", "https://good.test/a", true),
            ("https://good.test/a", "https://good.test/a/b", true),
            ("https://good.test/a/", "https://good.test/a/b", true),
            ("https://good.test/a/", "https://good.test/a", true),
            ("https://good.test/a", "https://good.test/ab", false),
            ("https://good.test/a", "https://good.test/A", false),
            ("https://good.test/a", "https://good.test/%61/b", true),
            ("https://good.test/a", "https://good.test/?/a", false),
            ("https://good.test/a?", "https://good.test/?/a", false),
            ("https://good.test/a", "https://good.test/a/b?c", false),
            ("https://good.test/a", "https://good.test/a?", false),
            ("https://good.test/a?", "https://good.test/a/b?c", true),
            ("https://good.test/a?", "https://good.test/a/b", true),
            ("https://good.test/a/?", "https://good.test/a/b?c", true),
            ("https://good.test?", "https://good.test/?c", true),
            ("https://good.test/a", "https://good.test/a%2Fb", false),
            ("https://good.test/a", "https://good.test/b/a", false),
            ("https://good.test/é", "https://good.test/%c3%a9/x", true),
            ("http://[::1]:80/a", "http://[::1]/a/x", true),
        ])
    func prefixes(prefix: String, url: String, isAllowed: Bool) throws {
        #expect(try URLPrefix(prefix).allows(try RemoteURL(url)) == isAllowed)
    }

    @Test func aPrefixHasNoQueryOfItsOwn() {
        #expect(throws: RemoteURL.Malformed(reason: "has a query")) { try URLPrefix("https://a.test/?b") }
    }
}
