import HTTPTesting
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

/// A device's favourites when its user signs in and out, and the lifetime of tokens, over real sockets.
@Suite(.timeLimit(.hang))
struct MovedFavouritesHTTPTests {
    private static let day: Duration = .seconds(86_400)

    private func titles(_ server: LiveServer, _ headers: [String: String]) async throws -> [String] {
        let answer = try await server.get("/favourites", headers: headers)
        #expect(answer.status == 200)
        return answer.objects("results").compactMap { $0["title"] as? String }.sorted()
    }

    private func bearer(_ answer: HTTPConnection.Answer) throws -> [String: String] {
        ["Authorization": "Bearer \(try #require(answer.json["token"] as? String))"]
    }

    /// A device with the favourites `film-1` and `film-2`.
    private func device(_ server: LiveServer) async throws -> [String: String] {
        let headers = try await server.device()
        for number in 1...2 {
            #expect(try await server.send("PUT", "/favourites/film-\(number)", headers: headers).status == 201)
        }
        return headers
    }

    @Test("favourites come along with the token or the cookie", arguments: [true, false])
    func comeAlong(isBearer: Bool) async throws {
        try await MovieServicesFixture(films: 2).run { server in
            let device = try await self.device(server)
            let cookie = "onesheet_session=\(device["Authorization"]!.dropFirst("Bearer ".count))"
            let sent = isBearer ? device : ["Cookie": cookie, "Origin": "http://localhost"]
            let opened = try await server.openSession(headers: sent)
            #expect(opened.status == 200 && opened.json["movedFavourites"] == nil)
            let account = try self.bearer(opened)
            #expect(try await self.titles(server, account) == ["Film 1", "Film 2"])
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
            let marked = try await server.get("/favourites/film-1", headers: account)
            #expect(marked.json["addedAt"] as? String == "1970-01-01T00:00:01Z")
            #expect(try await server.send("DELETE", "/auth/session", headers: account).status == 204)
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
        }
    }

    @Test func onceIsEnough() async throws {
        try await MovieServicesFixture(films: 2).run { server in
            let device = try await self.device(server)
            let authorization = try await server.send("POST", "/auth/token").json
            let token = try #require(authorization["requestToken"] as? String)
            let body = "{\"requestToken\":\"\(token)\"}"
            let early = try await server.send("POST", "/auth/session", body, headers: device)
            #expect(early.isProblem(401, "not-approved"))
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"], "not before it is approved")
            _ = try await server.send("POST", "/auth/approve/\(token)", "approve=1")
            let opened = try await server.send("POST", "/auth/session", body, headers: device)
            let account = try self.bearer(opened)
            try await expectProblem(
                404, "unknown-request-token", server.send("POST", "/auth/session", body, headers: device))
            #expect(try await self.titles(server, account) == ["Film 1", "Film 2"])
            #expect(try await server.openSession(headers: device).json["movedFavourites"] == nil)
            #expect(try await self.titles(server, account) == ["Film 1", "Film 2"])
        }
    }

    @Test func aGuestAndItsDeviceHaveTheSame() async throws {
        try await MovieServicesFixture(films: 3).run { server in
            let device = try await self.device(server)
            let guest = try self.bearer(try await server.openSession(headers: device))
            #expect(try await server.send("PUT", "/favourites/film-3", headers: guest).status == 201)
            #expect(try await server.send("DELETE", "/favourites/film-1", headers: guest).status == 204)
            for headers in [guest, device] {
                #expect(try await self.titles(server, headers) == ["Film 2", "Film 3"])
                #expect(try await server.get("/favourites/film-3", headers: headers).status == 200)
                #expect(try await server.get("/favourites/film-1", headers: headers).status == 404)
                let marks = try await server.get("/me/marks?ids=film-1,film-3", headers: headers)
                #expect(marks.objects("results").map { $0["isFavourite"] as? Bool } == [false, true])
            }
        }
    }

    @Test func aBrowserThatLosesTheResponseSignsInAgainWithTheCookieThatItHas() async throws {
        try await MovieServicesFixture(films: 3).run { server in
            let device = try await self.device(server)
            func cookie(_ headers: [String: String]) -> [String: String] {
                let token = headers["Authorization"]!.dropFirst("Bearer ".count)
                return ["Cookie": "onesheet_session=\(token)", "Origin": "http://localhost"]
            }
            var held = cookie(device)
            // First as the device, then as the guest that it became.
            for _ in 1...2 {
                _ = try await server.openSession(headers: held)
                #expect(try await self.titles(server, held) == ["Film 1", "Film 2"], "the response is lost")
                held = cookie(try self.bearer(try await server.openSession(headers: held)))
                #expect(try await self.titles(server, held) == ["Film 1", "Film 2"])
            }
        }
    }

    @Test func theCookieReturnsToTheDeviceWhenTheSessionEnds() async throws {
        let fixture = try MovieServicesFixture(films: 2)
        try await fixture.run { server in
            let device = try await self.device(server)
            let token = device["Authorization"]!.dropFirst("Bearer ".count)
            let sent = ["Cookie": "onesheet_session=\(token)", "Origin": "http://localhost"]
            let opened = try await server.openSession(headers: sent)
            let line = try #require(opened.headers["set-cookie"])
            let value = line.dropFirst("onesheet_session=".count).prefix { $0 != ";" }
            #expect(value.hasSuffix(".\(token)") && value.count == 129 && line.contains("Max-Age=34560000"))
            let held = ["Cookie": "onesheet_session=\(value)", "Origin": "http://localhost"]
            #expect(try await server.get("/account", headers: held).status == 200)
            let end = try await server.send("DELETE", "/auth/session", headers: held)
            #expect(end.headers["set-cookie"]?.hasPrefix("onesheet_session=\(token); Path=/; Max-Age=34560000") == true)
            // A browser that has not received the response.
            #expect(try await self.titles(server, held) == ["Film 1", "Film 2"])
            try await expectProblem(401, "session-required", server.get("/account", headers: held))
        }
    }

    @Test func aGuestsTokenThatIsLostOrExpiresTakesNoneAlong() async throws {
        let fixture = try MovieServicesFixture(films: 3)
        try await fixture.run { server in
            let device = try await self.device(server)
            // The client does not receive this response.
            _ = try await server.openSession(headers: device)
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
            let guest = try self.bearer(try await server.openSession(headers: device))
            #expect(try await server.send("PUT", "/favourites/film-3", headers: guest).status == 201)
            fixture.day.advance(by: Self.day * 31)
            try await expectProblem(401, "session-required", server.get("/favourites", headers: guest))
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2", "Film 3"])
        }
    }

    @Test func aDeviceWhoseGuestIsInUseDoesNotExpire() async throws {
        let fixture = try MovieServicesFixture(films: 2)
        try await fixture.run { server in
            let device = try await self.device(server)
            let guest = try self.bearer(try await server.openSession(headers: device))
            for _ in 1...20 {
                fixture.day.advance(by: Self.day * 20)
                #expect(try await self.titles(server, guest) == ["Film 1", "Film 2"])
            }
            fixture.day.advance(by: Self.day * 364)
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
        }
    }

    @Test func aGuestWhoSignsInAgainKeepsThem() async throws {
        try await MovieServicesFixture(films: 2).run { server in
            let device = try await self.device(server)
            let first = try self.bearer(try await server.openSession(headers: device))
            let second = try self.bearer(try await server.openSession(headers: first))
            #expect(try await self.titles(server, second) == ["Film 1", "Film 2"])
            #expect(try await server.send("DELETE", "/auth/session", headers: second).status == 204)
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
        }
    }

    @Test func whatIsNoValidTokenOfThisSiteIsIgnored() async throws {
        try await MovieServicesFixture(films: 2).run { server in
            let device = try await self.device(server)
            let cookie = "onesheet_session=\(device["Authorization"]!.dropFirst("Bearer ".count))"
            for headers in [
                [:], ["Authorization": "Bearer x"], ["Authorization": "Bearer \(String(repeating: "0", count: 64))"],
                ["Cookie": "onesheet_session=x"], ["Cookie": cookie, "Origin": "https://evil.example"],
                ["Cookie": cookie, "Sec-Fetch-Site": "cross-site"],
            ] {
                let opened = try await server.openSession(headers: headers)
                #expect(opened.status == 200 && opened.json["movedFavourites"] == nil, "\(headers)")
                #expect(try await self.titles(server, try self.bearer(opened)) == [])
            }
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
        }
    }

    @Test func aTokenInUseDoesNotExpire() async throws {
        let fixture = try MovieServicesFixture(films: 2)
        try await fixture.run { server in
            let device = try await self.device(server)
            let unused = try await server.device()
            for _ in 1...3 {
                fixture.day.advance(by: Self.day * 364)
                #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
            }
            // Requests for public resources renew the token, too.
            fixture.day.advance(by: Self.day * 364)
            #expect(
                try await server.get("/movies/film-1?marks=true", headers: device).json["isFavourite"] as? Bool == true)
            fixture.day.advance(by: Self.day * 364)
            #expect(try await self.titles(server, device) == ["Film 1", "Film 2"])
            try await expectProblem(401, "session-required", server.get("/favourites", headers: unused))
            fixture.day.advance(by: Self.day * 366)
            try await expectProblem(401, "session-required", server.get("/favourites", headers: device))
        }
    }

    @Test func aTokenIsRenewedOnceADayAndStaysValidWhenItCannotBe() async throws {
        let fixture = try MovieServicesFixture()
        try await fixture.run { server in
            let device = try await server.device()
            for _ in 1...3 { #expect(try await server.get("/favourites", headers: device).status == 200) }
            #expect(fixture.sessions.renewalCount == 0)
            fixture.day.advance(by: Self.day * 2)
            fixture.sessions.failRenewals(with: StorageFailure(reason: "full"))
            for _ in 1...3 { #expect(try await server.get("/favourites", headers: device).status == 200) }
            #expect(fixture.sessions.renewalCount == 1, "not with every request")
            fixture.sessions.failRenewals(with: nil)
            fixture.day.advance(by: .seconds(60))
            for _ in 1...3 { #expect(try await server.get("/favourites", headers: device).status == 200) }
            #expect(fixture.sessions.renewalCount == 2)
        }
    }
}
