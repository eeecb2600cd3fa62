import Testing

@testable import HTTPSemantics

struct RemoteURLTests {
    @Test(
        "has one normal form",
        arguments: [
            ("https://a.test", "https://a.test/"), ("HTTPS://A.Test/x", "https://a.test/x"),
            ("https://a.test:443/x", "https://a.test/x"), ("http://a.test:80", "http://a.test/"),
            ("http://a.test:443/x", "http://a.test:443/x"), ("http://a.test:0080/x", "http://a.test/x"),
            ("https://a.test?b", "https://a.test/?b"), ("https://a.test/%7eb%2f%c3%a9", "https://a.test/~b%2F%C3%A9"),
            ("https://a.test/é b", "https://a.test/%C3%A9%20b"), ("https://a.test/a//b", "https://a.test/a//b"),
            ("https://a.test/x?u=https://b.test/../", "https://a.test/x?u=https://b.test/../"),
            ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
            ("https://a.test/...", "https://a.test/..."),
            ("https://a_b.xn--9ca.test/<\"^`{|}>", "https://a_b.xn--9ca.test/%3C%22%5E%60%7B%7C%7D%3E"),
            ("https://a.test/%2e%2e%2e", "https://a.test/..."), ("https://a.test/a@b:c", "https://a.test/a@b:c"),
            ("https://a.test/%20", "https://a.test/%20"), ("https://a-b.test:1/", "https://a-b.test:1/"),
            ("https://a.test:65535", "https://a.test:65535/"), ("https://a.test:00443/", "https://a.test/"),
            ("https://[::FFFF:1.2.3.4]", "https://[::ffff:1.2.3.4]/"), ("https://[::]/", "https://[::]/"),
        ])
    func normalises(text: String, normal: String) throws {
        let url = try RemoteURL(text)
        #expect(url.text == normal)
        #expect(try RemoteURL(url.text) == url)
    }

    @Test(
        "refuses URLs that other parsers might read in another way",
        arguments: [
            ("", "begin with"), ("a.test/x", "begin with"), ("//a.test/x", "begin with"),
            ("ftp://a.test/", "begin with"),
            ("file:///etc/passwd", "begin with"), ("https:/a.test/", "begin with"), (" https://a.test/", "begin with"),
            ("javascript://a.test/", "begin with"), ("https://", "malformed host"), ("https:///x", "malformed host"),
            ("https://user@a.test/", "user name"), ("https://good.test@evil.test/", "user name"),
            ("https://good.test:80@evil.test/", "user name"), ("https://@a.test/", "user name"),
            ("https://a.test\\@evil.test/", "backslash"), ("https:\\\\a.test/", "backslash"),
            ("https://a.test/#b", "fragment"), ("https://a.test#@evil.test/", "fragment"),
            ("https://a.test/\n", "control"), ("https://a.test/%00", "control"),
            ("https://a.test/x?%0d%0aHost:b", "control"),
            ("https://a.test/\u{1F}", "control"), ("https://a.test/%1F", "control"),
            ("https://a.test/\u{7F}", "control"), ("https://a.test/%7F", "control"),
            ("https://a.test/../x", "'.' or '..'"), ("https://a.test/x/.", "'.' or '..'"),
            ("https://a.test/%2e%2e/x", "'.' or '..'"), ("https://a.test/%2E./x", "'.' or '..'"),
            ("https://a.test/%252e%252e/x", "'.' or '..'"), ("https://a.test/%25252e%2e/x", "'.' or '..'"),
            ("https://a.test/a%2f..%2fx", "'.' or '..'"), ("https://a.test/a%5c..%5cx", "'.' or '..'"),
            ("https://a.test/..;/x", "'.' or '..'"), ("https://a.test/..%3bx/", "'.' or '..'"),
            ("https://a.test/%zz", "percent"), ("https://a.test/%2", "percent"), ("https://a.test/%", "percent"),
            ("https://a.test:0/", "port"), ("https://a.test:65536/", "port"), ("https://a.test:/", "port"),
            ("https://a.test:000443/", "port"), ("https://a.test:+80/", "port"), ("https://a.test:8 0/", "port"),
            ("https://a.test:80:80/", "port"),
            ("https://a..test/", "malformed host"), ("https://a.test./", "malformed host"), ("https://.test/", "host"),
            ("https://a%2Etest/", "malformed host"), ("https://é.test/", "Punycode"), ("https://a test/", "host"),
            ("https://a.test,b.test/", "host"), ("https://[::1/", "host"), ("https://[]/", "host"),
            ("https://[a]/", "host"), ("https://[:]/", "host"), ("https://[1.2.3.4]/", "host"),
            ("https://[::1]a.test/", "host"), ("https://[::1%25eth0]/", "host"), ("https://a[::1]/", "host"),
            ("https://a.test/" + String(repeating: "a", count: 2048), "2048"),
            ("https://a.test/" + String(repeating: "é", count: 700), "2048"),
            ("https://a.test/" + String(repeating: "%25", count: 1) + String(repeating: "25", count: 20), "times"),
        ])
    func refuses(text: String, words: String) {
        let malformed = #expect(throws: RemoteURL.Malformed.self) { try RemoteURL(text) }
        #expect(malformed?.reason.contains(words) == true, "\(text): \(malformed?.reason ?? "")")
    }

    @Test("a URL has at most 2048 bytes, as written and in normal form")
    func length() throws {
        let start = "https://a.test/"
        let rest = 2048 - start.utf8.count
        #expect(try RemoteURL(start + String(repeating: "a", count: rest)).text.utf8.count == 2048)
        #expect(throws: RemoteURL.Malformed.self) { try RemoteURL(start + String(repeating: "a", count: rest + 1)) }
        #expect(throws: RemoteURL.Malformed.self) { try RemoteURL(start + String(repeating: "%61", count: 700)) }
        #expect(try RemoteURL(start + String(repeating: "%61", count: 600)).text.utf8.count == start.utf8.count + 600)
    }

    @Test("a host has at most 253 bytes")
    func hostLength() throws {
        let host = String(repeating: "a.", count: 126) + "a"
        #expect(try RemoteURL("https://\(host)/").origin == "https://\(host)")
        #expect(throws: RemoteURL.Malformed.self) { try RemoteURL("https://\(host)a/") }
    }
}
