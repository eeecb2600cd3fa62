import HTTPTesting
import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieAPI
@testable import PosterAPI

/// A film's releases by country, over real sockets.
@Suite(.timeLimit(.hang))
struct ReleasesHTTPTests {
    private static func fixture(region: Country? = nil) throws -> FilmFixture {
        let fixture = FilmFixture(region: region)
        var movie = Movie(summary: try FilmFixture.film("film-1"))
        movie.releases = [
            Release(country: .unitedStates, date: CalendarDate("1999-10-15"), kind: .theatrical),
            Release(country: .korea, date: nil, kind: .tv),
            Release(
                country: .korea, date: CalendarDate("1999-11-13"), kind: .theatrical,
                certificate: Certificate("18", in: .korea)),
            Release(country: .korea, date: CalendarDate("1999-09-10"), kind: .premiere, note: "Busan"),
        ]
        fixture.movies.add(movie)
        return fixture
    }

    @Test func releasesAreByCountryThenDate() async throws {
        // Without the parameter, releases of all countries are returned, regardless of the server's region.
        try await Self.fixture(region: .unitedStates).serve { server in
            let answer = try await server.get("/movies/film-1/releases")
            #expect(answer.status == 200 && answer.json["id"] as? String == "film-1")
            let releases = answer.objects("releases")
            #expect(releases.map { $0["country"] as? String } == ["KR", "KR", "KR", "US"])
            #expect(releases.map { $0["date"] as? String } == ["1999-09-10", "1999-11-13", nil, "1999-10-15"])
            #expect(releases.map { $0["type"] as? String } == ["premiere", "theatrical", "tv", "theatrical"])
            #expect(releases.map { $0["note"] as? String } == ["Busan", "", "", ""])
            #expect((releases[1]["certificate"] as? [String: String])?["rating"] == "18")
            #expect(releases[0]["certificate"] == nil)
            #expect(answer.headers["vary"]?.contains("Accept-Language") != true)
        }
    }

    @Test func aRegionSelectsItsReleases() async throws {
        try await Self.fixture().serve { server in
            let answer = try await server.get("/movies/film-1/releases?region=US")
            #expect(answer.objects("releases").map { $0["date"] as? String } == ["1999-10-15"])
            let none = try await server.get("/movies/film-1/releases?region=JP")
            #expect(none.status == 200 && none.objects("releases").isEmpty)
            #expect(try await server.get("/movies/film-1/releases?region=x").problem == "invalid-parameter")
            #expect(try await server.get("/movies/film-9/releases").problem == "unknown-movie")
        }
    }
}
