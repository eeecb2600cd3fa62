import HTTPFetch
import Testing

@Suite struct FetchRequestTests {
    private let request = FetchRequest(
        url: "https://a.test/3/movie?api_key=hidden-in-query",
        headers: [("If-None-Match", "x")],
        credentials: [("Authorization", "Bearer hidden-in-header")]
    )

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
