import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("IMDb titles at TMDB")
struct TMDBTitleTests {
    private static let path = "/3/find/tt0499549"

    @Test func aTitlesFilmAndItsPosterAreFoundByOneRequest() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", Self.path,
                .json(
                    """
                    {"movie_results":[{"id":19995,"title":"Avatar","media_type":"movie","poster_path":"/p.jpg"}],
                    "person_results":[],"tv_results":[]}
                    """))
            let tmdb = try AdapterFixture(upstream).tmdb()
            let film = try await tmdb.movies.film(ofIMDbTitle: "tt0499549")
            #expect(film?.description == "tmdb:19995")
            #expect(upstream.requests[0].query["external_source"] == "imdb_id")
            let poster = try await tmdb.posters.poster(of: try #require(film))
            #expect(poster?.location == .tmdb(file: "p.jpg") && upstream.requests.count == 1)
        }
    }

    @Test func aTitleWithoutAFilmIsNotAFailure() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", Self.path, .json(#"{"movie_results":[],"tv_results":[{"id":1,"name":"A series"}]}"#))
            let tmdb = try AdapterFixture(upstream).tmdb()
            #expect(try await tmdb.movies.film(ofIMDbTitle: "tt0499549") == nil)
        }
    }

    @Test func scoresNeedOnlyTheFilmsDetails() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/movie/603",
                .json(
                    """
                    {"id":603,"title":"The Matrix","overview":"","vote_average":8.2,"vote_count":9,
                    "release_date":"1999-03-31","imdb_id":"tt0133093"}
                    """))
            let tmdb = try AdapterFixture(upstream).tmdb()
            let scores = try await tmdb.movies.scores(of: try #require(MovieID("tmdb:603")))
            #expect(scores?.audience[.tmdb]?.average == 8.2 && scores?.imdbID == "tt0133093")
            #expect(scores?.releaseDate == CalendarDate("1999-03-31") && upstream.requests.count == 1)
        }
    }
}
