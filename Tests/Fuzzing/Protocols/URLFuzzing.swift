@testable import HTTPFetch
@testable import HTTPSemantics
@testable import HTTPServer
@testable import PosterAPI
@testable import PosterOrigins
@testable import PosterPipeline

extension FuzzTarget {
    /// URLs of remote pictures: the normal form is stable, and libcurl finds the same host in it.
    static let urls = FuzzTarget(
        "urls",
        words: [
            "http://", "https://", "HTTP://", ":80", ":443", ":", "@", "/", "//", "/../", "/./", "%2e", "%2E%2e", "%2f",
            "%5c", "%252e",
            "%c0%ae", "%00", "%7F", "?", "#", "\\", "[::1]", "[::ffff:1.2.3.4]", "localhost", "127.1", "0x7f",
            "a.example", ";", "&", "=",
            "+", "%20", " ", "é", "xn--", "{key}", "{+key}",
        ],
        seeds: [
            "https://image.example/a/b.jpg?c=d", "http://Example.ORG:80/%7Ea/%2e%2e%2fb",
            "https://[2001:DB8::1]:8443/x",
            "http://a.example", "https://a.example/a%20b?x=%C3%A9&y", "https://cdn.example/{+key}?v=1",
            "http://1.2.3.4:65535/",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? URLPrefix(text)
        _ = PublicURL(text)
        if let template = try? OriginTemplate(text) { expand(template, text) }
        _ = FetchURL.shown(text)
        if let base = FetchURL("https://a.example/b/c") { _ = try? base.redirected(to: text) }
        guard let url = try? RemoteURL(text) else { return }
        check((try? RemoteURL(url.text)) == url, "the normal form \(url.text) is not stable")
        check(!url.text.utf8.contains { $0 <= 0x20 || $0 >= 0x7F }, "the normal form has bytes that must be encoded")
        check(url.path.utf8.first == UInt8(ascii: "/"), "the path has no leading slash")
        check(!PercentEncoding.mayHoldDotSegment(url.path.utf8), "the path holds a dot segment")
        guard let id = try? PosterID(source: PosterID.urlSource, key: url.text) else {
            return check(false, "a URL is no id")
        }
        check((try? id.normal()) == id, "the id is not in normal form")
        if let prefix = try? URLPrefix(url.origin) {
            check(prefix.allows(url) == url.query.isEmpty, "a prefix differs")
        }
        // libcurl rejects some hosts, such as addresses with a zone; it must not find another one.
        guard let fetched = FetchURL(url.text) else { return }
        let authority = "\(fetched.scheme)://\(fetched.host)"
        let isOwn = fetched.port == (fetched.isTLS ? 443 : 80)
        check(
            url.origin == authority + (isOwn ? "" : ":\(fetched.port)") || isNumeric(fetched.host),
            "libcurl reads \(fetched.text) for \(url.text)")
    }

    /// libcurl writes addresses in their normal form, as the guard checks them.
    private static func isNumeric(_ host: String) -> Bool { FetchURL.literalAddress(host) != nil }

    private static func expand(_ template: OriginTemplate, _ text: String) {
        for key in ["a", "a/b", "..", "%2e", text] {
            guard let url = try? template.url(for: key) else { continue }
            check(template.covers(url), "\(url) is not covered by its template")
            check(url.utf8.count <= OriginTemplate.maxLength, "a URL is too long")
        }
    }
}
