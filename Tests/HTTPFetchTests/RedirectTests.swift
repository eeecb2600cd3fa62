import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct RedirectTests {
    @Test("a redirect is followed", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/a/old", .redirect(to: "new?x=1#top", status: status))
            origin.on("/a/new", .image([1, 2]))
            let (response, bytes) = try await makeFetcher().get(origin.url("/a/old"))
            #expect(response.finalURL == origin.url("/a/new?x=1"))
            #expect(bytes == [1, 2])
            #expect(origin.acceptedConnectionCount == 1)
        }
    }

    @Test func theBodyOfARedirectNeverReachesTheSinkAndIsNotWaitedFor() async throws {
        try await withOrigin { origin in
            let page = [UInt8](repeating: 1, count: 70_000)
            let head = OriginStep.head(status: 302, headers: [("Location", "/new"), ("Connection", "close")])
            origin.on("/old", OriginScript([head, .bytes(page), .hang]))
            origin.on("/new", .image([1, 2]))
            let (_, bytes) = try await makeFetcher().get(origin.url("/old"))
            #expect(bytes == [1, 2])
        }
    }

    @Test func aDiscardedBodyMayBeBadlyCoded() async throws {
        try await withOrigin { origin in
            let junk = Array("not gzip at all".utf8)
            let coding = (name: "Content-Encoding", value: "gzip")
            origin.on("/old", .answer(status: 302, headers: [("Location", "/new"), coding], body: junk))
            origin.on("/gone", .answer(status: 404, headers: [coding], body: junk))
            origin.on("/new", .image([1, 2]))
            let fetcher = try makeFetcher()
            let (_, bytes) = try await fetcher.get(origin.url("/old"))
            #expect(bytes == [1, 2])
            let (gone, _) = try await fetcher.get(origin.url("/gone"))
            #expect(gone.status == 404)
        }
    }

    @Test("a redirect without an address, and a 300, are answers", arguments: [300, 302])
    func answers(status: Int) async throws {
        try await withOrigin { origin in
            origin.on("/", .redirect(to: status == 300 ? "/x" : "", status: status))
            let (response, _) = try await makeFetcher().get(origin.url("/"))
            #expect(response.status == status)
        }
    }

    @Test func aLoopEnds() async throws {
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "/"))
            let fetcher = try makeFetcher()
            await #expect(throws: FetchError.tooManyRedirects(limit: 3)) { try await fetcher.get(origin.url("/")) }
            #expect(origin.requestCount(to: "/") == 4)
        }
    }

    @Test func noneIsFollowedWhenNoneIsAllowed() async throws {
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "/x"))
            let fetcher = try makeFetcher { $0.maxRedirects = 0 }
            await #expect(throws: FetchError.tooManyRedirects(limit: 0)) { try await fetcher.get(origin.url("/")) }
        }
    }

    @Test(
        "a redirect out of HTTP is refused",
        arguments: [
            ("file:///etc/passwd", "file:///etc/passwd"), ("gopher://a.test/x", "gopher://a.test/x"),
            ("http://u:p@a.test/", "http://…@a.test/"), ("file:///x?key=hidden", "file:///x"),
        ]
    )
    func forbidden(location: String, reported: String) async throws {
        try await withOrigin { origin in
            origin.on("/", .redirect(to: location))
            await #expect(throws: FetchError.badRedirect(reported)) { try await makeFetcher().get(origin.url("/")) }
        }
    }

    @Test(
        "where a location leads, nil if nowhere",
        arguments: [
            ("https://a.test/x/y", "z", "https://a.test/x/z"),
            ("https://a.test/x", "//B.test/é ü", "https://B.test/%c3%a9%20%c3%bc"),
            ("https://a.test/x", "http://a.test/x", nil),
            ("http://a.test/x", "https://a.test/x", "https://a.test/x"),
            ("http://a.test/x", "http:///y", "http://y/"),
            ("http://a.test/x", "http://a b/", nil),
            ("http://a.test/x", "/a/../real", "http://a.test/real"),
            ("http://a.test/x", "http://b.test/a/./b/../../c?d=/../e", "http://b.test/c?d=/../e"),
            ("http://a.test/b/c/d?q", "../g", "http://a.test/b/g"),
            ("http://a.test/b/c/d", "../../../g/.", "http://a.test/g/"),
            ("http://a.test/a/../b/c", "d", "http://a.test/b/d"),
            ("http://a.test/x", "/a/%2e%2E/real/%2e?%2e%2e/", "http://a.test/real/?%2e%2e/"),
            ("http://a.test/x", "/a%2e%2e/..b/%2F..", "http://a.test/a%2e%2e/..b/%2F.."),
        ] as [(String, String, String?)]
    )
    func resolution(base: String, location: String, expected: String?) throws {
        let base = try FetchURL.requested(base)
        #expect((try? base.redirected(to: location))?.text == expected)
    }

    @Test func credentialsGoToTheSameOriginOnly() async throws {
        try await withOrigin { origin in
            try await withOrigin { other in
                origin.on("/", .redirect(to: "/same"))
                origin.on("/same", .redirect(to: other.url("/")))
                other.on("/", .redirect(to: origin.url("/back")))
                origin.on("/back", .image([1]))

                try await makeFetcher().get(origin.url("/"), credentials: [("Authorization", "secret")])

                #expect(origin.requests(to: "/same").map(\.headers["authorization"]) == ["secret"])
                #expect(other.requests(to: "/").map(\.headers["authorization"]) == [nil])
                #expect(origin.requests(to: "/back").map(\.headers["authorization"]) == [nil], "gone is gone")
            }
        }
    }

    @Test func otherHeadersGoWithEveryRedirect() async throws {
        try await withOrigin { origin in
            try await withOrigin { other in
                origin.on("/", .redirect(to: other.url("/")))
                other.on("/", .status(304))
                try await makeFetcher().get(origin.url("/"), headers: [("If-None-Match", "\"a\"")])
                #expect(other.requests(to: "/").map(\.headers["if-none-match"]) == ["\"a\""])
            }
        }
    }

    @Test func anotherHostNameIsAnotherOrigin() async throws {
        TestResolver.map("one.origin.test", to: "127.0.0.1")
        TestResolver.map("two.origin.test", to: "127.0.0.1")
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "http://two.origin.test:\(origin.port)/x"))
            origin.on("/x", .image([1]))
            let url = "http://one.origin.test:\(origin.port)/"
            try await makeFetcher().get(url, credentials: [("Authorization", "secret")])
            #expect(origin.requests(to: "/x").map(\.headers["authorization"]) == [nil])
        }
    }
}
