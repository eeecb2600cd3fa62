import InternetAddress
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct AllowedNetworkTests {
    @Test(
        "what is in an allowed network is admitted, through translators too",
        arguments: [
            ("10.1.2.3", true), ("64:ff9b::a01:203", true), ("::ffff:10.1.2.3", true), ("fd00::1", true),
            ("10.2.0.0", false), ("64:ff9b::a02:1", false), ("2002:a01:203::1", false), ("127.0.0.1", false),
            ("0.0.0.0", false), ("224.0.0.1", false), ("ff02::1", false), ("8.8.8.8", true),
        ]
    )
    func allowed(text: String, isAdmitted: Bool) throws {
        let networks = try ["10.1.0.0/16", "fd00::/16", "224.0.0.0/4", "ff00::/8", "0.0.0.0/8"].map {
            try #require(IPNetwork($0))
        }
        let address = try #require(IPAddress(text))
        #expect(AddressGuard(allowsPrivate: false, networks: networks).admits(address) == isAdmitted)
    }

    @Test func aPrefixOfNAT64IsAllowedAsAWhole() throws {
        let networks = [try #require(IPNetwork("64:ff9b:1::/48"))]
        let address = try #require(IPAddress("64:ff9b:1::a01:203"))
        #expect(!AddressGuard(allowsPrivate: false).admits(address))
        #expect(AddressGuard(allowsPrivate: false, networks: networks).admits(address))
    }

    @Test func aHostThatIsNamedMayBePrivateAndNoOther() async throws {
        TestResolver.map("named.private.test", to: "127.0.0.1")
        TestResolver.map("other.private.test", to: "127.0.0.1")
        try await withOrigin { origin in
            origin.on("/", .redirect(to: "http://other.private.test:\(origin.port)/secret"))
            origin.on("/open", .image([1]))
            let fetcher = try makeFetcher {
                $0.allowPrivateAddresses = false
                $0.allowedPrivateHosts = ["named.private.test"]
            }
            let base = "http://named.private.test:\(origin.port)"
            #expect(try await fetcher.get(base + "/open").0.status == 200)
            await #expect(throws: FetchError.addressRefused("127.0.0.1")) { try await fetcher.get(base + "/") }
            #expect(origin.requestCount(to: "/secret") == 0)
        }
    }

    @Test func aNetworkThatIsAllowedCanBeConnectedTo() async throws {
        try await withOrigin { origin in
            origin.on("/", .image([1]))
            let network = try #require(IPNetwork("127.0.0.0/8"))
            let fetcher = try makeFetcher {
                $0.allowPrivateAddresses = false
                $0.allowedPrivateNetworks = [network]
            }
            #expect(try await fetcher.get(origin.url("/")).0.status == 200)
        }
    }
}
