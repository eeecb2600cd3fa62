import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.minutes(1))) struct IPNetworkTests {
    @Test(
        "a network holds what shares its prefix",
        arguments: [
            ("10.1.0.0/16", "10.1.255.255", true), ("10.1.0.0/16", "10.2.0.0", false),
            ("0.0.0.0/0", "255.1.2.3", true), ("10.1.2.3", "10.1.2.3", true), ("10.1.2.3/32", "10.1.2.4", false),
            ("fd00:12::/32", "fd00:12::1", true), ("fd00:12::/32", "fd00:13::1", false), ("::/0", "fe80::1", true),
            ("10.0.0.0/8", "::ffff:10.0.0.1", false),
        ]
    )
    func contains(network: String, address: String, isInside: Bool) throws {
        let (network, address) = (try #require(IPNetwork(network)), try #require(IPAddress(address)))
        #expect(network.contains(address) == isInside)
    }

    @Test(
        "what is no network is not read",
        arguments: [
            "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8", "fd00::1/64", "::/129",
            "10.0.0.0/8/8", "ten/8", "10.0.0/8",
        ]
    )
    func malformed(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test func itIsWrittenAsItIsRead() {
        #expect(IPNetwork("10.0.0.0/8")?.description == "10.0.0.0/8")
        #expect(IPNetwork("FD00::/7") == nil)
        #expect(IPNetwork("FD00:0::/16")?.description == "fd00::/16")
        #expect(IPNetwork("::1")?.description == "::1/128")
    }

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
