import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// With a key: requests to The Movie Database, and its errors.
@Suite(.timeLimit(.hang))
struct TMDBPassedOnTests {
    private static func parameters(_ target: String) throws -> [String: String] {
        let request = try TMDBRequest(RequestTarget("/compat/tmdb/3/\(target)"))
        let query = try TMDBUpstreamDocuments.query(of: try TMDBResource(request.path), request)
        return Dictionary(uniqueKeysWithValues: query.map { ($0.name, $0.value) })
    }

    @Test(
        "parameters of a resource are passed on",
        arguments: [
            (
                "collection/10?append_to_response=images&include_image_language=en,null&language=ko",
                ["append_to_response": "images", "include_image_language": "en,null", "language": "ko"]
            ),
            (
                "discover/movie?with_title_translation=ko&with_overview_translation=ja",
                ["page": "1", "with_title_translation": "ko", "with_overview_translation": "ja"]
            ),
            (
                "movie/550?append_to_response=changes&start_date=2026-05-01&end_date=2026-05-02",
                ["append_to_response": "changes", "start_date": "2026-05-01", "end_date": "2026-05-02"]
            ),
            ("movie/550/changes?start_date=2026-05-01", ["start_date": "2026-05-01"]),
            ("company/1/movies?page=2", ["page": "2"]), ("genre/28/movies?page=2", ["page": "2"]),
            ("movie/550/casts?language=ko", ["language": "ko"]), ("movie/550/releases", [:]),
        ])
    func passedOn(target: String, parameters: [String: String]) throws {
        #expect(try Self.parameters(target) == parameters)
    }

    @Test(
        "refusals are the upstream's, and are requested once",
        arguments: [
            (
                400, #"{"success":false,"status_code":22,"status_message":"Invalid page: x","more":1}"#,
                "movie/popular?page=500"
            ),
            (401, #"{"success":false,"status_code":39,"status_message":"This resource is private."}"#, "list/1"),
            (404, #"{"success":false,"status_code":6,"status_message":"Invalid id"}"#, "credit/x"),
            (422, #"{"success":false,"status_code":20,"status_message":"Invalid date range"}"#, "movie/550/changes"),
            (422, #"{"errors":["query must be provided"]}"#, "search/tv?query=+"),
        ])
    func refusals(status: Int, body: String, target: String) async throws {
        try await withUpstream { upstream in
            let path = "/3/" + target.prefix { $0 != "?" }
            upstream.on("GET", path, .json(body, status: status))
            try await ReplayedFixture(upstream).run { client in
                for _ in 1...2 {
                    let answer = try await client.get(target)
                    #expect(answer.status == status && answer.body == Array(body.utf8))
                    #expect(answer.headers["cache-control"] == "no-store")
                }
            }
            #expect(upstream.requestCount(to: path) == 1)
        }
    }

    @Test(
        "refusals of the server's own key are failures",
        arguments: [7, 10, 35].map { #"{"success":false,"status_code":\#($0),"status_message":"x"}"# })
    func ofTheKey(body: String) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(body, status: 401))
            try await ReplayedFixture(upstream).run { client in
                let answer = try await client.get("movie/550")
                #expect(answer.status >= 502)
            }
        }
    }

    @Test func requestsThatDifferInWhatAResourceDoesNotReadAreEqual() throws {
        let request = { (target: String) in
            let request = try TMDBRequest(RequestTarget("/compat/tmdb/3/\(target)"))
            return request.reduced(to: try TMDBResource(request.path).parameters)
        }
        let film = try request("movie/550?append_to_response=credits,images&page=1")
        for target in [
            "movie/550-fight-club?append_to_response=credits,images,credits&page=01",
            "movie/550?append_to_response=credits,account_states,images&page=1&nonce=1&region=&query=x",
        ] {
            #expect(try request(target) == film, "\(target)")
        }
        #expect(try request("movie/550?append_to_response=images,credits&page=1") != film, "members have an order")
        #expect(try request("movie/550?append_to_response=credits,images&page=1&language=ko") != film)
    }

    @Test(
        "the page to approve on leads back where The Movie Database can",
        arguments: [
            ("abc?redirect_to=app%3A%2F%2Fdone%3Fa%3D1", "abc?redirect_to=app%3A%2F%2Fdone%3Fa%3D1"),
            ("abc?redirect_to=https://a.test/", "abc?redirect_to=https%3A%2F%2Fa.test%2F"),
            ("abc?redirect_to=javascript:alert(1)", "abc"), ("abc", "abc"),
        ])
    func approval(target: String, location: String) async throws {
        try await withUpstream { upstream in
            try await ReplayedFixture(upstream).run { client in
                let answer = try await client.server.get("/compat/tmdb/authenticate/\(target)")
                #expect(answer.status == 303)
                #expect(answer.headers["location"] == "https://www.themoviedb.org/authenticate/\(location)")
            }
        }
    }

    @Test func guestSessionsAreChargedBeforeTheUpstreamIsAsked() async throws {
        try await withUpstream { upstream in
            let path = "/3/authentication/guest_session/new"
            upstream.on("GET", path, .json(#"{"success":true,"guest_session_id":"a"}"#))
            let fixture = try ReplayedFixture(upstream)
            var services = fixture.services
            var limits = SignUpRateLimiter.Limits()
            limits.client = ClientRateLimiter.Limit(rate: 6, inSeconds: 60, burst: 10)
            services.newcomers = SignUpRateLimiter(limits, now: { 0 })
            try await TMDBClient.run(services, upstream: fixture.source) { client in
                var statuses: [Int] = []
                for _ in 1...11 { statuses.append(try await client.get("authentication/guest_session/new").status) }
                #expect(statuses == Array(repeating: 200, count: 10) + [429])
            }
            #expect(upstream.requestCount(to: path) == 10)
        }
    }

    @Test func marksAreOfFilmsByTheirTitleAtIMDb() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/tt0137523", .json(#"{"id":550,"title":"Fight Club"}"#))
            let fixture = try ReplayedFixture(upstream)
            let useCases = MovieUseCases(fixture.services, publicURL: nil)
            let marks = TMDBMarks(
                useCases: useCases, sessions: TMDBSessions(useCases: useCases, upstream: fixture.source),
                numbers: TMDBNumberTable(fixture.services))
            #expect(try await marks.film("tt0137523") == MovieID(source: .tmdb, key: "550"))
        }
        #expect(try TMDBPersonalResource(["movie", "tt0137523", "rating"]) == .rating(film: "tt0137523"))
    }

    @Test func aGuestsStatesAreAppended() async throws {
        let guest = "f7f5014bc9c31ab2ec9d5204b7001a94"
        let states = #"{"id":550,"favorite":false,"rated":{"value":8.5},"watchlist":false}"#
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550", .json(#"{"id":550}"#))
            upstream.on("GET", "/3/movie/550/account_states", query: ["guest_session_id": guest], .json(states))
            try await ReplayedFixture(upstream).run { client in
                let film = try await client.get(
                    "movie/550?append_to_response=account_states&guest_session_id=\(guest)")
                #expect(try film.json["account_states"]?["rated"]?["value"] == .number(8.5))
                #expect(try film.json["account_states"]?["id"] == nil)
            }
        }
    }
}
