import InternetAddress
import PosterTesting
import Testing

@testable import HTTPFetch

/// Private hosts and networks that are allowed for requests, but not for redirects from other hosts.
@Suite(.timeLimit(.hang)) struct PrivateAddressTests {
    private static let networks = [IPNetwork("127.0.0.0/8")!]

    /// A configuration that allows addresses in addition to public ones.
    struct Exception: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout FetchConfiguration) -> Void
    }

    static let exceptions = [
        Exception(testDescription: "a host") { $0.allowedPrivateHosts = ["inner.private.test", "127.0.0.1"] },
        Exception(testDescription: "a network") { $0.allowedPrivateNetworks = Self.networks },
    ]

    @Test("a public origin cannot redirect there, not even over a pooled connection", arguments: exceptions)
    func redirectFromOutside(exception: Exception) async throws {
        TestResolver.map("outer.private.test", to: TestResolver.publicAddress)
        TestResolver.map("inner.private.test", to: "127.0.0.1")
        for host in ["inner.private.test", "127.0.0.1"] {
            try await withOrigin { origin in
                let inner = "http://\(host):\(origin.port)"
                origin.on("/", .redirect(to: inner + "/secret"))
                origin.on("/secret", .image([1]))
                let fetcher = try self.makeFetcher(exception)
                let outer = "http://outer.private.test:\(origin.port)/"
                await #expect(throws: FetchError.addressRefused("127.0.0.1")) { try await fetcher.get(outer) }
                #expect(try await fetcher.get(inner + "/secret").0.status == 200)
                await #expect(throws: FetchError.addressRefused("127.0.0.1"), "the connection is kept") {
                    try await fetcher.get(outer)
                }
                #expect(origin.requestCount(to: "/secret") == 1)
            }
        }
    }

    @Test("a private origin can", arguments: exceptions)
    func redirectFromInside(exception: Exception) async throws {
        TestResolver.map("inner.private.test", to: "127.0.0.1")
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "http://inner.private.test:\(origin.port)/next"))
            origin.on("/next", .redirect(to: origin.url("/last")))
            origin.on("/last", .image([1]))
            let fetcher = try self.makeFetcher(exception)
            for _ in 0..<2 { #expect(try await fetcher.get(origin.url("/")).0.status == 200) }
        }
    }

    @Test func aHostMayRedirectToItself() async throws {
        TestResolver.map("both.private.test", to: "127.0.0.1")
        try await withOrigin { origin in
            let base = "http://both.private.test:\(origin.port)"
            origin.on("/", .redirect(to: base + "/next"))
            origin.on("/next", .image([1]))
            let fetcher = try self.makeFetcher(
                Exception(testDescription: "") { $0.allowedPrivateHosts = ["both.private.test"] })
            #expect(try await fetcher.get(base + "/").0.status == 200)
        }
    }

    @Test(
        "a URL from an untrusted source leads to public addresses only, whatever is allowed, over pooled connections too",
        arguments: Self.exceptions + [Exception(testDescription: "everything") { $0.allowPrivateAddresses = true }])
    func strangersURL(exception: Exception) async throws {
        TestResolver.map("stranger.private.test", to: TestResolver.publicAddress)
        try await withOrigin { origin in
            origin.on("/secret", .image([1]))
            origin.on("/away", .redirect(to: origin.url("/secret")))
            let fetcher = try self.makeFetcher(exception)
            #expect(try await fetcher.get(origin.url("/secret")).0.status == 200)
            for url in [origin.url("/secret"), "http://stranger.private.test:\(origin.port)/away"] {
                await #expect(throws: FetchError.addressRefused("127.0.0.1")) {
                    try await fetcher.fetch(FetchRequest(url: url, isPublicOnly: true), into: MemorySink())
                }
            }
            #expect(origin.requestCount(to: "/secret") == 1)
        }
    }

    @Test(
        "a link-local address is allowed only if it is named itself",
        arguments: [
            ("metadata.private.test", "169.254.169.254", false), ("169.254.169.254", "169.254.169.254", true),
            ("metadata.private.test", "fe80::1", false), ("metadata.private.test", "::ffff:169.254.169.254", false),
            ("metadata.private.test", "10.0.0.1", true), ("[fe80::1]", "fe80::1", true),
        ]
    )
    func linkLocal(host: String, address: String, isAdmitted: Bool) throws {
        var configuration = FetchConfiguration()
        configuration.allowedPrivateHosts = [host]
        let address = try #require(IPAddress(address))
        #expect(AddressGuard(configuration, host: host, mayBePrivate: true).admits(address) == isAdmitted)
        #expect(!AddressGuard(configuration, host: host, mayBePrivate: false).admits(address))
        configuration.allowedPrivateNetworks = [try #require(IPNetwork("\(address)"))]
        #expect(AddressGuard(configuration, host: host, mayBePrivate: true).admits(address))
    }

    private func makeFetcher(_ exception: Exception) throws -> Fetcher {
        try HTTPFetchTests.makeFetcher {
            $0.allowPrivateAddresses = false
            exception.change(&$0)
        }
    }
}
