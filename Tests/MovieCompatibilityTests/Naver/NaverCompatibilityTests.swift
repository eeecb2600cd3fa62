import HTTPTesting
import MovieCompatibility
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

/// Features of `/compat/naver` that `/v1/search/movie.json` does not have.
@Suite(.timeLimit(.hang))
struct NaverCompatibilityTests {
    private static let base = "/compat/naver/v1/search/movie"
    private static let query = "query=%EC%9C%A0%EC%A0%84"

    private static func fixture() throws -> MovieServicesFixture {
        let fixture = try MovieServicesFixture()
        let korean = LanguagePreference([.korean])
        let films = [("a", Language.korean, GenreID.drama), ("b", .english, .horror), ("c", .english, .drama)]
        let summaries = try films.map { name, language, genre in
            let id = try #require(MovieID("film-\(name)"))
            return try #require(
                MovieSummary(
                    id: id, title: "유전 <\(name)>", originalLanguage: language,
                    year: 2018, genres: [Genre(genre, in: korean)]))
        }
        fixture.catalogue.set(summaries, for: .search(try #require(MovieQuery("유전"))))
        return fixture
    }

    @Test func genresAndCountriesChooseResults() async throws {
        try await Self.fixture().run(.compatible()) { server in
            for (filter, names) in [
                ("", ["a", "b", "c"]), ("&genre=1", ["a", "c"]), ("&genre=4", ["b"]), ("&country=KR", ["a"]),
                ("&country=US&genre=1", ["c"]), ("&country=FR", []), ("&country=ETC", []),
                ("&genre=28", ["a", "b", "c"]),
            ] {
                let answer = try await server.get("\(Self.base).json?\(Self.query)\(filter)")
                let links = answer.objects("items").compactMap { $0["link"] as? String }
                #expect(links == names.map { "http://localhost/films/film-\($0)" }, "\(filter)")
                #expect(answer.json["total"] as? Int == names.count)
            }
            let original = try await server.get("/v1/search/movie.json?\(Self.query)&genre=4")
            #expect(original.objects("items").count == 3, "as it was")
        }
    }

    @Test func xmlIsRSS() async throws {
        try await Self.fixture().run(.compatible()) { server in
            let answer = try await server.get("\(Self.base).xml?\(Self.query)&display=1")
            #expect(answer.headers["content-type"] == "text/xml; charset=UTF-8")
            let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel>"
            #expect(answer.text.hasPrefix(start + "<title>Naver Open API - movie ::'유전'</title>"))
            #expect(answer.text.contains("<total>3</total><start>1</start><display>1</display><item><title>"))
            #expect(answer.text.contains("&lt;b&gt;유전&lt;/b&gt; &amp;lt;a&amp;gt;</title>"))
            #expect(answer.text.hasSuffix("</item></channel></rss>"))
        }
    }

    @Test func keysAreThoseOfTheList() async throws {
        let keys = try ClientKeys("naver id:secret")
        try await Self.fixture().run(.compatible(keys: keys)) { server in
            let target = "\(Self.base).json?\(Self.query)"
            let refused = try await server.get(target, headers: ["X-Naver-Client-Id": "id"])
            #expect(refused.status == 401 && refused.json["errorCode"] as? String == "024")
            let headers = ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"]
            let found = try await server.get(target, headers: headers)
            #expect(found.status == 200)
            #expect(found.headers["vary"] == "Host, X-Naver-Client-Id, X-Naver-Client-Secret")
            #expect(try await server.get("/v1/search/movie.json?\(Self.query)").headers["vary"] == "Host")
        }
    }

    @Test func otherAPIsAreUnknown() async throws {
        try await Self.fixture().run(.compatible()) { server in
            let answer = try await server.get("/compat/naver/v1/search/book.json?query=a")
            #expect(answer.status == 404 && answer.json["errorCode"] as? String == "SE05")
        }
    }

    @Test func whatIsSwitchedOffIsNotThere() async throws {
        try await Self.fixture().run(.compatible([.kobis])) { server in
            for (target, status) in [
                ("\(Self.base).json?\(Self.query)", 404), ("/compat/itunes/search?term=a", 404),
                ("/v1/search/movie.json?\(Self.query)", 200),
            ] {
                let answer = try await server.get(target)
                #expect(answer.status == status, "\(target)")
            }
        }
    }
}
