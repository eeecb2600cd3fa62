import PosterTesting
import Testing

@testable import MovieCompatibility

/// Recorded responses of The Movie Database by operation.
enum TMDBSample {
    static let operations: [(operation: String, samples: [String])] = [
        ("GET /3/authentication", ["authentication_validate_key"]),
        ("GET /3/account/{account_id}", ["account_details", "account_details_avatar"]),
        ("POST /3/account/{account_id}/favorite", ["add_favorite"]),
        ("POST /3/account/{account_id}/watchlist", ["add_watchlist"]),
        ("GET /3/account/{account_id}/favorite/movies", ["account_favorite_movies"]),
        ("GET /3/account/{account_id}/rated/movies", ["account_rated_movies"]),
        ("GET /3/account/{account_id}/watchlist/movies", ["account_watchlist_movies"]),
        ("GET /3/authentication/guest_session/new", ["guest_session_new", "guest_session_2024"]),
        ("GET /3/authentication/token/new", ["token_new", "request_token_swift"]),
        ("POST /3/authentication/session/new", ["session_new", "session_swift"]),
        ("POST /3/authentication/token/validate_with_login", ["session_validate_with_login"]),
        ("DELETE /3/authentication/session", ["session_delete"]),
        ("GET /3/certification/movie/list", ["certification_movie_list"]),
        ("GET /3/configuration", ["configuration"]),
        ("GET /3/configuration/countries", ["configuration_countries"]),
        ("GET /3/configuration/languages", ["configuration_languages"]),
        ("GET /3/find/{external_id}", ["find_by_imdb"]),
        ("GET /3/genre/movie/list", ["genre_movie_list", "jd_genre_movie_list"]),
        ("GET /3/guest_session/{guest_session_id}/rated/movies", ["guest_rated_movies"]),
        ("GET /3/movie/now_playing", ["now_playing", "now_playing_2022", "jd_now_playing"]),
        ("GET /3/movie/popular", ["popular", "jd_popular"]), ("GET /3/movie/top_rated", ["top_rated", "jd_top_rated"]),
        ("GET /3/movie/upcoming", ["upcoming", "jd_upcoming"]), ("GET /3/movie/latest", ["movie_latest"]),
        (
            "GET /3/movie/{movie_id}",
            [
                "movie_details", "jd_movie_details", "movie_details_append", "movie_details_append_swift",
                "movie_details_moviefinder", "movie_blank_homepage_release_date",
            ]
        ),
        (
            "GET /3/movie/{movie_id}/account_states",
            ["movie_account_states", "account_states_rated", "account_states_no_rated_key"]
        ),
        ("GET /3/movie/{movie_id}/credits", ["movie_credits", "jd_movie_credits"]),
        ("GET /3/movie/{movie_id}/external_ids", ["movie_external_ids", "jd_movie_external_ids"]),
        ("GET /3/movie/{movie_id}/images", ["movie_images", "jd_movie_images"]),
        ("GET /3/movie/{movie_id}/keywords", ["movie_keywords"]),
        ("GET /3/movie/{movie_id}/recommendations", ["movie_recommendations"]),
        ("GET /3/movie/{movie_id}/release_dates", ["movie_release_dates", "jd_movie_release_dates"]),
        ("GET /3/movie/{movie_id}/reviews", ["movie_reviews", "jd_movie_reviews", "review_page_swift"]),
        ("GET /3/movie/{movie_id}/similar", ["movie_similar", "jd_movie_similar"]),
        ("GET /3/movie/{movie_id}/translations", ["movie_translations"]),
        ("GET /3/movie/{movie_id}/videos", ["movie_videos"]),
        ("GET /3/movie/{movie_id}/watch/providers", ["movie_watch_providers"]),
        ("POST /3/movie/{movie_id}/rating", ["rating_add", "rating_update_code12"]),
        ("DELETE /3/movie/{movie_id}/rating", ["rating_delete"]),
        ("GET /3/review/{review_id}", ["review_details"]),
        ("GET /3/search/movie", ["search_movie", "jd_search_movie"]),
    ]

    static let errors: [(operation: String, status: Int, sample: String)] = [
        ("GET /3/authentication", 401, "error_validate_key_unsuccessful"),
        ("GET /3/authentication", 401, "error_401_code7"), ("GET /3/movie/popular", 401, "error_401_invalid_key_jd"),
        ("GET /3/movie/{movie_id}", 404, "error_404_code34"),
        ("GET /3/movie/{movie_id}", 404, "error_404_no_success_field"),
        ("GET /3/movie/popular", 429, "error_429_code25"),
        ("POST /3/authentication/session/new", 401, "error_401_session_denied_code17"),
    ]

    /// Samples of operations without a response in the description.
    static let others: Set<String> = [
        "error_400_page", "error_422_date_range", "error_422_errors_array", "error_login_unsuccessful",
        "error_token_unsuccessful", "error_validation_spam_code18", "v4_access_token", "v4_request_token",
    ]

    static func bytes(_ name: String) throws -> [UInt8] {
        try #require(UpstreamSamples()).bytes("tmdb/\(name).json")
    }
}

@Suite(.enabled(if: TMDBSchema.all != nil, TMDBSchema.note))
struct TMDBSampleSchemaTests {
    @Test(arguments: TMDBSample.operations)
    func recordedResponsesAreValid(operation: String, samples: [String]) throws {
        let schema = try #require(TMDBSchema.all)
        for name in samples {
            let faults = schema.faults(try OrderedJSON(parsing: try TMDBSample.bytes(name)), operation)
            #expect(faults.isEmpty, "\(name)")
        }
    }

    @Test(arguments: TMDBSample.errors)
    func recordedErrorsAreValid(operation: String, status: Int, sample: String) throws {
        let schema = try #require(TMDBSchema.all)
        let value = try OrderedJSON(parsing: try TMDBSample.bytes(sample))
        #expect(schema.faults(value, operation, status: status).isEmpty)
    }

    @Test func everySampleIsInATable() throws {
        let known = TMDBSample.operations.flatMap(\.samples) + TMDBSample.errors.map(\.sample) + TMDBSample.others
        let files = try #require(UpstreamSamples()).names(of: "tmdb").map { $0.replacing(".json", with: "") }
        #expect(Set(files) == Set(known))
    }

    @Test func whatIsMissingOrOfAnotherTypeIsFound() throws {
        let schema = try #require(TMDBSchema.all)
        let operation = "GET /3/genre/movie/list"
        let texts: OrderedJSON = ["genres": [["id": "28", "name": "Action"]]]
        #expect(schema.faults(texts, operation) == ["/genres/*/id is string, not integer"])
        #expect(schema.faults(["genres": [["id": 28]]], operation) == ["/genres/*/name is missing"])
        #expect(schema.faults(["genres": nil], operation) == ["/genres is null, not array"])
        #expect(schema.faults([:], operation) == ["/genres is missing"])
    }
}
