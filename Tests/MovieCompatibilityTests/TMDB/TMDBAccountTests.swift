import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Accounts without a key: sign-in by approval, lists and ratings.
@Suite(.timeLimit(.hang))
struct TMDBAccountTests {
    private static let film = TMDBNumber.number(of: CatalogueFixture.film) ?? 0

    private static func check(_ answer: TMDBClient.Answer, _ operation: String) throws {
        guard let schema = TMDBSchema.all else { return }
        #expect(schema.faults(try answer.json, operation).isEmpty)
    }

    @Test func aUserSignsInByApproval() async throws {
        try await CatalogueFixture.common.run { client in
            let wish = try await client.get("authentication/token/new")
            try Self.check(wish, "GET /3/authentication/token/new")
            let token = try #require(try wish.json["request_token"]?.string)
            #expect(try wish.json["expires_at"]?.string == "2026-05-28 21:26:40 UTC")
            #expect(wish.headers["authentication-callback"] == "http://localhost/auth/approve/\(token)")
            let early = try await client.get("authentication/session/new?request_token=\(token)")
            #expect(early.status == 401)
            #expect(try early.code == 17)
            let session = try await client.signIn()
            let account = try await client.get("account?session_id=\(session)")
            try Self.check(account, "GET /3/account/{account_id}")
            let ended = try await client.send(
                "DELETE", "authentication/session", #"{"session_id":"\#(session)"}"#)
            try Self.check(ended, "DELETE /3/authentication/session")
            let after = try await client.get("account?session_id=\(session)")
            #expect(after.status == 401)
            #expect(try after.code == 3)
        }
    }

    @Test func thePageToApproveOnLeadsToTheAddressThatATokenIsFor() async throws {
        try await CatalogueFixture.common.run { client in
            let wish = try await client.get("authentication/token/new?redirect_to=app%3A%2F%2Fdone")
            let token = try #require(try wish.json["request_token"]?.string)
            let page = try await client.server.get("/compat/tmdb/authenticate/\(token)?redirect_to=https://other.test/")
            #expect(page.headers["location"] == "/auth/approve/\(token)")
            let connection = try client.server.connect()
            try connection.send(
                raw: "POST /auth/approve/\(token) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\napprove=1")
            let approved = try await connection.answer(hasBody: true)
            #expect(approved.headers["location"]?.hasPrefix("app://done") == true)
            let refused = try await client.get("authentication/token/new?redirect_to=javascript:alert(1)")
            #expect(try refused.code == 5)
        }
    }

    @Test func namesAndPasswordsAreRefusedWithThePageToApproveOn() async throws {
        try await CatalogueFixture.common.run { client in
            let body = #"{"username":"a","password":"b","request_token":"abc"}"#
            let answer = try await client.send("POST", "authentication/token/validate_with_login", body)
            #expect(answer.status == 401)
            #expect(try answer.code == 30)
            #expect(try answer.json["authenticate_url"]?.string == "http://localhost/auth/approve/abc")
            let empty = try await client.get("authentication/token/validate_with_login")
            #expect(try empty.code == 26)
        }
    }

    @Test func ratingsAreNewThenChangedThenDeleted() async throws {
        let film = Self.film
        try await CatalogueFixture.common.run { client in
            let session = "session_id=\(try await client.signIn())"
            for (value, status, code) in [("8.5", 201, 1), ("\"9\"", 201, 12)] {
                let rated = try await client.send("POST", "movie/\(film)/rating?\(session)", #"{"value":\#(value)}"#)
                #expect(rated.status == status)
                #expect(try rated.code == code)
            }
            let list = try await client.get("account/1/rated/movies?\(session)")
            try Self.check(list, "GET /3/account/{account_id}/rated/movies")
            #expect(try list.json["results"]?.elements.first?["rating"] == .integer(9))
            let states = try await client.get("movie/\(film)/account_states?\(session)")
            try Self.check(states, "GET /3/movie/{movie_id}/account_states")
            #expect(try states.json["rated"]?["value"] == .integer(9))
            let deleted = try await client.send("DELETE", "movie/\(film)/rating?\(session)")
            #expect(deleted.status == 200)
            #expect(try deleted.code == 13)
            let others = try await client.get("movie/\(film)?append_to_response=account_states&\(session)")
            #expect(try others.json["account_states"]?["rated"] == false)
            #expect(others.headers["cache-control"] == "no-store")
        }
    }

    @Test(
        "values that are no ratings are refused",
        arguments: [
            ("10.5", 400, 18), ("0", 400, 18), ("8.3", 400, 18), ("\"x\"", 400, 47), ("\"nan\"", 400, 47),
            ("true", 400, 47), ("null", 422, 5),
        ])
    func ratings(value: String, status: Int, code: Int) async throws {
        let film = Self.film
        try await CatalogueFixture.common.run { client in
            let session = try await client.signIn()
            let answer = try await client.send(
                "POST", "movie/\(film)/rating?session_id=\(session)", #"{"value":\#(value)}"#)
            #expect(answer.status == status)
            #expect(try answer.code == code)
        }
    }

    @Test(arguments: ["favorite", "watchlist"])
    func filmsArePutOnListsAndTakenFromThem(list: String) async throws {
        let film = Self.film
        try await CatalogueFixture.common.run { client in
            let session = "session_id=\(try await client.signIn())"
            let target = "account/1/\(list)?\(session)"
            for (isOn, code, id) in [(true, 1, "\(film)"), (true, 12, "\"\(film)\""), (false, 13, "\(film)")] {
                let body = #"{"media_type":"movie","media_id":\#(id),"\#(list)":\#(isOn)}"#
                let answer = try await client.send("POST", target, body)
                #expect(try answer.code == code)
                let page = try await client.get("account/1/\(list)/movies?\(session)&sort_by=created_at.asc")
                try Self.check(page, "GET /3/account/{account_id}/\(list)/movies")
                #expect(try page.json["results"]?.elements.map { $0["id"]?.integer } == (isOn ? [film] : []))
            }
        }
    }

    @Test func guestsRateWithoutASignIn() async throws {
        let film = Self.film
        try await CatalogueFixture.common.run { client in
            let opened = try await client.get("authentication/guest_session/new")
            try Self.check(opened, "GET /3/authentication/guest_session/new")
            let guest = try #require(try opened.json["guest_session_id"]?.string)
            let rated = try await client.send(
                "POST", "movie/\(film)/rating?guest_session_id=\(guest)", #"{"value":7}"#)
            #expect(rated.status == 201)
            let list = try await client.get("guest_session/\(guest)/rated/movies")
            try Self.check(list, "GET /3/guest_session/{guest_session_id}/rated/movies")
            #expect(try list.json["total_results"]?.integer == 1)
        }
    }

    @Test(
        "lists in ascending order are the others in reverse", arguments: [(1, [1, 2, 3]), (2, [])])
    func ascending(page: Int, order: [Int]) async throws {
        try await CatalogueFixture.common.run { client in
            let session = "session_id=\(try await client.signIn())"
            let films = try await client.get("movie/popular").json["results"]?.elements.prefix(3) ?? []
            let ids = films.compactMap { $0["id"]?.integer }
            for id in ids {
                _ = try await client.send("POST", "movie/\(id)/rating?\(session)", #"{"value":5}"#)
            }
            let rated = try await client.get("account/1/rated/movies?\(session)&sort_by=created_at.asc&page=\(page)")
            #expect(try rated.json["results"]?.elements.map { $0["id"]?.integer } == order.map { ids[$0 - 1] })
        }
    }
}
