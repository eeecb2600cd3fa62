import InternetAddress
import PosterTesting
import Testing

@testable import HTTPFetch

@Suite(.timeLimit(.hang)) struct AddressGuardTests {
    @Test(
        "a public address is admitted",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e",
            "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "2001:0:4136:e378:8000:63bf:f7f7:f7f7",
            "2606::5efe:808:808", "2606::5eff:7f00:1",
        ]
    )
    func admitted(text: String) throws {
        #expect(AddressGuard(allowsPrivate: false).admits(try #require(IPAddress(text))))
    }

    @Test(
        "an address that is not public is refused, unless private ones are allowed",
        arguments: [
            "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255", "168.63.129.16", "2001:2::1", "2001:10::1", "198.51.100.1", "203.0.113.1", "240.0.0.1",
            "255.255.255.255",
            "::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "2001:db8::1", "3fff::1", "100::1",
            "4000::1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:0:10.1.2.3", "::127.0.0.1", "::8.8.8.8",
            "2002:7f00:1::1", "2002:c0a8:101::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::808:808",
            // Teredo: ~127.0.0.1 and ~10.0.0.1.
            "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001:0:4136:e378:8000:63bf:f5ff:fffe",
            "2606::5efe:7f00:1", "2606::200:5efe:10.0.0.1", "fe80::5efe:8.8.8.8",
        ]
    )
    func refused(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!AddressGuard(allowsPrivate: false).admits(address))
        #expect(AddressGuard(allowsPrivate: true).admits(address))
    }

    @Test(
        "what is no single host is refused always",
        arguments: [
            "0.0.0.0", "0.1.2.3", "224.0.0.1", "239.255.255.255", "::", "::2", "ff02::1", "ff0e::1", "::ffff:0.0.0.0",
            "::ffff:224.0.0.1", "2002:e000:1::1", "64:ff9b::", "2606::5efe:224.0.0.1",
        ]
    )
    func neverAdmitted(text: String) throws {
        #expect(!AddressGuard(allowsPrivate: true).admits(try #require(IPAddress(text))))
    }

    @Test(
        "bytes that are no IP address are refused",
        arguments: [[], [2], [2, 0, 0, 80], [1, 0, 47, 120], [10, 0, 0, 80, 1]]
    )
    func otherFamilies(bytes: [UInt8]) {
        bytes.withUnsafeBytes { #expect(AddressGuard(allowsPrivate: true).refusal(of: $0) != nil) }
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

    private func guardian(
        of host: String, mayBePrivate: Bool = true, isPublicOnly: Bool = false,
        _ change: (inout FetchConfiguration) -> Void = { _ in }
    ) -> AddressGuard {
        var configuration = FetchConfiguration()
        configuration.allowedPrivateHosts = ["named.test", "169.254.1.1", "[fe80::1]"]
        configuration.allowedPrivateNetworks = [IPNetwork("10.0.0.0/8")!]
        change(&configuration)
        return AddressGuard(configuration, host: host, mayBePrivate: mayBePrivate, isPublicOnly: isPublicOnly)
    }

    @Test(
        "a host that is named may be private, but link-local only by its address",
        arguments: [
            ("named.test", "192.168.0.1", true), ("named.test", "169.254.1.1", false), ("named.test", "fe80::1", false),
            ("named.test", "fd00::1", true),
            ("169.254.1.1", "169.254.1.1", true), ("[fe80::1]", "fe80::1", true), ("named.test", "224.0.0.1", false),
            ("other.test", "192.168.0.1", false), ("other.test", "10.1.1.1", true), ("other.test", "8.8.8.8", true),
            ("169.254.1.2", "169.254.1.2", false),
        ])
    func namedHost(host: String, address: String, isAdmitted: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(self.guardian(of: host).admits(address) == isAdmitted)
        // Neither names nor networks count for a redirect from a public host, and for a URL of a stranger.
        for guardian in [
            self.guardian(of: host, mayBePrivate: false), self.guardian(of: host, isPublicOnly: true),
            self.guardian(of: host, isPublicOnly: true) { $0.allowPrivateAddresses = true },
        ] {
            #expect(guardian.admits(address) == (address.reach == .global))
        }
        for mayBePrivate in [true, false] {
            let guardian = self.guardian(of: "a.test", mayBePrivate: mayBePrivate) { $0.allowPrivateAddresses = true }
            #expect(guardian.admits(address) == (address.reach != .none))
        }
    }

    @Test("a guard is for private addresses, too, unless it is for public ones only")
    func publicOnly() {
        var configuration = FetchConfiguration()
        configuration.allowPrivateAddresses = true
        #expect(AddressGuard(configuration, host: "a.test", mayBePrivate: true).allowsPrivate)
        #expect(!AddressGuard(configuration, host: "a.test", mayBePrivate: true, isPublicOnly: true).allowsPrivate)
    }

    @Test("a host is known to be private by its name, or by all of its addresses")
    func knownPrivate() throws {
        let (inside, outside, global) = try (
            #require(IPAddress("10.1.1.1")), #require(IPAddress("192.168.0.1")), #require(IPAddress("8.8.8.8"))
        )
        #expect(self.guardian(of: "named.test").isKnownPrivate([]))
        #expect(self.guardian(of: "named.test").isKnownPrivate([global]))
        #expect(!self.guardian(of: "named.test", mayBePrivate: false).isKnownPrivate([inside]))
        let other = self.guardian(of: "other.test") { $0.allowedPrivateNetworks.append(IPNetwork("8.0.0.0/8")!) }
        #expect(other.isKnownPrivate([inside]) && other.isKnownPrivate([inside, inside]))
        for addresses in [[], [outside], [inside, outside], [global], [inside, global]] {
            #expect(!other.isKnownPrivate(addresses), "\(addresses)")
        }
    }

    @Test("the bytes of a socket address are those of its family, as long as it is")
    func socketAddresses() {
        var v4 = [UInt8](repeating: 0, count: 16)
        (v4[0], v4[4], v4[5], v4[6], v4[7]) = (2, 10, 1, 2, 3)
        var v6 = [UInt8](repeating: 0, count: 28)
        (v6[0], v6[8], v6[23]) = (10, 0xfd, 1)
        let refusal = { (bytes: ArraySlice<UInt8>) in
            bytes.withUnsafeBytes { AddressGuard(allowsPrivate: false).refusal(of: $0) }
        }
        #expect(refusal(v4[...]) == "10.1.2.3" && refusal(v6[...]) == "fd00::1")
        #expect(refusal(v4.dropLast()) == "not an IP address" && refusal(v6.dropLast()) == "not an IP address")
        v4[4] = 9
        #expect(refusal(v4[...]) == nil)
    }
}
