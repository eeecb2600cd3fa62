import PosterTesting
import Testing

@testable import HTTPFetch

/// The addresses that a fetcher connects to.
@Suite(.timeLimit(.hang)) struct ConnectedAddressTests {
    @Test(
        "whatever an address is called, the guard sees the one that is connected to",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("[::1]", "::1"),
            ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"), ("0", "0.0.0.0"), ("private.rebind.test", "127.0.0.1"),
            ("private6.rebind.test", "fd00::1"),
        ]
    )
    func spellings(host: String, address: String) async throws {
        TestResolver.map("private.rebind.test", to: "127.0.0.1")
        TestResolver.map("private6.rebind.test", to: "fd00::1")
        try await withOrigin { origin in
            let fetcher = try Fetcher()
            await #expect(throws: FetchError.addressRefused(address)) {
                try await fetcher.get("http://\(host):\(origin.port)/")
            }
            #expect(origin.acceptedConnectionCount == 0)
        }
    }

    @Test("a public host cannot redirect to a private one", arguments: ["127.0.0.1", "inner.rebind.test"])
    func redirect(host: String) async throws {
        TestResolver.map("outer.rebind.test", to: TestResolver.publicAddress)
        TestResolver.map("inner.rebind.test", to: "127.0.0.1")
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "http://\(host):\(origin.port)/secret"))
            origin.on("/open", .image([1]))
            let (fetcher, base) = (try Fetcher(), "http://outer.rebind.test:\(origin.port)")
            #expect(try await fetcher.get(base + "/open").0.status == 200)
            await #expect(throws: FetchError.addressRefused("127.0.0.1")) { try await fetcher.get(base + "/") }
            #expect(origin.requestCount(to: "/secret") == 0)
        }
    }
}
