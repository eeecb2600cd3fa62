import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct CollectionHTTPTests {
    private static func fixture() throws -> FilmFixture {
        let fixture = FilmFixture()
        let id = try #require(CollectionID("tmdb:10"))
        let reference = try #require(
            CollectionReference(
                id: id, name: "모음", poster: PosterReference(.tmdb(file: "c.jpg")),
                backdrop: PosterReference(.tmdb(file: "d.jpg"))))
        fixture.collections.add(
            FilmCollection(reference, overview: "줄거리", films: try FilmFixture.films(2)))
        return fixture
    }

    @Test func aCollectionHasItsFilms() async throws {
        let fixture = try Self.fixture()
        try await fixture.serve { server in
            let answer = try await server.get("/collections/tmdb:10?language=ko")
            #expect(answer.status == 200 && answer.json["id"] as? String == "tmdb:10", "\(answer.text)")
            #expect(answer.json["name"] as? String == "모음" && answer.json["overview"] as? String == "줄거리")
            #expect(answer.json["source"] as? String == "tmdb")
            #expect(answer.objects("films").map { $0["id"] as? String } == ["film-1", "film-2"])
            #expect(answer.json["attribution"] as? [String] == [MovieSource.tmdb.attribution ?? ""])
            #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=300,") == true)
            #expect(answer.headers["etag"] != nil)
            let marked = try await server.get("/collections/tmdb:10?marks=true")
            #expect(marked.objects("films").map { $0["isFavourite"] as? Bool } == [false, false])
        }
        #expect(fixture.collections.languages.first?.first == .korean)
    }

    @Test(arguments: [
        ("/collections/tmdb:11", 404, "unknown-collection"), ("/collections/sagas", 404, "unknown-collection"),
        ("/collections/kobis:1", 400, "invalid-id"), ("/collections/tmdb:x", 400, "invalid-id"),
        ("/collections/a%2Fb", 400, "invalid-id"), ("/collections/tmdb:10?page=1", 400, "invalid-parameter"),
        ("/collections", 404, "not-found"),
    ])
    func whatIsNotThereHasItsProblem(target: String, status: Int, problem: String) async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get(target)
            #expect(answer.status == status && answer.problem == problem, "\(answer.text)")
        }
    }

    @Test func aFailureOfTheSourceIsTheAnswer() async throws {
        let fixture = try Self.fixture()
        fixture.collections.fail(with: .tooSlow(.tmdb))
        try await fixture.serve { server in
            let answer = try await server.get("/collections/tmdb:10")
            #expect(answer.status == 504 && answer.problem == "source-too-slow")
        }
    }
}
