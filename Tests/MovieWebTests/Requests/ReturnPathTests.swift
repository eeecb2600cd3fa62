import Testing

@testable import MovieWeb

struct ReturnPathTests {
    @Test(arguments: [
        "/", "/films/tmdb:603", "/search?q=%E3%84%B4&language=ko", "/my/favourites?page=2#films", "/a//b",
        "/?x=//evil.test",
    ])
    func pathsOfThisSiteAreTaken(text: String) {
        #expect(ReturnPath(text)?.description == text)
    }

    @Test(arguments: [
        "", "//evil.test", "///evil.test", "/\\evil.test", "\\\\evil.test", "https://evil.test/", "evil.test",
        "javascript:alert(1)",
        "/\t/evil.test", "/\n", "/a b", "/é", " /", "/\u{0}", "http:/a", "?a", "#a", "/a\\..\\b",
        "/\r\nSet-Cookie: a=b",
        "/" + String(repeating: "a", count: 2048), "/\u{7F}",
    ])
    func whatABrowserCouldTakeForAnotherSiteIsNot(text: String) {
        #expect(ReturnPath(text) == nil)
    }

    @Test func parametersAreAddedInFrontOfTheFragment() {
        let path = ReturnPath("/my/favourites#films")
        #expect(path?.adding("a", "1").description == "/my/favourites?a=1#films")
        #expect(path?.adding("a", "1").adding("b", "2").description == "/my/favourites?a=1&b=2#films")
    }

    @Test func parametersAreRead() {
        let path = ReturnPath("/search?q=a+b%26c&language=ja#language=ko")
        #expect(
            path?.parameter("q") == "a b&c" && path?.parameter("language") == "ja" && path?.parameter("page") == nil)
        #expect(ReturnPath("/search?q=%GG")?.parameter("q") == nil)
    }

    @Test func signingInLeadsBackInTheSameLanguage() {
        let path = ReturnPath.signIn(returningTo: ReturnPath("/films/tmdb:603?language=ja") ?? .home)
        #expect(path.description == "/sign-in?language=ja&return=%2Ffilms%2Ftmdb%3A603%3Flanguage%3Dja")
        #expect(ReturnPath.signIn(returningTo: .home, isAgain: true).description == "/sign-in?note=again&return=%2F")
    }
}
