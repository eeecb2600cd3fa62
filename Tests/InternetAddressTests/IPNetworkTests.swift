import InternetAddress
import Testing

@Suite struct IPNetworkTests {
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

    @Test func theLongestTextIsANetworkAndALongerOneIsNot() {
        let address = "0000:0000:0000:0000:0000:ffff:255.255.255.255"
        #expect(IPNetwork(address + "/128") != nil)
        #expect(IPNetwork(address + "/0128") == nil)
    }

    @Test func itIsWrittenAsItIsRead() {
        #expect(IPNetwork("10.0.0.0/8")?.description == "10.0.0.0/8")
        #expect(IPNetwork("FD00::/7") == nil)
        #expect(IPNetwork("FD00:0::/16")?.description == "fd00::/16")
        #expect(IPNetwork("::1")?.description == "::1/128")
    }
}
