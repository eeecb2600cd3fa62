import Foundation
import HTTPTesting
import MovieAPI
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@Suite(.timeLimit(.hang))
struct RatingHTTPTests {
    private static let target = "/movies/heat-1995/rating"

    @Test func aRatingIsPutReadReplacedAndForgotten() async throws {
        try await MovieServicesFixture().run { server in
            let headers = try await server.signIn()
            let none = try await server.get(Self.target, headers: headers)
            #expect(none.status == 200 && none.text == "{\"value\":null}")
            for value in ["9", "9.0", "8.5"] {
                let answer = try await server.send("PUT", Self.target, "{\"value\":\(value)}", headers: headers)
                #expect(answer.status == 200)
                let read = try await server.get(Self.target, headers: headers)
                #expect(read.json["value"] as? Double == Double(value))
            }
            let list = try await server.get("/account/ratings", headers: headers)
            #expect(list.headers["link"]?.contains("rel=\"first\"") == true)
            let results = list.objects("results")
            #expect(results.count == 1 && results[0]["rating"] as? Double == 8.5)
            #expect(results[0]["id"] as? String == "heat-1995" && results[0]["title"] as? String == "히트")
            #expect(results[0]["isFavourite"] as? Bool == false)
            for _ in 0..<2 {
                let answer = try await server.send("DELETE", Self.target, headers: headers)
                #expect(answer.status == 204)
            }
            #expect(try await server.get("/account/ratings", headers: headers).objects("results").count == 0)
        }
    }

    @Test(arguments: [
        "{\"value\":0}", "{\"value\":0.25}", "{\"value\":10.5}", "{\"value\":-1}", "{\"value\":\"9\"}", "{}", "9", "",
        "{\"value\":null}", "{\"value\":1e999}",
    ])
    func whatIsNoRatingIsRefused(body: String) async throws {
        try await MovieServicesFixture().run { server in
            let headers = try await server.signIn()
            let answer = try await server.send("PUT", Self.target, body, headers: headers)
            #expect(answer.isProblem(400, "invalid-body") && answer.text.contains("from 0.5 to 10 in steps of 0.5"))
        }
    }

    @Test(arguments: [
        ("PUT", Self.target, "{\"value\":9,\"x\":1}", "value"),
        ("POST", "/auth/token", "{\"returnTo\":\"https://a.test\"}", "redirectTo"),
        ("POST", "/auth/session", "{\"requestToken\":\"a\",\"\\u0000\":1}", "requestToken"),
    ])
    func anUnknownMemberIsRefusedWithTheNamesOfTheKnown(
        method: String, target: String, body: String, known: String
    ) async throws {
        try await MovieServicesFixture().run { server in
            let headers = try await server.signIn()
            let answer = try await server.send(method, target, body, headers: headers)
            expectProblem(400, "invalid-body", answer)
            #expect(answer.text.contains("known members: \(known)"))
        }
    }

    @Test(arguments: [
        ("/movies/nothing/rating", 404, "unknown-movie"), ("/movies/tmdb:603/rating", 404, "unknown-movie"),
        ("/movies/Heat/rating", 400, "invalid-id"), ("/movies/%FF/rating", 400, "invalid-id"),
        ("/movies/heat-1995/rating?x=1", 400, "invalid-parameter"),
    ])
    func whatIsNotThereIsNotRated(target: String, status: Int, kind: String) async throws {
        try await MovieServicesFixture().run { server in
            let headers = try await server.signIn()
            for method in ["PUT", "GET", "DELETE"] {
                let body = method == "PUT" ? "{\"value\":9}" : ""
                let answer = try await server.send(method, target, body, headers: headers)
                #expect(answer.isProblem(status, kind), "\(method): \(answer.text)")
            }
        }
    }

    @Test func ratingsComeInPages() async throws {
        try await MovieServicesFixture(films: 21).run { server in
            let headers = try await server.signIn()
            for number in 1...21 {
                let answer = try await server.send(
                    "PUT", "/movies/film-\(number)/rating", "{\"value\":5}", headers: headers)
                #expect(answer.status == 200)
            }
            let first = try await server.get("/account/ratings", headers: headers)
            #expect(first.objects("results").count == 20)
            #expect(first.headers["link"]?.contains("</account/ratings?page=2>; rel=\"next\"") == true)
            let last = try await server.get("/account/ratings?page=2", headers: headers)
            #expect(last.objects("results").map { $0["id"] as? String } == ["film-1"], "the latest first")
            #expect(last.headers["link"]?.contains("next") == false)
            #expect(last.json["totalResults"] as? Int == 21)
            let wrong = try await server.get("/account/ratings?page=0", headers: headers)
            #expect(wrong.isProblem(400, "invalid-parameter"))
        }
    }

    @Test func aSessionThatItsSourceHasEndedEnds() async throws {
        let fixture = try MovieServicesFixture()
        let accounts = ScriptedAccounts(source: .embedded)
        accounts.decide("token", .success(()))
        var services = fixture.services
        services.accounts = accounts
        var settings = LiveServer.Settings()
        settings.films = services
        let all = settings
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, all) { server in
                let session = try await server.send("POST", "/auth/session", "{\"requestToken\":\"token\"}").json
                let headers = ["Authorization": "Bearer \(try #require(session["token"] as? String))"]
                accounts.fail(with: .busy(.embedded, retryAfterSeconds: 7))
                let busy = try await server.get("/account", headers: headers)
                #expect(busy.isProblem(503, "source-busy") && busy.headers["retry-after"] == "7")
                accounts.fail(with: nil)
                accounts.forgetSessions()
                let over = try await server.get("/account", headers: headers)
                #expect(over.isProblem(401, "session-required") && over.text.contains("sign in again"))
                #expect(fixture.sessions.count == 0)
            }
        }
    }
}
