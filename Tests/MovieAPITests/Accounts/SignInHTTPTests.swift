import HTTPTesting
import MovieHTTP
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Sign-in, and the responses of different clients, over real sockets.
@Suite(.timeLimit(.hang))
struct SignInHTTPTests {
    private static let day: Duration = .seconds(86_400)

    @Test("the page of approval is at the host of an absolute target, whatever Host is")
    func hostOfAnAbsoluteTarget() async throws {
        try await MovieServicesFixture().run { server in
            for (start, host, own) in [
                ("http://good.example", "evil.example", "good.example"), ("", "good.example:81", "good.example:81"),
            ] {
                let client = try server.connect()
                try client.send(
                    raw: "POST \(start)/auth/token HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\n\r\n")
                let pending = try await client.answer()
                #expect((pending.json["authorizeURL"] as? String)?.hasPrefix("http://\(own)/auth/approve/") == true)
                #expect(pending.headers["vary"] == "Host" && !pending.text.contains("evil.example"))
            }
        }
    }

    @Test func aSessionIsMadeOfARequestTokenOnceItWasApproved() async throws {
        let fixture = try MovieServicesFixture()
        try await fixture.run { server in
            let pending = try await server.send("POST", "/auth/token")
            #expect(pending.status == 200 && pending.headers["cache-control"] == "private, no-store")
            let token = try #require(pending.json["requestToken"] as? String)
            #expect(pending.json["authorizeURL"] as? String == "http://localhost/auth/approve/\(token)")
            #expect(pending.json["expiresAt"] as? String == "1970-01-01T01:00:01Z")

            let order = "{\"requestToken\":\"\(token)\"}"
            for _ in 0..<2 {
                let early = try await server.send("POST", "/auth/session", order)
                #expect(early.isProblem(401, "not-approved") && early.headers["www-authenticate"] == "Bearer")
            }
            let page = try await server.get("/auth/approve/\(token)")
            #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.text.contains("<form method=\"post\">") && !page.text.contains("<script"))
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.contains("form-action 'self';") && policy.contains("frame-ancestors 'none'"))
            #expect(page.headers["referrer-policy"] == "no-referrer" && page.headers["x-frame-options"] == "DENY")

            let texts = [
                ("ko, en", "ko", "이 서버의 손님"), ("fr, en", "en", "a guest of this server"),
                ("fr, ja, ko", "ja", "このサーバーのゲスト"),
            ]
            for (language, lang, guest) in texts {
                let page = try await server.get("/auth/approve/\(token)", headers: ["Accept-Language": language])
                #expect(page.text.contains("<html lang=\"\(lang)\">") && page.text.contains(guest))
            }

            for (theme, attribute) in [
                ("dark", "<html lang=\"en\" data-theme=\"dark\">"), ("x", "<html lang=\"en\">"),
            ] {
                let headers = ["Accept-Language": "en", "Cookie": "onesheet_theme=\(theme)"]
                #expect(try await server.get("/auth/approve/\(token)", headers: headers).text.contains(attribute))
            }

            let english = ["Accept-Language": "en"]
            let approval = try await server.send("POST", "/auth/approve/\(token)", "approve=1", headers: english)
            #expect(approval.status == 200 && approval.text.contains("Approved"))
            let late = try await server.send("POST", "/auth/approve/\(token)", "deny=1", headers: english)
            #expect(late.text.contains("Approved"), "what was said once stays")

            let session = try await server.send("POST", "/auth/session", order)
            #expect(session.status == 200)
            #expect(session.json["expiresAt"] as? String == "1970-01-31T00:00:01Z")
            let secret = try #require(session.json["token"] as? String)
            #expect(
                session.headers["set-cookie"]
                    == "onesheet_session=\(secret); Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax")
            try await expectProblem(404, "unknown-request-token", server.send("POST", "/auth/session", order))
            #expect(try await server.get("/auth/approve/\(token)").status == 404)

            for headers in [["Authorization": "bearer \(secret)"], ["Cookie": "a=b; onesheet_session=\(secret)"]] {
                let account = try await server.get("/account", headers: headers)
                #expect(account.status == 200 && account.headers["cache-control"] == "private, no-cache")
                #expect(account.headers["access-control-allow-origin"] == "*")
                #expect(account.headers["access-control-allow-credentials"] == nil)
                let object = account.json
                #expect(object["source"] as? String == "sample" && object["username"] is String)
            }

            for cookie in ["onesheet_session=\(secret)", "onesheet_session=nonsense"] {
                let end = try await server.send("DELETE", "/auth/session", headers: ["Cookie": cookie])
                #expect(end.status == 204 && end.headers["content-length"] == nil)
                #expect(
                    end.headers["set-cookie"] == "onesheet_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
            }
            #expect(try await server.send("DELETE", "/auth/session").status == 204)
            let over = try await server.get("/account", headers: ["Authorization": "Bearer \(secret)"])
            #expect(over.isProblem(401, "session-required"))
        }
    }

    @Test(arguments: [
        ("https://app.example/done?a=b", "https://app.example/done?a=b&", "https://app.example"),
        ("moviefinder://done", "moviefinder://done?", "moviefinder:"),
    ])
    func aRefusalRedirectsBackWithoutASession(address: String, start: String, source: String) async throws {
        let fixture = try MovieServicesFixture()
        try await fixture.run { server in
            for (word, outcome) in [("approve", "approved"), ("deny", "denied")] {
                let pending = try await server.send("POST", "/auth/token", "{\"redirectTo\":\"\(address)\"}")
                let token = try #require(pending.json["requestToken"] as? String)
                let page = try await server.get("/auth/approve/\(token)")
                #expect(
                    page.headers["content-security-policy"]?.contains("form-action 'self' \(source);") == true,
                    "browsers count redirects among what a form leads to")
                let decision = try await server.send("POST", "/auth/approve/\(token)", "\(word)=1")
                #expect(decision.status == 303)
                #expect(decision.headers["location"] == "\(start)request_token=\(token)&\(outcome)=true")
                let session = try await server.send("POST", "/auth/session", "{\"requestToken\":\"\(token)\"}")
                #expect(outcome == "approved" ? session.status == 200 : session.isProblem(403, "approval-denied"))
            }
        }
    }

    @Test(arguments: [
        ("/auth/token", "{\"redirectTo\":\"javascript:alert(1)\"}", "invalid-body"),
        ("/auth/token", "[]", "invalid-body"), ("/auth/token", "{\"redirectTo\":1}", "invalid-body"),
        ("/auth/token?x=1", "", "invalid-parameter"), ("/auth/session", "", "invalid-body"),
        ("/auth/session", "{}", "invalid-body"), ("/auth/session", "{\"requestToken\":7}", "invalid-body"),
        ("/auth/approve/aaaa", "approve=2", "invalid-body"), ("/auth/approve/aaaa", "approve=1&deny=1", "invalid-body"),
    ])
    func whatMakesNoSenseIsRefused(target: String, body: String, kind: String) async throws {
        try await MovieServicesFixture().run { server in
            try await expectProblem(400, kind, server.send("POST", target, body))
        }
    }

    @Test func unknownWishesAndLongBodiesAreRefused() async throws {
        try await MovieServicesFixture().run { server in
            let unknown = try await server.get("/auth/approve/\(String(repeating: "0", count: 64))")
            #expect(unknown.status == 404 && unknown.headers["content-type"] == "text/html; charset=utf-8")
            let decided = try await server.send("POST", "/auth/approve/nothing", "approve=1")
            #expect(decided.status == 404)
            let session = try await server.send("POST", "/auth/session", "{\"requestToken\":\"nothing\"}")
            #expect(session.isProblem(404, "unknown-request-token"))
            let long = String(repeating: " ", count: 8193)
            try await expectProblem(413, "body-too-large", server.send("POST", "/auth/token", long))
            let foreign = try await server.send(
                "POST", "/auth/approve/nothing", "approve=1", headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(foreign.isProblem(403, "cross-site"))
        }
    }

    @Test func requestTokensAndSessionsExpire() async throws {
        let fixture = try MovieServicesFixture()
        try await fixture.run { server in
            let pending = try await server.send("POST", "/auth/token").json
            let token = try #require(pending["requestToken"] as? String)
            let headers = try await server.signIn()
            fixture.day.advance(by: .seconds(3600))
            #expect(try await server.get("/auth/approve/\(token)").status == 404)
            let unused = try await server.signIn()
            fixture.day.advance(by: Self.day * 30 - .seconds(3601))
            #expect(try await server.get("/account", headers: headers).status == 200, "renewed in use")
            fixture.day.advance(by: Self.day * 30 - .seconds(1))
            #expect(try await server.get("/account", headers: headers).status == 200)
            try await expectProblem(401, "session-required", server.get("/account", headers: unused))
            fixture.day.advance(by: Self.day * 30)
            try await expectProblem(401, "session-required", server.get("/account", headers: headers))
            #expect(try await server.get("/movies/lists/popular", headers: headers).status == 200)
        }
    }

    @Test(
        "without a token that is worth something there is nothing of one's own",
        arguments: [
            ("GET", "/account"), ("GET", "/account/ratings"), ("GET", "/movies/heat-1995/rating"),
            ("PUT", "/movies/heat-1995/rating"), ("DELETE", "/movies/heat-1995/rating"), ("GET", "/favourites"),
            ("GET", "/favourites/heat-1995"), ("PUT", "/favourites/heat-1995"), ("DELETE", "/favourites/heat-1995"),
        ])
    func nothingOfOnesOwn(method: String, target: String) async throws {
        try await MovieServicesFixture().run { server in
            let zeros = String(repeating: "0", count: 64)
            for headers in [
                [:], ["Authorization": "Bearer x"], ["Authorization": "Bearer \(zeros)"],
                ["Authorization": "Basic eDp5"],
                ["Cookie": "onesheet_session=\(zeros)"], ["Cookie": "onesheet_session"],
            ] {
                let answer = try await server.send(method, target, "{\"value\":9}", headers: headers)
                #expect(answer.isProblem(401, "session-required") && answer.headers["www-authenticate"] == "Bearer")
                #expect(answer.text.contains("POST /auth/session") && answer.text.contains("POST /auth/device"))
            }
        }
    }

    @Test func aDeviceHasFavouritesAndNoAccount() async throws {
        try await MovieServicesFixture().run { server in
            let device = try await server.send("POST", "/auth/device")
            #expect(device.headers["set-cookie"]?.contains("; Max-Age=34560000; HttpOnly; SameSite=Lax") == true)
            let token = try #require(device.json["token"] as? String)
            let headers = ["Authorization": "Bearer \(token)"]
            #expect(try await server.get("/favourites", headers: headers).status == 200)
            let account = try await server.get("/account", headers: headers)
            #expect(account.isProblem(401, "session-required") && account.text.contains("not a device's token"))
        }
    }

    @Test func pagesOfOtherSitesGetNoCookieAndCannotUseOne() async throws {
        try await MovieServicesFixture().run { server in
            let elsewhere = [["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"]]
            for headers in elsewhere + [["Sec-Fetch-Site": "same-site"]] {
                let device = try await server.send("POST", "/auth/device", headers: headers)
                #expect(device.status == 200 && device.headers["set-cookie"] == nil, "\(headers)")
            }
            let device = try await server.send("POST", "/auth/device", headers: ["Origin": "http://localhost"])
            let cookie = try #require(device.headers["set-cookie"]?.prefix { $0 != ";" })
            let token = cookie.dropFirst("onesheet_session=".count)
            for headers in elsewhere {
                for (method, target) in [("PUT", "/favourites/heat-1995"), ("DELETE", "/auth/session")] {
                    let refused = try await server.send(
                        method, target, headers: headers.merging(["Cookie": String(cookie)]) { $1 })
                    #expect(refused.isProblem(403, "cross-site"), "\(headers)")
                }
                let permitted = try await server.send(
                    "PUT", "/favourites/heat-1995",
                    headers: headers.merging(["Authorization": "Bearer \(token)"]) { $1 })
                #expect([200, 201].contains(permitted.status), "a token is sent on purpose")
            }
            for headers in [
                ["Origin": "http://localhost"], ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"], [:],
            ] {
                let own = try await server.send(
                    "PUT", "/favourites/heat-1995", headers: headers.merging(["Cookie": String(cookie)]) { $1 })
                #expect(own.status == 200, "\(headers)")
            }
        }
    }

    @Test(arguments: ["", "http://localhost", "https://a.example:443"])
    func requestTokensAreInNoLog(start: String) {
        #expect(RedactedTarget("\(start)/auth/approve/0123?x=1").text == "\(start)/auth/approve/***?x=1")
    }

    @Test func theCookieIsForTLSAloneWhereClientsUseIt() async throws {
        var settings = LiveServer.Settings()
        settings.links = PosterURLBuilder(publicURL: PublicURL("https://films.example.org"))
        try await MovieServicesFixture().run(settings) { server in
            let device = try await server.send(
                "POST", "/auth/device", headers: ["Origin": "https://films.example.org"])
            let token = try #require(device.json["token"] as? String)
            #expect(
                device.headers["set-cookie"]
                    == "__Host-onesheet_session=\(token); Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure")
            for (name, status) in [("__Host-onesheet_session", 200), ("onesheet_session", 401)] {
                let favourites = try await server.get("/favourites", headers: ["Cookie": "\(name)=\(token)"])
                #expect(favourites.status == status, "a cookie of plain HTTP may be from anybody on the way")
            }
            let pending = try await server.send("POST", "/auth/token").json
            #expect((pending["authorizeURL"] as? String)?.hasPrefix("https://films.example.org/auth/approve/") == true)
        }
    }

    @Test func scriptsOfOtherOriginsMayDoWhatTokensAreFor() async throws {
        var settings = LiveServer.Settings()
        settings.token = try AdminToken("0123456789abcdef")
        try await MovieServicesFixture().run(settings) { server in
            for (target, methods) in [
                ("/favourites/heat-1995", "GET, HEAD, PUT, DELETE"), ("/auth/session", "POST, DELETE"),
                ("/account", "GET, HEAD, DELETE"), ("/poster/a", "GET, HEAD"),
            ] {
                let answer = try await server.get(target, headers: ["Origin": "https://a.example"], method: "OPTIONS")
                #expect(answer.status == 204 && answer.headers["access-control-allow-methods"] == methods)
                #expect(answer.headers["access-control-allow-headers"]?.contains("Authorization, Content-Type") == true)
                #expect(answer.headers["access-control-allow-credentials"] == nil)
            }
            let purge = try await server.get("/purge", method: "OPTIONS")
            #expect(purge.headers["allow"] == "POST, OPTIONS" && purge.headers["access-control-allow-methods"] == nil)
            let wrong = try await server.send("POST", "/favourites")
            #expect(wrong.status == 405 && wrong.headers["allow"] == "GET, HEAD, OPTIONS")
        }
    }

    @Test func devicesAndWishesCountTogether() async throws {
        let clock = ManualClock()
        var fixture = try MovieServicesFixture()
        var limits = SignUpRateLimiter.Limits()
        limits.client = ClientRateLimiter.Limit(rate: 6, inSeconds: 60, burst: 10)
        fixture.services.newcomers = SignUpRateLimiter(limits, now: clock.now)
        try await fixture.run { server in
            for _ in 0..<5 {
                #expect(try await server.send("POST", "/auth/device").status == 200)
                #expect(try await server.send("POST", "/auth/token").status == 200)
            }
            for target in ["/auth/device", "/auth/token"] {
                let answer = try await server.send("POST", target)
                expectProblem(429, "too-many-requests", answer)
                #expect(answer.headers["retry-after"] == "10")
            }
        }
    }
}
