import Foundation
import MovieDomain
import PosterTesting
import Testing

/// Sign-in at TMDB; its session never leaves the server.
@Suite("Signing in at an upstream", .timeLimit(.hang))
struct UpstreamSignInTests {
    private static let session = "5e5510n0a1b2c3d4e5f60718293a4b5c6d7e8f90"
    private static let watchlistPath = "/tmdb/account/7041/watchlist"
    private let folder = TemporaryFolder()
    private var data: String { self.folder.path + "/data" }

    private func fill(_ upstream: ReplayingUpstream) {
        UpstreamBodies.fill(upstream)
        upstream.on("GET", "/tmdb/authentication/token/new", .json(UpstreamBodies.requestToken))
        upstream.on(
            "POST", "/tmdb/authentication/session/new",
            inTurn: [
                .json(UpstreamBodies.status(17), status: 401), .json(UpstreamBodies.session(Self.session)),
                .json(UpstreamBodies.status(6), status: 404),
            ])
        let secret = ["session_id": Self.session]
        upstream.on("GET", "/tmdb/account", .json(UpstreamBodies.status(3), status: 401))
        upstream.on("GET", "/tmdb/account", query: secret, .json(UpstreamBodies.account))
        upstream.on("POST", "/tmdb/movie/301/rating", query: secret, .json(UpstreamBodies.status(1), status: 201))
        upstream.on("DELETE", "/tmdb/movie/301/rating", query: secret, .json(UpstreamBodies.status(13)))
        upstream.on("GET", "/tmdb/movie/301/account_states", query: secret, .json(#"{"id":301,"rated":{"value":9}}"#))
        let rated = UpstreamBodies.row(301).dropLast() + #","rating":9}"#
        upstream.on(
            "GET", "/tmdb/account/7041/rated/movies", query: secret, .json(UpstreamBodies.page([String(rated)])))
        upstream.on("GET", "/tmdb/account/7041/watchlist/movies", query: secret) { [origin = upstream] _ in
            let isThere = origin.requestCount(to: Self.watchlistPath) > 0
            return .json(UpstreamBodies.page(isThere ? [UpstreamBodies.row(301)] : []))
        }
        upstream.on("POST", Self.watchlistPath, query: secret, .json(UpstreamBodies.status(1), status: 201))
        upstream.on("POST", "/tmdb/movie/999/rating", .json(UpstreamBodies.status(34), status: 404))
        upstream.on("DELETE", "/tmdb/authentication/session", .json(#"{"success":true}"#))
    }

    @Test func aUserApprovesAndRatesAndTheUpstreamsSessionNeverLeaves() async throws {
        try await withUpstream { upstream in
            self.fill(upstream)
            var answers: [AppClient.Answer] = []
            var token = ""
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb], ["--log-level", "trace"]) {
                fixture in
                var app = fixture.app
                func send(_ method: String, _ target: String, body: String? = nil) async throws -> AppClient.Answer {
                    let answer = try await app.send(method, target, body: body)
                    answers.append(answer)
                    return answer
                }
                let authorization = try await send("POST", "/auth/token")
                #expect(authorization.body.authorizeURL.text == "https://www.themoviedb.org/authenticate/0a1b2c3d4e5f")
                #expect(authorization.body.expiresAt.text == "2099-08-26T17:04:39Z")
                let device = try await send("POST", "/auth/device")
                let deviceToken = try #require(device.body.token.text)
                app.token = deviceToken
                for list in ["favourites", "watchlist"] {
                    #expect(try await send("PUT", "/\(list)/tmdb:301").status == 201)
                }
                let order = #"{"requestToken":"0a1b2c3d4e5f"}"#
                let early = try await send("POST", "/auth/session", body: order)
                #expect(early.status == 401 && early.body.type.text?.hasSuffix("not-approved") == true)
                let session = try await send("POST", "/auth/session", body: order)
                #expect(session.status == 200 && session.headers["set-cookie"]?.contains("HttpOnly") == true)
                #expect(session.body.movedFavourites.int == 1 && session.body.movedToWatchlist.int == 1)
                for list in ["favourites", "watchlist"] {
                    #expect(try await send("GET", "/\(list)").body.results.list.isEmpty)
                }
                token = try #require(session.body.token.text)
                #expect(try await send("POST", "/auth/session", body: order).status == 404)
                app.token = token

                #expect(try await send("GET", "/account").body.username.text == "deungdae")
                #expect(try await send("GET", "/favourites").body.results.list.compactMap(\.id.text) == ["tmdb:301"])
                for _ in 0..<2 {
                    let watchlist = try await send("GET", "/watchlist")
                    #expect(watchlist.status == 200, "\(watchlist.text)")
                    #expect(watchlist.body.results.list.compactMap(\.id.text) == ["tmdb:301"], "\(watchlist.text)")
                    // After sign-in, a device's watchlist is moved to TMDB.
                    try await upstream.requestsArrived(at: Self.watchlistPath)
                }
                for _ in 0..<2 {
                    #expect(try await send("PUT", "/movies/tmdb:301/rating", body: #"{"value":9}"#).status == 200)
                }
                #expect(try await send("GET", "/movies/tmdb:301/rating").body.value.double == 9)
                #expect(try await send("GET", "/account/ratings").body.results[0].rating.double == 9)
                let marked = try await send("GET", "/movies/tmdb:301?marks=true").body
                #expect(marked.isFavourite.bool == true && marked.isOnWatchlist.bool == true)
                #expect(marked.myRating.double == 9)
                #expect(try await send("DELETE", "/movies/tmdb:301/rating").status == 204)
                let marks = try await send("GET", "/me/marks?ids=tmdb:301")
                let listed = #"{"id":"tmdb:301","isFavourite":true,"isOnWatchlist":true,"myRating":null}"#
                #expect(marks.text == #"{"results":["# + listed + "]}")
                #expect(
                    upstream.requestCount(to: "/tmdb/account/7041/rated/movies") == 2,
                    "one page, and one read for marks")
                #expect(try await send("PUT", "/movies/tmdb:999/rating", body: #"{"value":9}"#).status == 404)
                let bodies = upstream.requests.filter { $0.path == "/tmdb/movie/301/rating" && $0.method == "POST" }
                #expect(
                    bodies.map { String(decoding: $0.body, as: UTF8.self) }
                        == Array(repeating: #"{"value":9.0}"#, count: 2))
                try self.check(fixture, token: token)
                #expect(try self.isInLibrary("7041"), "what is looked for would not be found")
            }
            // After a restart, the session is still valid.
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb], ["--log-level", "trace"]) {
                fixture in
                var app = fixture.app
                app.token = token
                answers.append(try await app.send("GET", "/account"))
                #expect(answers.last?.status == 200)
                #expect(try await app.get("/favourites").results.list.compactMap(\.id.text) == ["tmdb:301"])
                answers.append(try await app.send("DELETE", "/auth/session"))
                #expect(answers.last?.status == 204)
                let ended = upstream.requests.last
                #expect(ended?.method == "DELETE" && ended?.path == "/tmdb/authentication/session")
                #expect(ended.map { String(decoding: $0.body, as: UTF8.self) } == #"{"session_id":"\#(Self.session)"}"#)
                #expect(try await app.send("GET", "/account").status == 401)
                try self.check(fixture, token: token)
            }
            try self.checkFiles(token: token)
            for answer in answers {
                #expect(!"\(answer.headers)\(answer.text)".contains(Self.session))
            }
        }
    }

    @Test func aSessionThatTMDBHasEndedIsOverHere() async throws {
        try await withUpstream { upstream in
            self.fill(upstream)
            upstream.on("POST", "/tmdb/authentication/session/new", .json(UpstreamBodies.session(Self.session)))
            try await UpstreamFixture.run(upstream, data: self.data, sources: [.tmdb]) { fixture in
                var app = fixture.app
                let session = try await app.send("POST", "/auth/session", body: #"{"requestToken":"0a1b2c3d4e5f"}"#)
                let token = try #require(session.body.token.text)
                app.token = token
                upstream.on("GET", "/tmdb/account", .json(UpstreamBodies.status(3), status: 401))
                for _ in 0..<2 {
                    let over = try await app.send("GET", "/account")
                    #expect(over.status == 401 && over.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
                }
                // An ended session is not requested again.
                #expect(upstream.requestCount(to: "/tmdb/account") == 2)
                #expect(try await app.get("/movies/lists/popular").results.list.count == 3)
            }
        }
    }

    /// Checks that files and output of the running service contain no credentials.
    private func check(_ fixture: UpstreamFixture, token: String) throws {
        try self.checkFiles(token: token)
        let said = fixture.server.errors
        #expect(!said.contains(Self.session) && !said.contains(token))
        #expect(!said.contains(try #require(UpstreamFixture.keys[.tmdb])))
    }

    /// Checks that no file contains a credential in cleartext.
    private func checkFiles(token: String) throws {
        try #require(!token.isEmpty)
        let names = self.folder.files
        #expect(names.contains("data/library.sqlite") && names.contains("data/answers.sqlite"))
        for name in names {
            let bytes = try Data(contentsOf: URL(filePath: "\(self.folder.path)/\(name)"))
            for secret in [Self.session, token] + UpstreamFixture.keys.values {
                #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    private func isInLibrary(_ text: String) throws -> Bool {
        try self.folder.files.filter { $0.hasPrefix("data/library.sqlite") }.contains { name in
            let bytes = try Data(contentsOf: URL(filePath: "\(self.folder.path)/\(name)"))
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }
}
