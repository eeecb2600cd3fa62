import HTTPTypes
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import MovieHTTP

/// The languages of responses about films.
@Suite(.timeLimit(.hang))
struct FilmLanguageTests {
    @Test(
        "reads what browsers accept, the favourite first",
        arguments: [
            ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", ["ko", "en"]), ("en;q=0.5, ja", ["ja", "en"]),
            ("en;q=0, ja;q=0.1", ["ja"]), ("*", ["ko"]), ("fr, *;q=0.5", ["fr", "ko"]), ("de;q=0.2,de;q=0.9", ["de"]),
            ("de;q=0.2,fr;q=0.5,de;q=0.9", ["de", "fr"]),
            ("", []), (";;;,,,", []), ("klingon", []), ("en;q=2", []), ("en;q=x,ja", ["ja"]), ("en ; q = 0.3", ["en"]),
            ("zh-Hant-TW", ["zh"]), (String(repeating: "xx,", count: 1000) + "en", ["xx"]), ("en;q=nan", []),
        ])
    func acceptLanguage(value: String, codes: [String]) {
        #expect(AcceptLanguage(value, any: .korean).languages.map(\.code) == codes)
    }

    @Test func theParameterWinsAndThenNothingElseMatters() async throws {
        let fixture = FilmFixture()
        try await fixture.serve { server in
            let named = try await server.get("/genres?language=ja-JP", headers: ["Accept-Language": "en"])
            #expect(named.headers["vary"] == nil)
            let negotiated = try await server.get("/genres", headers: ["Accept-Language": "en, fr;q=0.5"])
            #expect(negotiated.headers["vary"] == "Accept-Language")
            let silent = try await server.get("/genres")
            #expect(silent.headers["vary"] == "Accept-Language", "another client may say something")
            let list = try await server.get("/movies/lists/popular?language=en")
            #expect(list.headers["vary"] == nil, "all clients get the same")
            let both = try await server.get("/movies/lists/popular")
            #expect(both.headers["vary"] == "Accept-Language")
        }
        let asked = fixture.catalogue.languages.map { $0.languages.map(\.code) }
        #expect(asked == [["ja"], ["en", "fr"], ["en"], ["en"], ["en"]])
    }
}
