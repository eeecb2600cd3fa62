import MovieDomain
import Testing

struct RedirectURITests {
    @Test(arguments: [
        "https://app.example/done", "http://127.0.0.1:8080/?a=1#x", "moviefinder://signed-in", "com.example.app:/x",
        "HTTPS://App.Example",
    ])
    func pagesAndAppsAreLedBackTo(text: String) {
        #expect(RedirectURI(text)?.text == text)
    }

    @Test(arguments: [
        "", "/done", "//evil.example", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x",
        "file:///etc/passwd", "blob:https://a.example/1", "https:/a.example", "https://", "https:///x",
        "https://user@a.example/", "https://a.example/\r\nSet-Cookie: a=b", "https://a.example/ b",
        "https://a.example\\@b.example/", "https://a.example/\"><script>", "1app://x", "app:", "https://ü.example/",
        "https://a.example/" + String(repeating: "a", count: 2048),
    ])
    func whatIsNeitherIsRefused(text: String) {
        #expect(RedirectURI(text) == nil)
    }

    @Test(arguments: [
        ("https://a.example/x", "https://a.example/x?t=1&approved=true"),
        ("https://a.example/x?a=b", "https://a.example/x?a=b&t=1&approved=true"),
        ("https://a.example/x?#top", "https://a.example/x?t=1&approved=true#top"),
        ("app://done#?", "app://done?t=1&approved=true#?"),
    ])
    func parametersGoIntoTheQuery(text: String, expected: String) throws {
        let address = try #require(RedirectURI(text))
        #expect(address.adding([("t", "1"), ("approved", "true")]) == expected)
    }
}
