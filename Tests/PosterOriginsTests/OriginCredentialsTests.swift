import Testing

@testable import PosterOrigins

struct OriginCredentialsTests {
    @Test(
        "credentials go to URLs of their source's template alone",
        arguments: [
            ("https://a.test/posters/x.jpg", 1), ("https://b.test/posters/x.jpg", 0),
            ("http://a.test/posters/x.jpg", 0),
            ("https://a.test.b.test/posters/x.jpg", 0), ("https://a.test/other/x.jpg", 0),
        ])
    func ties(url: String, count: Int) throws {
        var credentials = OriginCredentials()
        let isAdded = credentials.add(name: "Authorization", value: "hidden", to: "mine")
        #expect(isAdded)
        credentials.tie(to: ["mine": try OriginTemplate("https://a.test/posters/{key}.jpg")])
        #expect(credentials.headers(for: "mine", url: url).count == count)
        #expect(credentials.headers(for: "other", url: url).isEmpty)
        #expect(!"\(credentials)".contains("hidden"))
    }
}
