import PosterOrigins
import Testing

struct OriginTemplateTests {
    @Test(
        "puts keys into URLs",
        arguments: [
            ("https://a.test/p/{key}.jpg", "heat", "https://a.test/p/heat.jpg"),
            ("https://a.test/p/{key}.jpg", "a b&c?d#e", "https://a.test/p/a%20b%26c%3Fd%23e.jpg"),
            ("https://a.test/p/{key}", "하녀", "https://a.test/p/%ED%95%98%EB%85%80"),
            ("https://a.test/p/{key}", "100%", "https://a.test/p/100%25"),
            ("https://a.test/p/{key}", "a..b;c", "https://a.test/p/a..b%3Bc"),
            ("https://a.test/p/{key}", "@evil.test", "https://a.test/p/%40evil.test"),
            ("https://a.test/p/{+key}", "a\\b", "https://a.test/p/a%5Cb"),
            ("https://a.test/p/{key}", "...", "https://a.test/p/..."),
            ("http://a.test:8080/{+key}", "x/y/z.jpg", "http://a.test:8080/x/y/z.jpg"),
            ("http://[::1]:9/{+key}", "x", "http://[::1]:9/x"),
            ("https://a.test/image?id={key}&s=l", "a=b&c", "https://a.test/image?id=a%3Db%26c&s=l"),
        ])
    func expands(template: String, key: String, url: String) throws {
        #expect(try OriginTemplate(template).url(for: key) == url)
    }

    @Test(
        "never leaves the template's host or path",
        arguments: [
            ("https://a.test/{key}", "x/y", OriginTemplate.KeyFailure.holdsSlash),
            ("https://a.test/{key}", "../\u{301}x", .holdsSlash), ("https://a.test/{+key}", "../\u{301}x", .dotSegment),
            ("https://a.test/{key}", "..", .dotSegment), ("https://a.test/{key}", ".", .dotSegment),
            ("https://a.test/{+key}", "../x", .dotSegment), ("https://a.test/{+key}", "x/../../y", .dotSegment),
            ("https://a.test/{+key}", "/evil.test/x", .emptySegment), ("https://a.test/{+key}", "x//y", .emptySegment),
            ("https://a.test/{+key}", "x/", .emptySegment),
            ("https://a.test/{key}", String(repeating: "하", count: 300), .tooLong(limit: 2048)),
        ])
    func refuses(template: String, key: String, failure: OriginTemplate.KeyFailure) throws {
        let template = try OriginTemplate(template)
        #expect(throws: failure) { try template.url(for: key) }
    }

    /// Traversals for servers that decode again, take `\` for `/`, or ignore text after a semicolon.
    static let traversals = [
        "..\\x", "x/..\\..\\y", "%2e%2e", "%2E%2e/x", "%2e%2e%2fx", "..%2fx", "..%5cx", "%252e%252e%252fx", "%25252e.",
        "..;/x", "x/..;a=b/y", "%2e%2e;/x", ".%00/x", "..%00", "..%3fx", "..%23", ".. /x", "x/.%2e", "%c0%ae%c0%ae/x",
        "..%c0%afy", "%2525252525252525252525252e",
    ]

    @Test(
        "never leaves the template's path for servers that read more into a key",
        arguments: [
            "https://a.test/{+key}", "https://a.test/{key}", "https://a.test/p/{+key}.jpg",
            "https://a.test/image?id={key}",
            "https://a.test/p-{+key}",
        ], traversals)
    func traversal(template: String, key: String) throws {
        let template = try OriginTemplate(template)
        #expect(throws: OriginTemplate.KeyFailure.self) { try template.url(for: key) }
    }

    @Test("one segment holds no slash in any encoding", arguments: ["a\\b", "a%2fb", "a%252Fb", "a%5cb", "a%255Cb"])
    func slash(key: String) throws {
        let template = try OriginTemplate("https://a.test/{key}")
        #expect(throws: OriginTemplate.KeyFailure.holdsSlash) { try template.url(for: key) }
    }

    @Test(
        "refuses what is no template, in words",
        arguments: [
            "", "a.test/{key}", "ftp://a.test/{key}", "https://a.test", "https://a.test{key}/", "https://{key}/x",
            "https://u@a.test/{key}", "https:///{key}", "https://a.test/x.jpg", "https://a.test/{key}/{key}",
            "https://a.test/{name}", "https://a.test/{key", "https://a.test/key}", "https://a.test/{key}}",
            "https://a.test/{key}#x", "https://a.test/ {key}", "https://a.test\\@b.test/{key}", "https://a.test/é{key}",
            "https://a.test?{key}/",
        ])
    func malformed(text: String) {
        let error = #expect(throws: OriginTemplate.Malformed.self) { try OriginTemplate(text) }
        #expect(error?.reason.isEmpty == false)
    }
}
