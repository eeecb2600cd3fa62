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
            "2606::5efe:808:808",
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
