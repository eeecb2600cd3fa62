import InternetAddress
import Testing

@testable import HTTPSemantics

struct ForwardedFieldTests {
    /// All entries, from the last to the first: `-` for one without an address, `` for an empty one.
    private func entries(_ field: ForwardedField, _ value: String) -> [String] {
        let bytes = Array(value.utf8)
        var end = bytes.count
        var entries: [String] = []
        while let entry = field.lastEntry(of: bytes.span, before: &end) {
            switch entry {
            case .address(let address): entries.append(address.description)
            case .noAddress: entries.append("-")
            case .empty: entries.append("")
            }
        }
        return entries
    }

    @Test(
        "X-Forwarded-For is read from its end, with ports, brackets and zones or without",
        arguments: [
            ("192.0.2.1", ["192.0.2.1"]), ("192.0.2.1, 192.0.2.2", ["192.0.2.2", "192.0.2.1"]),
            (" 192.0.2.1\t,192.0.2.2 ", ["192.0.2.2", "192.0.2.1"]), ("192.0.2.1:4711", ["192.0.2.1"]),
            ("2001:DB8::1", ["2001:db8::1"]), ("[2001:db8::1]", ["2001:db8::1"]),
            ("[2001:db8::1]:4711", ["2001:db8::1"]), ("fe80::1%eth0", ["fe80::1"]), ("[fe80::1%25]:80", ["fe80::1"]),
            ("192.0.2.1:65535", ["192.0.2.1"]), ("192.0.2.1:_p", ["192.0.2.1"]),
            ("::ffff:192.0.2.1", ["192.0.2.1"]), ("[::ffff:c000:201]:1", ["192.0.2.1"]),
            ("", [""]), (",", ["", ""]), ("192.0.2.1,,", ["", "", "192.0.2.1"]),
        ])
    func xForwardedFor(value: String, expected: [String]) {
        #expect(self.entries(.xForwardedFor, value) == expected)
    }

    @Test(
        "what is no address is none",
        arguments: [
            "unknown", "_hidden", "localhost", "192.0.2", "192.0.2.1:", "192.0.2.1:port", "192.0.2.1:p1",
            "192.0.2.1:123456",
            "192.0.2.1.", "[192.0.2.1]", "[2001:db8::1", "2001:db8::1]", "[2001:db8::1]4711", "[2001:db8::1]:",
            "[]", "[", "[]:", ":", "::1::", "\"192.0.2.1\"", "192.0.2.1 192.0.2.2", "192.0.2.1\u{0}",
            "for=192.0.2.1", "192.0.2.1%eth0", "192.0.2.1\r\nX: y", "٣.1.1.1", "%", "192.0.2.1:_", "192.0.2.1:_a b",
            "0x7f.1", "2130706433", "1.1.1.01",
        ])
    func noAddress(value: String) {
        #expect(self.entries(.xForwardedFor, value) == ["-"])
        #expect(self.entries(.forwarded, "for=\"\(value)\"") == ["-"] || value == "\"192.0.2.1\"")
    }

    @Test(
        "Forwarded is read as RFC 7239 has it",
        arguments: [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", ["192.0.2.60"]),
            ("For=\"[2001:db8:cafe::17]:4711\"", ["2001:db8:cafe::17"]),
            ("for=192.0.2.43, for=198.51.100.17", ["198.51.100.17", "192.0.2.43"]),
            ("for=192.0.2.43,for=\"[2001:db8:cafe::17]\"", ["2001:db8:cafe::17", "192.0.2.43"]),
            ("proto=https;for=\"192.0.2.1:_port\"", ["192.0.2.1"]), ("FOR=192.0.2.1 ; host=\"a;b\"", ["192.0.2.1"]),
            ("for=192.0.2.1;", ["192.0.2.1"]), ("host=\"a,b\";for=192.0.2.1", ["192.0.2.1"]),
            ("for=[2001:db8::1]:80", ["2001:db8::1"]), ("for=unknown", ["-"]), ("for=_gazonk", ["-"]),
            ("for=\"_gazonk:_port\"", ["-"]), ("by=203.0.113.43", ["-"]), ("for=1.1.1.1;for=2.2.2.2", ["-"]),
            ("for", ["-"]), ("for=", ["-"]), ("for=\"\"", ["-"]), ("=192.0.2.1", ["-"]), (";for=192.0.2.1", ["-"]),
            ("for = 192.0.2.1", ["-"]), ("for=\"192.0.2.1\\\"\"", ["-"]), ("for=\"192.0.2.1", ["-"]),
            ("for=192.0.2.1\"", ["-"]), ("for=\"192.0.2.1\"x", ["-"]), ("192.0.2.1", ["-"]),
            ("abc=1.1.1.1;for=192.0.2.1", ["192.0.2.1"]), ("abc=192.0.2.1", ["-"]), ("fo=192.0.2.1", ["-"]),
            ("form=192.0.2.1", ["-"]), ("=1.1.1.1;for=192.0.2.1", ["-"]), ("for/192.0.2.1", ["-"]),
            ("for 192.0.2.1", ["-"]), ("host=\"a\\b\";for=192.0.2.1", ["-"]),
            ("xfor=192.0.2.1", ["-"]), ("for=192.0.2.1;;proto=http", ["-"]), ("", [""]),
        ])
    func forwarded(value: String, expected: [String]) {
        #expect(self.entries(.forwarded, value) == expected)
    }

    @Test(
        "forged entries do not change the proxy's entry after them",
        arguments: [
            "for=\"", "\"", "for=\"1.1.1.1", "for=\"\\", "\\\"", "for=1.1.1.1;x=\"", ",,\",", "for=\"a,b", "\u{0}", "é",
        ])
    func inventions(beginning: String) {
        let proxy = "for=192.0.2.1;by=\"[2001:db8::1]\""
        #expect(self.entries(.forwarded, "\(beginning), \(proxy)").first == "192.0.2.1")
        #expect(self.entries(.xForwardedFor, "\(beginning), 192.0.2.1").first == "192.0.2.1")
    }
}
