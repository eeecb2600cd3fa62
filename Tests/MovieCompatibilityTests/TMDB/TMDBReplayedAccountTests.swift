import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Accounts with a key: users sign in at The Movie Database, and its sessions are stored here.
@Suite(.timeLimit(.hang))
struct TMDBReplayedAccountTests {
    private static let token = "7f2584dc3886e744118c7d6f9ba27cd6acd0517a"
    /// The session at The Movie Database.
    private static let secret = "eab8e235ba87b44b0d120c318f27e4f470b04c11"
    private static let user = ["session_id": Self.secret]

    private static func status(_ code: Int, _ status: Int = 200) -> OriginScript {
        .json(#"{"success":\#(status < 400),"status_code":\#(code),"status_message":"x"}"#, status: status)
    }

    /// An account without ratings and without a watchlist; the token is approved after the first request for a session.
    private static func script(_ upstream: ReplayingUpstream) {
        upstream.on(
            "GET", "/3/authentication/token/new",
            .json(#"{"success":true,"expires_at":"2026-05-28 21:26:40 UTC","request_token":"\#(Self.token)"}"#))
        upstream.on(
            "POST", "/3/authentication/session/new",
            inTurn: [Self.status(17, 401), .json(#"{"success":true,"session_id":"\#(Self.secret)"}"#)])
        upstream.on("DELETE", "/3/authentication/session", .json(#"{"success":true}"#))
        upstream.on(
            "GET", "/3/account", query: Self.user,
            .json(#"{"id":548,"name":"Travis Bell","username":"travisbell"}"#))
        upstream.on(
            "GET", "/3/movie/550",
            .json(#"{"id":550,"title":"Fight Club","original_language":"en","overview":"A ticking-time-bomb."}"#))
        upstream.on(
            "GET", "/3/movie/550/account_states", query: Self.user,
            .json(#"{"id":550,"favorite":false,"rated":false,"watchlist":false}"#))
        upstream.on("POST", "/3/movie/550/rating", query: Self.user, Self.status(1, 201))
        upstream.on("DELETE", "/3/movie/550/rating", query: Self.user, Self.status(13))
        upstream.on("POST", "/3/account/548/watchlist", query: Self.user, Self.status(1, 201))
        for list in ["rated", "watchlist"] {
            upstream.on(
                "GET", "/3/account/548/\(list)/movies", query: Self.user,
                .json(#"{"page":1,"results":[],"total_pages":1,"total_results":0}"#))
        }
    }

    /// Runs the service with its own lists.
    private static func run(_ body: @escaping @Sendable (Client, ReplayingUpstream) async throws -> Void) async throws {
        try await withUpstream { upstream in
            Self.script(upstream)
            let fixture = try ReplayedFixture(upstream)
            var services = fixture.services
            services.favourites = MemoryFavourites()
            services.watchlist = MemoryFavourites()
            try await TMDBClient.run(services, upstream: fixture.source) { client in
                try await body(Client(client: client), upstream)
            }
        }
    }

    /// A client that must not see the session at The Movie Database.
    struct Client: Sendable {
        let client: TMDBClient

        func send(_ method: String, _ target: String, _ body: String = "") async throws -> TMDBClient.Answer {
            let answer = try await self.client.send(method, target, body)
            let texts = [String(decoding: answer.body, as: UTF8.self)] + answer.headers.values
            #expect(!texts.contains { $0.contains(TMDBReplayedAccountTests.secret) }, "\(method) \(target)")
            return answer
        }

        /// Requests a session with the token; The Movie Database rejects the first request.
        func newSession() async throws -> TMDBClient.Answer {
            try await self.send(
                "POST", "authentication/session/new", #"{"request_token":"\#(TMDBReplayedAccountTests.token)"}"#)
        }

        func signIn() async throws -> String {
            _ = try await self.newSession()
            return try #require(try await self.newSession().json["session_id"]?.string)
        }

        /// The account states of a film, without its number.
        func states(_ session: String) async throws -> OrderedJSON {
            try await self.send("GET", "movie/550/account_states?session_id=\(session)").json.removing("id")
        }
    }

    @Test func listsThatCannotBeReadAreNoReasonToSayNo() async throws {
        try await Self.run { client, upstream in
            for list in ["rated", "watchlist"] {
                upstream.on("GET", "/3/account/548/\(list)/movies", query: Self.user, Self.status(11, 500))
            }
            upstream.on(
                "GET", "/3/movie/550/account_states", query: Self.user,
                .json(#"{"id":550,"favorite":false,"rated":{"value":8},"watchlist":true}"#))
            let session = try await client.signIn()
            let states = try await client.states(session)
            #expect(states["rated"]?["value"] != nil && states["watchlist"] == true)
            // An error is not a "no" either.
            upstream.on("GET", "/3/movie/550/account_states", query: Self.user, Self.status(11, 500))
            let failed = try await client.send("GET", "movie/550/account_states?session_id=\(session)")
            #expect(failed.status >= 500)
        }
    }

    @Test func aUserApprovesAtTheMovieDatabase() async throws {
        try await Self.run { client, upstream in
            let wish = try await client.send("GET", "authentication/token/new?api_key=mine")
            #expect(try wish.json["request_token"]?.string == Self.token)
            #expect(try wish.json["expires_at"]?.string == "2026-05-28 21:26:40 UTC")
            let address = "https://www.themoviedb.org/authenticate/\(Self.token)"
            #expect(wish.headers["authentication-callback"] == address)
            let page = try await client.client.server.get("/compat/tmdb/authenticate/\(Self.token)")
            #expect(page.status == 303 && page.headers["location"] == address)
            let early = try await client.newSession()
            #expect(early.status == 401)
            #expect(try early.code == 17)
            let opened = try await client.newSession()
            let session = try #require(try opened.json["session_id"]?.string)
            #expect(try opened.status == 200 && opened.json["success"] == true && session.utf8.count == 64)
            let account = try await client.send("GET", "account?session_id=\(session)").json
            #expect(account["id"] == 548 && account["username"]?.string == "travisbell")
            #expect(upstream.requests.allSatisfy { $0.query["api_key"] == "key-of-tmdb" })
        }
    }

    @Test func marksAreSetAtTheMovieDatabaseButFavouritesHere() async throws {
        try await Self.run { client, upstream in
            let session = try await client.signIn()
            let none: OrderedJSON = ["favorite": false, "rated": false, "watchlist": false]
            #expect(try await client.states(session) == none)
            for (target, body) in [
                ("movie/550/rating", #"{"value":8.5}"#),
                ("account/548/favorite", #"{"media_type":"movie","media_id":550,"favorite":true}"#),
                ("account/548/watchlist", #"{"media_type":"movie","media_id":550,"watchlist":true}"#),
            ] {
                let answer = try await client.send("POST", "\(target)?session_id=\(session)", body)
                #expect(answer.status == 201, "\(target)")
                #expect(try answer.code == 1, "\(target)")
            }
            let all: OrderedJSON = ["favorite": true, "rated": ["value": .number(8.5)], "watchlist": true]
            #expect(try await client.states(session) == all)
            let film = try await client.send(
                "GET", "movie/550?append_to_response=account_states&session_id=\(session)")
            #expect(try film.json["account_states"] == all)
            let favourites = try await client.send("GET", "account/548/favorite/movies?session_id=\(session)")
            #expect(try favourites.json["results"]?.elements.map { $0["id"]?.integer } == [550])
            let deleted = try await client.send("DELETE", "movie/550/rating?session_id=\(session)")
            #expect(try deleted.status == 200 && deleted.code == 13)
            #expect(try await client.states(session)["rated"] == false)
            let posts = upstream.requests.filter { $0.method == "POST" }.map(\.path).dropFirst(2)
            #expect(posts == ["/3/movie/550/rating", "/3/account/548/watchlist"])
            let texts = upstream.requests.flatMap { [$0.target, String(decoding: $0.body, as: UTF8.self)] }
            #expect(!texts.contains { $0.contains(session) }, "the id of the session here is not sent")
        }
    }

    @Test func aSessionEndsHereAndAtTheMovieDatabase() async throws {
        try await Self.run { client, upstream in
            let session = try await client.signIn()
            let ended = try await client.send("DELETE", "authentication/session", #"{"session_id":"\#(session)"}"#)
            #expect(try ended.status == 200 && ended.json["success"] == true)
            let last = try #require(upstream.requests.last)
            #expect(last.method == "DELETE" && last.body == Array(#"{"session_id":"\#(Self.secret)"}"#.utf8))
            let after = try await client.send("GET", "account?session_id=\(session)")
            #expect(try after.status == 401 && after.code == 3)
        }
    }

    @Test func aSessionThatTheMovieDatabaseHasEndedEndsHere() async throws {
        try await Self.run { client, upstream in
            let session = try await client.signIn()
            upstream.on("GET", "/3/account", Self.status(3, 401))
            for _ in 1...2 {
                let answer = try await client.send("GET", "account?session_id=\(session)")
                #expect(try answer.status == 401 && answer.code == 3)
            }
            #expect(upstream.requestCount(to: "/3/account") == 2, "one of the sign-in, and the one that was refused")
        }
    }

    @Test(
        "other sessions are refused without a request, also one of The Movie Database's own",
        arguments: [
            ("GET", "account", ""), ("GET", "movie/550/account_states", ""),
            ("GET", "account/548/rated/movies", ""), ("POST", "movie/550/rating", #"{"value":8.5}"#),
            ("DELETE", "movie/550/rating", ""),
            ("POST", "account/548/favorite", #"{"media_type":"movie","media_id":550,"favorite":true}"#),
            ("POST", "account/548/watchlist", #"{"media_type":"movie","media_id":550,"watchlist":true}"#),
        ])
    func refused(method: String, target: String, body: String) async throws {
        try await Self.run { client, upstream in
            for session in [String(repeating: "0", count: 64), "abc", Self.secret] {
                let answer = try await client.send(method, "\(target)?session_id=\(session)", body)
                #expect(try answer.status == 401 && answer.code == 3, "\(session)")
            }
            #expect(upstream.requests.isEmpty)
        }
    }
}
