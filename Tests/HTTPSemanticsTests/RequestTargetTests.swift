import Testing

@testable import HTTPSemantics

struct RequestTargetTests {
    @Test func aPlusIsASpaceOnlyWhereFormsAreRead() throws {
        let target = RequestTarget("/movies/search?query=a+b%2Bc")
        #expect(try target.parameters(plusIsSpace: true).map(\.value) == ["a b+c"])
        #expect(try target.parameters().map(\.value) == ["a+b+c"])
    }

    @Test(
        "only paths in other services' formats have no empty segments",
        arguments: [
            ("/compat//tmdb/3/", ["compat", "tmdb", "3"]), ("//compat", ["compat"]), ("//t///p/", ["t", "p"]),
            ("/compat", ["compat"]), ("/t/p/w92/%2F.jpg", ["t", "p", "w92", "%2F.jpg"]),
            ("/t//x/", ["t", "", "x", ""]),
            ("//metrics", ["", "metrics"]), ("/metrics/", ["metrics", ""]), ("/compatible/", ["compatible", ""]),
            ("/", [""]), ("//", ["", ""]), ("/x/compat//", ["x", "compat", "", ""]),
        ])
    func segments(target: String, segments: [String]) {
        let target = RequestTarget(target + "?a=//")
        #expect(target.segments.map(String.init) == segments)
        #expect(target.text.hasSuffix("?a=//"))
    }

    @Test(
        "a target is a path and a query, also in absolute form",
        arguments: [
            ("/a/b?c", "/a/b"), ("http://a.test/x?y", "/x"), ("HTTPS://A.Test/x#y?z", "/x"), ("http://a.test", "/"),
            ("https://a.test?b=/c", "/"), ("http://a.test#b/c", "/"), ("https:///x", "/x"), ("ftp://a.test/x", ""),
            ("a.test/x", ""), ("*", ""), ("", ""), ("/a#b?c=1", "/a"), ("/\u{301}x/", "/%CC%81x/"),
        ])
    func paths(target: String, path: String) {
        #expect(RequestTarget(target).path == path)
    }

    @Test(
        "parameters keep their order, and only their first equals sign separates",
        arguments: [
            ("/?b=1&a=2&b", ["b:1", "a:2", "b:"]), ("/?a=b=c", ["a:b=c"]), ("/?=x", [":x"]), ("/?&&a=", ["a:"]),
            ("/?%61=%3D%26", ["a:=&"]), ("/", []), ("/?", []), ("/?a#b=1", ["a:"]), ("https://a.test?b=1", ["b:1"]),
            ("/?é=한&=\u{301}", ["é:한", ":\u{301}"]),
        ])
    func parameters(target: String, parameters: [String]) throws {
        #expect(try RequestTarget(target).parameters().map { "\($0.name):\($0.value)" } == parameters)
    }

    @Test("bytes that clients should have percent-encoded are encoded")
    func visible() {
        let target = RequestTarget("/한/\u{301}?a=é%C3")
        #expect(target.text == "/%ED%95%9C/%CC%81?a=%C3%A9%C3")
        #expect(target.segments == ["%ED%95%9C", "%CC%81"])
    }

    @Test(
        "malformed percent-encoding in a query, and more than 30 combining marks in a row, are problems",
        arguments: [
            "/?a=%", "/?%zz=1", "/?a=1&b=%C3", "/?a=a\(String(repeating: "%CC%81%CC%96", count: 16))",
            "/?\(String(repeating: "\u{301}", count: 31))=1",
        ])
    func malformed(target: String) {
        let problem = #expect(throws: Problem.self) { try RequestTarget(target).parameters() }
        #expect(problem?.kind == .invalidParameter)
    }
}
