import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// MovieFinder: the requests of its network layer to The Movie Database. ``TMDBReplayedAccountTests`` covers accounts.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct MovieFinderTests {
    private static let home = [
        ("movie/now_playing", "jd_now_playing"), ("movie/popular", "jd_popular"),
        ("movie/top_rated", "jd_top_rated"), ("movie/upcoming", "jd_upcoming"),
        ("genre/movie/list", "jd_genre_movie_list"),
    ]
    private static let others = [
        ("search/movie", "jd_search_movie"), ("movie/550", "jd_movie_details"),
        ("movie/550/reviews", "jd_movie_reviews"),
    ]

    @Test func listsSearchAndDetailsAreRequestedOnceForAllDevices() async throws {
        try await withUpstream { upstream in
            for (path, sample) in Self.home + Self.others {
                upstream.on("GET", "/3/\(path)", .json(try TMDBSample.bytes(sample)))
            }
            try await ReplayedFixture(upstream).run { client in
                for key in AppClient.keys {
                    // The start screen waits for all of them.
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for (path, sample) in Self.home {
                            group.addTask {
                                let answer = try await client.get("\(path)?api_key=\(key)&include_adult=false")
                                #expect(answer.body == (try TMDBSample.bytes(sample)), "\(path)")
                            }
                        }
                        try await group.waitForAll()
                    }
                    let query = "query=fight%20club&page=1&include_adult=false&api_key=\(key)"
                    let found = try await client.get("search/movie?\(query)")
                    #expect(found.body == (try TMDBSample.bytes("jd_search_movie")))
                    // The app requests the details twice until it has the film's IMDb id.
                    for _ in 1...2 {
                        let film = try await client.get("movie/550?api_key=\(key)")
                        #expect(try film.json["imdb_id"]?.string == "tt0137523")
                    }
                    let reviews = try await client.get("movie/550/reviews?api_key=\(key)")
                    #expect(reviews.body == (try TMDBSample.bytes("jd_movie_reviews")))
                }
            }
            for (path, _) in Self.home + Self.others {
                #expect(upstream.requestCount(to: "/3/\(path)") == 1, "\(path)")
            }
            #expect(upstream.requests.allSatisfy { $0.query["api_key"] == "key-of-tmdb" })
        }
    }
}
