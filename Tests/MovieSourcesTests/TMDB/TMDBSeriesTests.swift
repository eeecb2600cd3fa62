import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("series at TMDB")
struct TMDBSeriesTests {
    private static let details = """
        {"id":1396,"name":"A series","poster_path":"/p.jpg","backdrop_path":"/b.jpg","vote_average":8.9,
        "vote_count":12,"last_air_date":"2013-09-29","images":{"posters":[{"file_path":"/p.jpg","iso_639_1":"ko"},
        {"file_path":"/t.jpg","iso_639_1":null}],"backdrops":[],"logos":[{"file_path":"/v.svg","iso_639_1":"ko"},
        {"file_path":"/x.png","iso_639_1":"de"},{"file_path":"/l.png","iso_639_1":"en"}]}}
        """

    @Test func aSeriesIsFoundByItsIdsAtOtherSites() async throws {
        try await withUpstream { upstream in
            let found = #"{"movie_results":[],"tv_results":[{"id":1396,"name":"A series"}]}"#
            upstream.on("GET", "/3/find/tt0903747", .json(found))
            upstream.on("GET", "/3/find/81189", .json(found))
            upstream.on("GET", "/3/find/1", .json(#"{"movie_results":[],"tv_results":[]}"#))
            upstream.on("GET", "/3/find/tt1", .json(#"{"movie_results":[{"id":603,"title":"A film"}]}"#))
            let series = try AdapterFixture(upstream).tmdb().series
            #expect(try await series.title("tt0903747", at: .imdb) == .series(1396))
            #expect(try await series.title("81189", at: .tvdb) == .series(1396))
            #expect(upstream.requests.map { $0.query["external_source"] } == ["imdb_id", "tvdb_id"])
            #expect(try await series.title("1", at: .tvdb) == nil)
            #expect(try await series.title("tt1", at: .imdb) == MovieID("tmdb:603").map { .film($0) })
        }
    }

    @Test func itsPicturesAndScoreNeedOneRequest() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/tv/1396", .json(Self.details))
            let series = try await AdapterFixture(upstream).tmdb().series.series(1396, language: nil)
            #expect(series?.poster == .tmdb(file: "p.jpg") && series?.textlessPoster == .tmdb(file: "t.jpg"))
            #expect(series?.backdrop == .tmdb(file: "b.jpg") && series?.logo == .tmdb(file: "l.png"))
            #expect(series?.score?.average == 8.9 && series?.lastAirDate == CalendarDate("2013-09-29"))
            #expect(upstream.requests.count == 1 && upstream.requests[0].query["language"] == "ko-KR")
        }
    }

    @Test func anUnknownSeriesIsNotAFailure() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/tv/7", .json(#"{"success":false,"status_code":34}"#, status: 404))
            let tmdb = try AdapterFixture(upstream).tmdb()
            #expect(try await tmdb.series.series(7, language: nil) == nil)
        }
    }
}
