import MovieDomain
import PosterTesting
import Testing
import UpstreamClient

@testable import MovieSources

@Suite("Accounts of TMDB")
struct TMDBAccountsTests {
    private let session = UpstreamSession(source: .tmdb, secret: "5e55", accountID: "548")
    private let id = MovieID(source: .tmdb, key: "550")!
    private let account = #"{"id":548,"name":"","username":"travis"}"#

    @Test func aRequestTokenLeadsToTheWebsite() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "GET", "/3/authentication/token/new",
                .json(#"{"success":true,"expires_at":"2016-08-26 17:04:39 UTC","request_token":"abc1"}"#))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let pending = try await accounts.requestAuthorization(returningTo: "app://back?a=1&b")
            #expect(pending.token == "abc1")
            #expect(
                pending.url == "https://www.themoviedb.org/authenticate/abc1?redirect_to=app%3A%2F%2Fback%3Fa%3D1%26b")
            #expect(pending.expiresAt.description == "2016-08-26T17:04:39Z")
            #expect(accounts.approvalOrigin.map { pending.url.hasPrefix($0 + "/") } == true)
            let plain = try await accounts.requestAuthorization(returningTo: nil)
            #expect(plain.url == "https://www.themoviedb.org/authenticate/abc1")
            #expect(upstream.requests.count == 2)
        }
    }

    @Test func aTokenThatIsNotApprovedMayBeTriedAgain() async throws {
        try await withUpstream { upstream in
            upstream.on(
                "POST", "/3/authentication/session/new",
                inTurn: [
                    .json(TMDBFixtures.status(17), status: 401), .json(#"{"success":true,"session_id":"5e55"}"#),
                ])
            upstream.on("GET", "/3/account", query: ["session_id": "5e55"], .json(self.account))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: AuthorizationFailure.notApproved) { _ = try await accounts.session(for: "abc1") }
            #expect(try await accounts.session(for: "abc1") == self.session)
            #expect(upstream.requests[0].body == Array(#"{"request_token":"abc1"}"#.utf8))
            #expect(try await accounts.account(of: self.session).username == "travis")
        }
    }

    @Test(arguments: [
        (TMDBFixtures.status(33), 401, AuthorizationFailure.unknownToken), (TMDBFixtures.status(6), 404, .unknownToken),
        (TMDBFixtures.status(41), 422, .notApproved), (TMDBFixtures.status(16), 401, .denied),
        (#"{"success":false}"#, 200, .unknownToken), (#"{"success":false}"#, 401, .unknownToken),
    ])
    func aTokenIsRefused(body: String, status: Int, failure: AuthorizationFailure) async throws {
        try await withUpstream { upstream in
            upstream.on("POST", "/3/authentication/session/new", .json(body, status: status))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: failure) { _ = try await accounts.session(for: "abc1") }
        }
    }

    @Test(arguments: ["", "a b", #"a","x":""#, "a/b", String(repeating: "a", count: 300)])
    func whatIsNoTokenIsNotSent(token: String) async throws {
        try await withUpstream { upstream in
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: AuthorizationFailure.unknownToken) { _ = try await accounts.session(for: token) }
            #expect(upstream.requests.isEmpty)
        }
    }

    @Test func aSessionIsNotLostWhenItsAccountCannotBeAskedFor() async throws {
        try await withUpstream { upstream in
            upstream.on("POST", "/3/authentication/session/new", .json(#"{"success":true,"session_id":"5e55"}"#))
            upstream.on("GET", "/3/account", inTurn: [.status(500), .json(self.account)])
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: SourceFailure.self) { _ = try await accounts.session(for: "abc1") }
            #expect(try await accounts.session(for: "abc1") == self.session)
            #expect(upstream.requestCount(to: "/3/authentication/session/new") == 1)
        }
    }

    @Test func ratesAndForgets() async throws {
        try await withUpstream { upstream in
            let path = "/3/movie/550/rating"
            upstream.on(
                "POST", path,
                inTurn: [
                    .json(TMDBFixtures.status(1), status: 201), .json(TMDBFixtures.status(12), status: 201),
                    .json(TMDBFixtures.status(34), status: 404),
                ])
            upstream.on("DELETE", path, .json(TMDBFixtures.status(13)))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let rating = try #require(Rating(8.5))
            #expect(try await accounts.rate(self.id, rating, with: self.session))
            #expect(try await accounts.rate(self.id, rating, with: self.session))
            #expect(try await accounts.rate(self.id, rating, with: self.session) == false)
            #expect(try await accounts.unrate(self.id, with: self.session))
            #expect(upstream.requests.map(\.method) == ["POST", "POST", "POST", "DELETE"])
            #expect(upstream.requests[0].body == Array(#"{"value":8.5}"#.utf8))
            #expect(upstream.requests.allSatisfy { $0.query["session_id"] == "5e55" })
        }
    }

    @Test(
        "a response without success is a failure",
        arguments: [
            OriginScript.html(status: 200), .json("{}"), .json(TMDBFixtures.status(2)), .json(#"{"success":true}"#),
            .answer(status: 200),
        ])
    func notDone(script: OriginScript) async throws {
        try await withUpstream { upstream in
            upstream.on("POST", "/3/movie/550/rating", script)
            upstream.on("DELETE", "/3/movie/550/rating", script)
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let failure = SourceFailure.badAnswer(.tmdb, reason: "the response does not confirm the change")
            await #expect(throws: failure) {
                _ = try await accounts.rate(self.id, try #require(Rating(9)), with: self.session)
            }
            await #expect(throws: failure) { _ = try await accounts.unrate(self.id, with: self.session) }
        }
    }

    @Test(arguments: [
        (#"{"rated":{"value":9}}"#, 9.0 as Double?), (#"{"rated":{"value":8.5}}"#, 8.5), (#"{"rated":false}"#, nil),
        ("{}", nil), (#"{"rated":{"value":"7"}}"#, 7),
    ])
    func aRatingIsOneRequest(body: String, value: Double?) async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/account_states", .json(body))
            let rating = try await AdapterFixture(upstream).tmdb().accounts.rating(of: self.id, with: self.session)
            #expect(rating?.value == value)
            #expect(upstream.requests.count == 1)
        }
    }

    @Test func aFilmThatTMDBDoesNotHaveHasNoRating() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/movie/550/account_states", .json(TMDBFixtures.status(34), status: 404))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: UnknownMovie(self.id)) {
                _ = try await accounts.rating(of: self.id, with: self.session)
            }
        }
    }

    @Test func listsRatings() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/genre/movie/list", .json(TMDBFixtures.genres))
            upstream.on(
                "GET", "/3/account/548/rated/movies",
                .json(
                    TMDBFixtures.page([
                        TMDBFixtures.row(1, more: #","rating":8"#), TMDBFixtures.row(2, more: #","rating":7.3"#),
                        TMDBFixtures.row(3),
                    ])))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let page = try await accounts.ratings(
                page: 1, language: LanguagePreference([.korean]), with: self.session)
            #expect(page.results.map(\.rating.value) == [8, 7.5])
            #expect(page.results[0].movie.genres.first?.name == "드라마")
            let sent = try #require(upstream.requests.first { $0.path.hasSuffix("movies") }).query
            #expect(sent["sort_by"] == "created_at.desc")
        }
    }

    @Test(arguments: [3, 17, 36, 37])
    func aSessionThatHoldsNoMoreIsOver(code: Int) async throws {
        try await withUpstream { upstream in
            let script = OriginScript.json(TMDBFixtures.status(code), status: code == 37 ? 404 : 401)
            for path in ["movie/550/rating", "movie/550/account_states", "account", "account/548/rated/movies"] {
                upstream.on(nil, "/3/\(path)", script)
            }
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            let rating = try #require(Rating(5))
            await #expect(throws: SessionExpired()) { _ = try await accounts.rate(self.id, rating, with: self.session) }
            await #expect(throws: SessionExpired()) { _ = try await accounts.unrate(self.id, with: self.session) }
            await #expect(throws: SessionExpired()) { _ = try await accounts.rating(of: self.id, with: self.session) }
            await #expect(throws: SessionExpired()) { _ = try await accounts.account(of: self.session) }
            await #expect(throws: SessionExpired()) {
                _ = try await accounts.ratings(page: 1, language: LanguagePreference(), with: self.session)
            }
        }
    }

    @Test func aRefusedKeyIsNoSessionThatIsOver() async throws {
        try await withUpstream { upstream in
            upstream.on("GET", "/3/account", .json(TMDBFixtures.status(7), status: 401))
            let accounts = try AdapterFixture(upstream).tmdb().accounts
            await #expect(throws: SourceFailure.keyRefused(.tmdb)) {
                _ = try await accounts.account(of: self.session)
            }
        }
    }

    @Test(arguments: [(200, #"{"success":true}"#), (401, TMDBFixtures.status(17)), (404, TMDBFixtures.status(37))])
    func aSessionIsGivenBack(status: Int, body: String) async throws {
        try await withUpstream { upstream in
            upstream.on("DELETE", "/3/authentication/session", .json(body, status: status))
            try await AdapterFixture(upstream).tmdb().accounts.end(self.session)
            #expect(upstream.requests.map(\.body) == [Array(#"{"session_id":"5e55"}"#.utf8)])
        }
    }
}
