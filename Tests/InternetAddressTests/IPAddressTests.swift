import InternetAddress
import Testing

@Suite struct IPAddressTests {
    @Test(
        "an address is written in its canonical form, however it was",
        arguments: [
            ("10.0.0.1", "10.0.0.1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::", "::"),
            ("::ffff:10.0.0.1", "::ffff:10.0.0.1"), ("::ffff:a00:1", "::ffff:10.0.0.1"),
            ("0000:0000:0000:0000:0000:ffff:192.168.100.228", "::ffff:192.168.100.228"),
        ])
    func canonical(text: String, canonical: String) {
        #expect(IPAddress(text)?.description == canonical)
    }

    @Test(
        "what is no address is not read",
        arguments: [
            "", " ", "10.0.0", "10.0.0.256", "010.0.0.1", "0x0a.0.0.1", "167772161", "10.0.0.1 ", " 10.0.0.1",
            "10.0.0.1\0", "10.0.0.1\0.2", "::1%eth0", "[::1]", ":::", "2001:db8::1::2", "1:2:3:4:5:6:7:8:9", "٣.1.1.1",
            "0000:0000:0000:0000:0000:ffff:192.168.100.2288",
        ])
    func malformed(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func anIPv4AddressInIPv6sClothesIsOneOfIPv4() {
        #expect(IPAddress("::ffff:10.0.0.1")?.unmapped == IPAddress("10.0.0.1"))
        #expect(IPAddress("::ffff:0:10.0.0.1")?.unmapped == IPAddress("::ffff:0:a00:1"))
        #expect(IPAddress("::10.0.0.1")?.unmapped == IPAddress("::a00:1"))
        #expect(IPAddress("10.0.0.1")?.unmapped == IPAddress("10.0.0.1"))
    }
}
