import MovieDomain
import MovieSources
import MovieTesting
import PosterTesting
import Testing

/// Checks the repository contract of every adapter for single films.
struct AdapterContractTests {
    private func id(_ text: String) throws -> MovieID { try #require(MovieID(text)) }

    @Test func ofKOBIS() async throws {
        let (known, unknown) = (try self.id("kobis:20124079"), try self.id("kobis:99999999"))
        try await withAdapters { fixture in
            let path = "/movie/searchMovieInfo.json"
            fixture.upstream.on("GET", path, .json(#"{"movieInfoResult": {"movieInfo": {}, "source": "x"}}"#))
            fixture.upstream.on(
                "GET", path, query: ["movieCd": "20124079"],
                .json(#"{"movieInfoResult": {"movieInfo": {"movieCd": "20124079", "movieNm": "광해", "actors": null}}}"#))
            let broken = try await checkContract(of: KOBISMovies(fixture.kobis), known: [known], unknown: unknown)
            #expect(broken == [])
            #expect(fixture.upstream.requests.count == 2, "one for each film")
        }
    }

    @Test func ofKMDb() async throws {
        let (known, unknown) = (try self.id("kmdb:F01071"), try self.id("kmdb:F99999"))
        try await withAdapters { fixture in
            let path = "/search_json2.jsp"
            fixture.upstream.on(
                "GET", path, .json(#"{"Data": [{"CollName": "kmdb_new2", "TotalCount": 0, "Count": 0}]}"#))
            fixture.upstream.on(
                "GET", path, query: ["movieId": "F", "movieSeq": "01071"],
                .json(#"{"Data": [{"Result": [{"movieId": "F", "movieSeq": "01071", "title": " 평원의 대결"}]}]}"#))
            let broken = try await checkContract(of: KMDbMovies(fixture.kmdb), known: [known], unknown: unknown)
            #expect(broken == [])
            #expect(fixture.upstream.requests.count == 2)
        }
    }

    @Test func ofITunes() async throws {
        let (known, unknown) = (try self.id("itunes:1063466898"), try self.id("itunes:1"))
        try await withAdapters { fixture in
            fixture.upstream.on("GET", "/lookup", .json(#"{"resultCount": 0, "results": []}"#))
            fixture.upstream.on(
                "GET", "/lookup", query: ["id": "1063466898"],
                .json(
                    """
                    {"resultCount": 1, "results": [{"kind": "feature-movie", "trackId": 1063466898, "trackName": "A"}]}
                    """))
            let broken = try await checkContract(of: ITunesMovies(fixture.iTunes), known: [known], unknown: unknown)
            #expect(broken == [])
        }
    }

    @Test func ofOMDb() async throws {
        let (known, unknown) = (try self.id("omdb:tt0017136"), try self.id("omdb:tt9999999"))
        try await withAdapters { fixture in
            fixture.upstream.on(
                "GET", "/", .json(#"{"Response":"False","Error":"Error getting data: Movie not found!"}"#))
            fixture.upstream.on(
                "GET", "/", query: ["i": "tt0017136"],
                .json(#"{"Title": "Metropolis", "imdbID": "tt0017136", "Response": "True"}"#))
            let broken = try await checkContract(of: OMDbMovies(fixture.omdb), known: [known], unknown: unknown)
            #expect(broken == [])
            #expect(fixture.upstream.requests.count == 2)
        }
    }
}
