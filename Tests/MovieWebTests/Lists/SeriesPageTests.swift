import HTTPTypes
import MovieDomain
import MovieTesting
import Testing

@testable import MovieHTTP
@testable import MovieWeb

struct SeriesPageTests {
    private let fixture: WebFixture

    init() throws {
        var fixture = try WebFixture()
        let collections = ScriptedPeople(source: .tmdb)
        let id = try #require(CollectionID("tmdb:10"))
        let films = try [(11, "Second", 1980), (12, "First", 1977)].map { key, title, year in
            let id = try #require(MovieID("tmdb:\(key)"))
            return try #require(MovieSummary(id: id, title: title, year: year))
        }
        let reference = try #require(CollectionReference(id: id, name: "Stars & Wars"))
        collections.add(
            FilmCollection(
                reference, overview: "A saga <of> stars.",
                films: films))
        fixture.services.showCollection = ShowCollection([collections], off: [.kobis: "--kobis-key"])
        self.fixture = fixture
    }

    @Test func filmsAreByDateBelowWhatIsSaidOfThem() async throws {
        let page = try await self.fixture.ask(.get, "/series/tmdb:10?language=en")
        #expect(page.status == 200)
        #expect(page.text.contains("<h1 dir=\"auto\">Stars &amp; Wars</h1>") && page.text.contains("2 films"))
        #expect(page.text.contains("<p dir=\"auto\">A saga &lt;of&gt; stars.</p>"))
        let titles = page.text.matches(of: /<h3[^>]*><a [^>]*>([^<]+)</).map { String($0.output.1) }
        #expect(titles == ["First", "Second"])
        #expect(!page.text.contains("rel=\"next\""))
        #expect(page.headers[.cacheControl]?.hasPrefix("public, max-age=300") == true)
        #expect(page.text.contains(MovieSource.tmdb.attribution ?? "–"))
    }

    @Test(
        "what is no series is refused",
        arguments: [("/series/x%20y", 400, "such as tmdb:10"), ("/series/tmdb:11", 404, "has no collection")])
    func refusals(target: String, status: Int, words: String) async throws {
        let answer = try await self.fixture.ask(.get, target)
        #expect(answer.status == status && answer.text.contains(words), "\(answer.text)")
    }
}
