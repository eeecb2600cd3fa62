import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Film pages for people, over real sockets.
@Suite(.timeLimit(.hang))
struct FilmPageTests {
    private static func fixture() throws -> FilmFixture {
        let fixture = FilmFixture()
        fixture.movies.add(Movie(summary: try FilmFixture.film("film-1")))
        return fixture
    }

    @Test(
        "the address leads to the details",
        arguments: [
            ("/films/film-1", "/movies/film-1"), ("/films/film-1?language=en", "/movies/film-1?language=en"),
            ("/films/tmdb:603", "/movies/tmdb%3A603"), ("/films/tmdb%3A603", "/movies/tmdb%3A603"),
            ("/films/no-such-film", "/movies/no-such-film"),
        ])
    func leadsToDetails(target: String, location: String) async throws {
        try await Self.fixture().serve { server in
            for method in ["GET", "HEAD"] {
                let response = try await server.get(target, method: method)
                #expect(response.status == 303)
                #expect(response.headers["location"] == location)
                #expect(response.headers["cache-control"] == "public, max-age=300")
                #expect(response.headers["x-content-type-options"] == "nosniff")
                #expect(response.headers["access-control-allow-origin"] == "*")
                #expect(response.body.isEmpty)
            }
        }
    }

    @Test func theDetailsAreThere() async throws {
        try await Self.fixture().serve { server in
            let location = try #require(try await server.get("/films/film-1").headers["location"])
            let details = try await server.get(location)
            #expect(details.status == 200)
            #expect(details.json["id"] as? String == "film-1")
        }
    }

    @Test func aConfiguredHostIsNamed() async throws {
        var settings = LiveServer.Settings()
        settings.links = PosterURLBuilder(publicURL: PublicURL("https://films.example.org"))
        try await Self.fixture().serve(settings) { server in
            let response = try await server.get("/films/film-1")
            #expect(response.headers["location"] == "https://films.example.org/movies/film-1")
        }
    }

    @Test(
        "what names no film, or has other parameters, is refused",
        arguments: [
            ("/films/imdb:1", "invalid-id"), ("/films/%zz", "invalid-id"),
            ("/films/film-1?page=2", "invalid-parameter"),
            ("/films/film-1?language=%0d%0ax", "invalid-parameter"),
        ])
    func refused(target: String, kind: String) async throws {
        try await Self.fixture().serve { server in
            try await expectProblem(400, kind, server.get(target))
        }
    }
}
