import PosterTesting
import Testing

@testable import HTTPFetch

@Suite("Cookies of a chain of redirects", .timeLimit(.hang)) struct RedirectCookieTests {
    private static let now: Int64 = 1_700_000_000

    @Test func aChallengeByCookieIsAnsweredWithinTheChainAndForgottenAfterIt() async throws {
        try await withOrigin { origin in
            origin.on("/poster") { request in
                request.headers["cookie"] == "ok=1"
                    ? .image([1])
                    : .answer(status: 302, headers: [("Location", "/poster"), ("Set-Cookie", "ok=1; Path=/")])
            }
            let fetcher = try makeFetcher()
            for _ in 1...2 { #expect(try await fetcher.get(origin.url("/poster")).1 == [1]) }
            #expect(origin.requests(to: "/poster").map(\.headers["cookie"]) == [nil, "ok=1", nil, "ok=1"])
        }
    }

    @Test func aRetryBeginsWithoutCookies() async throws {
        try await withOrigin { origin in
            origin.on("/", .answer(status: 302, headers: [("Location", "/x"), ("Set-Cookie", "a=1")]))
            origin.on("/x", inTurn: [.status(503), .image([1])])
            try await makeFetcher().get(origin.url("/"))
            #expect(origin.requests(to: "/").map(\.headers["cookie"]) == [nil, nil])
            #expect(origin.requests(to: "/x").map(\.headers["cookie"]) == ["a=1", "a=1"])
        }
    }

    @Test func aCookieStaysWithTheHostThatSetIt() async throws {
        TestResolver.map("first.cookie.test", to: "127.0.0.1")
        TestResolver.map("second.cookie.test", to: "127.0.0.1")
        try await withOrigin { origin in
            let base = { (name: String) in "http://\(name).cookie.test:\(origin.port)" }
            origin.on(
                "/",
                .answer(status: 302, headers: [("Location", base("second") + "/there"), ("Set-Cookie", "a=1; Path=/")]))
            origin.on("/there", .redirect(to: base("first") + "/back"))
            origin.on("/back", .image([1]))
            try await makeFetcher().get(base("first") + "/")
            #expect(origin.requests(to: "/there").map(\.headers["cookie"]) == [nil])
            #expect(origin.requests(to: "/back").map(\.headers["cookie"]) == ["a=1"])
        }
    }

    @Test(
        "where a cookie is sent",
        arguments: [
            ("a=1", "http://a.test/x/z", "a=1"), ("a=1", "http://a.test/x", "a=1"), ("a=1", "http://a.test/xy", nil),
            ("a=1", "http://a.test:81/x/", "a=1"), ("a=1", "http://b.a.test/x/", nil),
            ("a=1; path=/", "http://a.test/?q=/", "a=1"), ("a=1; Path=/z", "http://a.test/z/", "a=1"),
            ("a=1; Path=z", "http://a.test/x/", "a=1"), ("a=1; Secure", "http://a.test/x/", nil),
            ("a=1; Secure", "https://a.test/x/", "a=1"), ("a=1; Domain=a.test", "http://b.a.test/x/", nil),
            ("a=1; Domain=.A.Test", "http://a.test/x/", "a=1"), ("a=1; Domain=b.a.test", "http://b.a.test/x/", nil),
            ("a=1; Domain=test", "http://b.test/x/", nil), ("a=1; Domain=other.test", "http://a.test/x/", nil),
            ("a=1; Max-Age=0", "http://a.test/x/", nil), ("a=1; Max-Age=-5", "http://a.test/x/", nil),
            ("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://a.test/x/", "a=1"),
            ("a=1; Expires=Thu, 01-Jan-1970 00:00:00 GMT", "http://a.test/x/", nil),
            ("a=1; Expires=Wed, 01 Jan 2098 00:00:00 GMT", "http://a.test/x/", "a=1"),
            (" a = \"1=2\" ;HttpOnly;SameSite=Lax", "http://a.test/x/", "a=\"1=2\""), ("a=", "http://a.test/x/", "a="),
            ("=1", "http://a.test/x/", nil), ("a", "http://a.test/x/", nil), ("", "http://a.test/x/", nil),
            ("a=\u{1}", "http://a.test/x/", nil), ("a=\u{FFFD}", "http://a.test/x/", nil),
        ] as [(String, String, String?)])
    func place(field: String, target: String, sent: String?) throws {
        var cookies = RedirectCookies()
        cookies.receive([field], from: try FetchURL.requested("http://a.test/x/y?q"), at: Self.now)
        #expect(cookies.headerLines(for: try FetchURL.requested(target)) == (sent.map { ["Cookie: \($0)"] } ?? []))
    }

    @Test func anAddressIsWithinNoDomain() throws {
        var cookies = RedirectCookies()
        let url = try FetchURL.requested("http://10.0.0.1/")
        cookies.receive(["a=1; Domain=0.0.1", "b=1; Domain=10.0.0.1"], from: url, at: Self.now)
        #expect(cookies.headerLines(for: url) == ["Cookie: b=1"])
    }

    @Test func aLaterCookieReplacesOrRemovesAnEarlierOneAndLongerPathsAreFirst() throws {
        var cookies = RedirectCookies()
        let url = try FetchURL.requested("http://a.test/x/y")
        cookies.receive(["a=1; Path=/", "b=1; Path=/x", "c=1; Path=/"], from: url, at: Self.now)
        cookies.receive(["a=2; Path=/", "c=; Path=/; Max-Age=0"], from: url, at: Self.now)
        #expect(cookies.headerLines(for: url) == ["Cookie: b=1; a=2"])
    }

    @Test func numberAndSizeAreBounded() throws {
        var cookies = RedirectCookies()
        let url = try FetchURL.requested("http://a.test/")
        cookies.receive((0..<100).map { "n\($0)=1" }, from: url, at: Self.now)
        let pairs = try #require(cookies.headerLines(for: url).first).split(separator: "; ")
        #expect(pairs.count == RedirectCookies.maxCount && pairs.last == "n99=1", "the oldest are dropped")

        cookies = RedirectCookies()
        let large = String(repeating: "x", count: RedirectCookies.maxLength - 1)
        cookies.receive(["a=\(large)x", "b=\(large)", "c=\(large.dropLast(99))", "d=1"], from: url, at: Self.now)
        let line = try #require(cookies.headerLines(for: url).first)
        #expect(!line.contains("a=") && line.utf8.count <= RedirectCookies.maxFieldLength + "Cookie: ".utf8.count)
    }
}
