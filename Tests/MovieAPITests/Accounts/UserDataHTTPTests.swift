import HTTPTesting
import PosterTesting
import ServiceTesting
import Testing

/// Export and erasure of user data in a library, over real sockets.
@Suite(.timeLimit(.hang))
struct UserDataHTTPTests {
    private static let film = "heat-1995"

    private func run(_ body: @escaping @Sendable (LiveServer) async throws -> Void) async throws {
        var fixture = try MovieServicesFixture(films: 1)
        fixture.storeInLibrary()
        try await fixture.run { server in try await body(server) }
    }

    /// Puts films on both lists and rates one.
    private static func mark(_ server: LiveServer, _ headers: [String: String]) async throws {
        for target in ["/favourites/\(self.film)", "/watchlist/film-1"] {
            #expect(try await server.send("PUT", target, headers: headers).status == 201)
        }
        let rated = try await server.send("PUT", "/movies/\(self.film)/rating", "{\"value\":8.5}", headers: headers)
        #expect(rated.status == 200)
    }

    @Test func anExportHasAllThatIsStoredButTheTokens() async throws {
        try await self.run { server in
            let device = try await server.device()
            let session = try await server.openSession(headers: device).json
            let token = try #require(session["token"] as? String)
            let headers = ["Authorization": "Bearer \(token)"]
            try await Self.mark(server, headers)
            let answer = try await server.get("/account/export", headers: headers)
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
            #expect(answer.headers["content-disposition"] == "attachment; filename=\"onesheet-account.json\"")
            #expect(answer.headers["cache-control"] == "private, no-store")
            let export = answer.json
            #expect(export["version"] as? Int == 1 && export["isComplete"] as? Bool == true)
            #expect(export["exportedAt"] as? String == "1970-01-01T00:00:01Z")
            let account = try await server.get("/account", headers: headers).json
            let id = try #require(account["id"] as? String)
            #expect(export["owner"] as? String == "sample:\(id)")
            #expect(answer.objects("accounts").map { $0["username"] as? String } == [account["username"] as? String])
            for (list, film, title) in [("favourites", Self.film, "히트"), ("watchlist", "film-1", "Film 1")] {
                let films = answer.objects(list)
                #expect(films.map { $0["id"] as? String } == [film] && films[0]["title"] as? String == title)
                #expect(films[0]["addedAt"] as? String == "1970-01-01T00:00:01Z")
            }
            let ratings = answer.objects("ratings")
            #expect(ratings.map { $0["rating"] as? Double } == [8.5])
            #expect(ratings[0]["ratedAt"] as? String == "1970-01-01T00:00:01Z")
            #expect(answer.objects("sessions").count == 2, "the guest's and its device's")
            #expect(!answer.text.contains(token))
            let ofDevice = try await server.get("/account/export", headers: device)
            #expect(ofDevice.objects("ratings").count == 1, "a device has the same")
        }
    }

    @Test func anErasureLeavesNoTokenAndTouchesNobodyElse() async throws {
        try await self.run { server in
            let device = try await server.device()
            let token = try #require(try await server.openSession(headers: device).json["token"] as? String)
            let (guest, other) = (["Authorization": "Bearer \(token)"], try await server.signIn())
            for headers in [guest, other] { try await Self.mark(server, headers) }
            let erased = try await server.send("DELETE", "/account", headers: guest)
            #expect(erased.status == 204 && erased.headers["cache-control"] == "private, no-store")
            for headers in [guest, device] {
                for (method, target) in [
                    ("GET", "/account"), ("GET", "/account/export"), ("GET", "/favourites"), ("DELETE", "/account"),
                ] {
                    try await expectProblem(401, "session-required", server.send(method, target, headers: headers))
                }
            }
            let rest = try await server.get("/account/export", headers: other)
            for list in ["favourites", "watchlist", "ratings", "sessions"] { #expect(rest.objects(list).count == 1) }
        }
    }

    @Test func bothNeedASession() async throws {
        try await self.run { server in
            for headers in [[:], ["Authorization": "Bearer \(String(repeating: "0", count: 64))"]] {
                for (method, target) in [("GET", "/account/export"), ("DELETE", "/account")] {
                    let answer = try await server.send(method, target, headers: headers)
                    expectProblem(401, "session-required", answer)
                    #expect(answer.headers["content-disposition"] == nil)
                }
            }
            let headers = try await server.signIn()
            for (method, target) in [("GET", "/account/export?page=1"), ("DELETE", "/account?all=1")] {
                try await expectProblem(400, "invalid-parameter", server.send(method, target, headers: headers))
            }
        }
    }

    @Test func aPageOfAnotherSiteErasesNothingByTheCookie() async throws {
        try await self.run { server in
            let token = try #require(try await server.openSession().json["token"] as? String)
            var headers = ["Cookie": "onesheet_session=\(token)", "Sec-Fetch-Site": "cross-site"]
            try await expectProblem(403, "cross-site", server.send("DELETE", "/account", headers: headers))
            #expect(try await server.get("/account", headers: ["Cookie": "onesheet_session=\(token)"]).status == 200)
            headers["Sec-Fetch-Site"] = "same-origin"
            let erased = try await server.send("DELETE", "/account", headers: headers)
            #expect(
                erased.status == 204
                    && erased.headers["set-cookie"] == "onesheet_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
        }
    }
}
