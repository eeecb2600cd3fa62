import HTTPSemantics
import Testing

struct HostFieldTests {
    @Test(
        "Host is a host with an optional port",
        arguments: [
            "", "a", "a.test", "a:", "a:0", "a:80", "a:00080", "a:65535", "127.0.0.1:8080", "[::1]", "[::1]:8080",
            "[::1]:", "x_y-z~.test", "!$&'()*+,;=", "a%20b", "%Af", " a\t", "a%20:80",
        ])
    func valid(text: String) {
        #expect(HostField.isValid(text))
    }

    @Test(
        "Host has no user, path or other text",
        arguments: [
            "a:x", "a:65536", "a:000080", "a:1:2", "a:-1", "a:+80", "[::1", "::1", "[a]", "[]", "[127.0.0.1]", "[::1]x",
            "[::1]:x", "[::1]80", "a]", "u@a", "a%", "a%2", "a%2g", "a%g2", "a b", "a/b", "a\\b", "é", "a\"", "\u{7F}",
        ])
    func invalid(text: String) {
        #expect(!HostField.isValid(text))
    }

    @Test("equal destinations have an equal normal form")
    func normal() {
        for (text, scheme, normal) in [
            ("A.Test", nil, "a.test"), (" a:80\t", nil, "a"), ("a:443", nil, "a:443"), ("a:", "https", "a"),
            ("a:443", "HTTPS", "a"), ("a:80", "https", "a:80"), ("a:80", "http", "a"), ("a:443", "http", "a:443"),
            ("[::1]:443", "https", "[::1]"), ("a:8080", "http", "a:8080"), ("", "https", ""),
        ] as [(String, String?, String)] {
            #expect(HostField.normal(text, scheme: scheme) == normal, "\(text) \(scheme ?? "")")
        }
    }
}
