import Testing

@testable import HTTPFetch

@Suite struct FetchRequestTests {
    private let request = FetchRequest(
        url: "https://a.test/3/movie?api_key=hidden-in-query",
        headers: [("If-None-Match", "x")],
        credentials: [("Authorization", "Bearer hidden-in-header")]
    )

    @Test func norAreThoseOfValidatedRequestsAndHops() throws {
        let read = try ValidatedRequest(self.request)
        let exposure = OriginTransferTime(
            Origin(read.url.origin, configuration: FetchConfiguration(), timing: FetchTiming()))
        let hop = Hop(
            request: read, url: read.url, headerLines: read.credentialLines, mayBePrivate: true, resumePoint: nil,
            exposure: exposure)
        let values: [any Sendable] = [read, hop, [read], Optional(hop) as Any as! Hop]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("hidden"), "\(text)")
            }
        }
    }

    @Test(
        "what is shown of a URL holds no secret",
        arguments: [
            ("https://a.test/x?key=hidden#y", "https://a.test/x"), ("https://u:hidden@a.test/x", "https://…@a.test/x"),
            ("https://u:hid/den@a.test/x", "https://…@a.test/x"), ("https://u:hid?den@a.test/x", "https://…"),
            ("https://u:hidden@\u{301}a.test/x", "https://…@\u{301}a.test/x"),
            ("//u:hidden@a.test", "//…@a.test"), ("u:hidden@a.test", "…@a.test"), ("poster.jpg", "poster.jpg"),
            ("https://a.test/x?mail=a@hidden", "https://a.test/x"), ("", ""),
        ]
    )
    func shown(text: String, expected: String) {
        #expect(FetchURL.shown(text) == expected)
    }

    @Test func itsCredentialsAreNotPrinted() {
        var dumped = ""
        dump(self.request, to: &dumped)
        let texts = [
            "\(self.request)", String(reflecting: self.request), "\([self.request])",
            "\(Optional(self.request) as Any)",
            String(reflecting: ["key": self.request]), dumped,
        ]
        for text in texts { #expect(!text.contains("hidden"), "\(text)") }
        #expect(texts[0] == "GET https://a.test/3/movie with credentials (Authorization)")
    }
}
