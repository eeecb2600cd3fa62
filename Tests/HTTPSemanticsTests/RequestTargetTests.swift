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
}
