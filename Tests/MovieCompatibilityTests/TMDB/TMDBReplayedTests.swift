import HTTPSemantics
import PosterTesting
import Testing

@testable import MovieCompatibility

/// Recorded responses reach clients byte for byte, except for image hosts.
@Suite(.timeLimit(.hang), .enabled(if: TMDBSchema.all != nil, TMDBSchema.note))
struct TMDBReplayedTests {
    /// Public operations and targets with their required parameters, relative to the API's version.
    static let targets: [(operation: String, target: String)] = [
        ("GET /3/configuration/countries", "configuration/countries"),
        ("GET /3/configuration/jobs", "configuration/jobs"),
        ("GET /3/configuration/languages", "configuration/languages"),
        ("GET /3/configuration/primary_translations", "configuration/primary_translations"),
        ("GET /3/configuration/timezones", "configuration/timezones"),
        ("GET /3/genre/movie/list", "genre/movie/list"), ("GET /3/movie/now_playing", "movie/now_playing"),
        ("GET /3/movie/popular", "movie/popular"), ("GET /3/movie/top_rated", "movie/top_rated"),
        ("GET /3/movie/upcoming", "movie/upcoming"), ("GET /3/search/movie", "search/movie?query=x"),
        ("GET /3/search/person", "search/person?query=x"), ("GET /3/search/multi", "search/multi?query=x"),
        ("GET /3/discover/movie", "discover/movie?with_genres=28,12"),
        ("GET /3/trending/movie/{time_window}", "trending/movie/day"),
        ("GET /3/find/{external_id}", "find/tt0137523?external_source=imdb_id"),
        ("GET /3/movie/{movie_id}", "movie/550"), ("GET /3/movie/{movie_id}/credits", "movie/550/credits"),
        ("GET /3/movie/{movie_id}/videos", "movie/550/videos"), ("GET /3/movie/{movie_id}/images", "movie/550/images"),
        ("GET /3/movie/{movie_id}/reviews", "movie/550/reviews"),
        ("GET /3/movie/{movie_id}/similar", "movie/550/similar"),
        ("GET /3/movie/{movie_id}/recommendations", "movie/550/recommendations"),
        ("GET /3/movie/{movie_id}/release_dates", "movie/550/release_dates"),
        ("GET /3/movie/{movie_id}/external_ids", "movie/550/external_ids"),
        ("GET /3/movie/{movie_id}/keywords", "movie/550/keywords"),
        ("GET /3/movie/{movie_id}/translations", "movie/550/translations"),
        ("GET /3/movie/{movie_id}/alternative_titles", "movie/550/alternative_titles"),
        ("GET /3/movie/{movie_id}/watch/providers", "movie/550/watch/providers"),
        ("GET /3/movie/{movie_id}/lists", "movie/550/lists"), ("GET /3/movie/{movie_id}/changes", "movie/550/changes"),
        ("GET /3/person/{person_id}", "person/819"),
        ("GET /3/person/{person_id}/movie_credits", "person/819/movie_credits"),
        ("GET /3/person/{person_id}/combined_credits", "person/819/combined_credits"),
        ("GET /3/person/{person_id}/external_ids", "person/819/external_ids"),
        ("GET /3/person/{person_id}/images", "person/819/images"),
        ("GET /3/collection/{collection_id}", "collection/10"),
    ]

    /// Recorded responses of an operation, or else the examples of the description.
    private static func bodies(_ operation: String) throws -> [[UInt8]] {
        let names = TMDBSample.operations.first { $0.operation == operation }?.samples ?? []
        guard names.isEmpty else { return try names.map { try TMDBSample.bytes($0) } }
        return [try #require(TMDBSchema.all).example(operation).bytes]
    }

    @Test(arguments: TMDBReplayedTests.targets)
    func responsesAreTheUpstreams(operation: String, target: String) async throws {
        let schema = try #require(TMDBSchema.all)
        let request = try TMDBRequest(RequestTarget("/compat/tmdb/3/\(target)"))
        let resource = try TMDBResource(request.path)
        for body in try Self.bodies(operation) {
            try await withUpstream { upstream in
                let path = String(target.prefix { $0 != "?" })
                upstream.on("GET", "/3/\(path)", .json(body))
                let documents = TMDBUpstreamDocuments(upstream: try ReplayedFixture.source(upstream))
                for _ in 1...2 {
                    let found = try await documents.document(resource, for: request, imageBase: "http://localhost/t/p/")
                    #expect(found == body)
                }
                #expect(schema.faults(try OrderedJSON(parsing: body), operation).isEmpty)
                #expect(upstream.requestCount(to: "/3/\(path)") == 1)
            }
        }
    }

    @Test func imagesAreOfThisHost() async throws {
        let body = try TMDBSample.bytes("configuration")
        try await withUpstream { upstream in
            upstream.on("GET", "/3/configuration", .json(body))
            try await ReplayedFixture(upstream).run { client in
                let answer = try await client.get("configuration")
                let own = "http://localhost/t/p/"
                let images = try answer.json["images"]
                #expect(images?["base_url"]?.string == own && images?["secure_base_url"]?.string == own)
                let text = String(decoding: body, as: UTF8.self)
                    .replacing("http://image.tmdb.org/t/p/", with: own)
                    .replacing("https://image.tmdb.org/t/p/", with: own)
                #expect(String(decoding: answer.body, as: UTF8.self) == text)
                #expect(answer.headers["vary"]?.contains("Host") == true)
            }
        }
    }

    @Test func unknownMembersAndParametersOfTheClientSurvive() async throws {
        let body = #"{"id":550,"title":"x","new":{"float":1.50,"null":null}}"#
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/movie/550", query: ["append_to_response": "credits,watch/providers", "language": "ko-KR"],
                .json(body))
            try await ReplayedFixture(upstream).run { client in
                let answer = try await client.get(
                    "movie/550-fight-club?append_to_response=credits,account_states,watch/providers&language=ko-KR"
                        + "&api_key=mine&something=else")
                #expect(String(decoding: answer.body, as: UTF8.self) == body)
            }
            let request = try #require(upstream.requests.first)
            #expect(request.query["api_key"] == "key-of-tmdb" && request.query["something"] == nil)
        }
    }

    @Test(
        "what The Movie Database has not, and its failures, are its errors",
        arguments: [
            (OriginScript.json(#"{"success":false,"status_code":34,"status_message":"x"}"#, status: 404), 404, 34),
            (.status(500), 502, 43), (.status(429), 429, 25),
            (.json(#"{"success":false,"status_code":7,"status_message":"x"}"#, status: 401), 503, 9),
        ] as [(OriginScript, Int, Int)])
    func failures(script: OriginScript, status: Int, code: Int) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", script)
            try await ReplayedFixture(upstream).run { client in
                let answer = try await client.get("movie/550")
                #expect(answer.status == status)
                #expect(try answer.code == code)
            }
        }
    }

    @Test func guestsAreThoseOfTheUpstream() async throws {
        let guest = "f7f5014bc9c31ab2ec9d5204b7001a94"
        let ratings = try TMDBSample.bytes("guest_rated_movies")
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/authentication/guest_session/new", .json(try TMDBSample.bytes("guest_session_new")))
            upstream.on("POST", "/3/movie/550/rating", query: ["guest_session_id": guest], .json(#"{"status_code":1}"#))
            upstream.on("GET", "/3/guest_session/\(guest)/rated/movies", .json(ratings))
            try await ReplayedFixture(upstream).run { client in
                let session = try await client.get("authentication/guest_session/new")
                #expect(try session.json["guest_session_id"]?.string == guest)
                let rated = try await client.send(
                    "POST", "movie/550/rating?guest_session_id=\(guest)", #"{"value":8.5}"#)
                #expect(try rated.code == 1)
                let list = try await client.get("guest_session/\(guest)/rated/movies")
                #expect(list.body == ratings)
            }
        }
    }
}
