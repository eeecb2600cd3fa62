import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

/// Mark buttons and ratings of films, as sent by browsers and by scripts.
struct MarkFormsTests {
    private static let film = "/films/heat-1995"
    private static let json: HTTPFields = [.accept: "application/json"]

    @Test(arguments: MarkKind.allCases)
    func aVisitorWithoutASessionBecomesADevice(kind: MarkKind) async throws {
        let web = try WebFixture()
        let answer = try await web.send(
            "\(Self.film)/\(kind.rawValue)", ["token": "0", "return": "/films/heat-1995?language=ko", "on": "1"])
        #expect(answer.status == 303 && answer.headers[.location] == "/films/heat-1995?language=ko")
        #expect(answer.headers[.cacheControl] == "no-store")
        let cookie = try #require(answer.cookies["onesheet_session"])
        #expect(cookie.hasSuffix("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"))
        let token = try #require(AccessToken(String(cookie.prefix { $0 != ";" })))
        let session = try #require(try await web.sessions.session(under: token, at: web.day.now()))
        let list = kind == .favourite ? web.favourites : web.watchlist
        let saved = try await list.favourites(of: session.owner, page: 1, size: 20).results
        #expect(saved.map(\.movie.id.description) == ["heat-1995"])
        #expect(saved.first?.language == .korean, "the language of the page")
    }

    @Test func takingAFilmOffWithoutASessionMakesNone() async throws {
        let web = try WebFixture()
        let answer = try await web.send("\(Self.film)/favourite", ["token": "0", "on": "0"])
        #expect(answer.status == 303 && answer.headers[.location] == Self.film)
        #expect(web.sessions.count == 0 && answer.cookies.isEmpty)
    }

    @Test func aFormOfASessionNeedsItsToken() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        let owner = session.favouritesOwner
        for token in ["", "0", web.token(of: try await web.signIn().session)] {
            let refused = try await web.send("\(Self.film)/favourite", ["token": token, "on": "1"], cookie: cookie)
            #expect(refused.status == 403)
        }
        #expect(try await web.favourites.favourites(of: owner, page: 1, size: 20).results.isEmpty)
        let token = web.token(of: session)
        let put = try await web.send("\(Self.film)/favourite", ["token": token, "on": "1"], cookie: cookie)
        #expect(put.status == 303 && put.cookies.isEmpty)
        #expect(try await web.favourites.favourites(of: owner, page: 1, size: 20).totalResults == 1)
        let removed = try await web.send("\(Self.film)/favourite", ["token": token, "on": "0"], cookie: cookie)
        #expect(removed.status == 303)
        #expect(try await web.favourites.favourites(of: owner, page: 1, size: 20).totalResults == 0)
    }

    @Test func aScriptWithAnOldTokenGetsTheRightOne() async throws {
        let web = try WebFixture()
        let (_, cookie) = try await web.device()
        let refused = try await web.send(
            "\(Self.film)/favourite", ["token": "0", "on": "1"], cookie: cookie, headers: Self.json)
        #expect(refused.status == 403 && refused.headers[.contentType] == "application/json")
        let token = try #require(refused.text.split(separator: "\"").last { $0.count > 80 })
        let second = try await web.send(
            "\(Self.film)/favourite", ["token": String(token), "on": "1"], cookie: cookie, headers: Self.json)
        #expect(second.status == 200 && second.text.contains("\"on\":true") && second.text.contains("\"token\":"))
        #expect(second.headers[.accessControlAllowOrigin] == nil && second.headers[.cacheControl] == "no-store")
    }

    @Test(
        arguments: [
            [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.test"], [.origin: "null"],
        ] as [HTTPFields])
    func formsOfOtherSitesChangeNothing(headers: HTTPFields) async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        for cookie in [cookie, nil] {
            let answer = try await web.send(
                "\(Self.film)/favourite", ["token": web.token(of: session), "on": "1"], cookie: cookie,
                headers: headers)
            #expect(answer.status == 403 && answer.text.contains("cross-site"))
        }
        #expect(try await web.favourites.favourites(of: session.favouritesOwner, page: 1, size: 20).totalResults == 0)
        #expect(web.sessions.count == 1, "no device is made for it")
    }

    @Test func aCookieWithoutWhereTheFormIsFromIsRefused() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        let body = "token=\(web.token(of: session))&on=1"
        let type = "application/x-www-form-urlencoded"
        let answer = try await web.ask(
            .post, "\(Self.film)/favourite", headers: [.contentType: type, .cookie: cookie], body: body)
        #expect(answer.status == 403)
        // A form of the same origin, from a browser that only sends Origin.
        let own = try await web.ask(
            .post, "\(Self.film)/favourite",
            headers: [.contentType: type, .cookie: cookie, .origin: "http://films.test"], body: body)
        #expect(own.status == 303)
    }

    @Test(arguments: [
        ("/films/heat-1995/favourite", "on=2", 400), ("/films/heat-1995/favourite", "", 400),
        // An invalid time is replaced by the current one.
        ("/films/heat-1995/favourite", "on=1&at=yesterday", 303), ("/films/heat-1995/favourite", "on=1&at=-1", 303),
        ("/films/heat-1995/favourite", "on=1&at=946684799", 303),
        ("/films/heat-1995/favourite", "on=1&at=9999999999999999999", 303),
        ("/films/heat-1995/favourite", "on=1&on=1", 400), ("/films/heat-1995/favourite", "on=1&x=1", 400),
        ("/films/NO%20FILM/favourite", "on=1", 400), ("/films/unknown-1999/favourite", "on=1", 404),
        ("/films/heat-1995/favourite", "on=1&return=" + String(repeating: "a", count: 5000), 413),
    ])
    func whatIsWrongIsRefused(path: String, body: String, status: Int) async throws {
        let web = try WebFixture()
        let type = "application/x-www-form-urlencoded"
        let answer = try await web.ask(
            .post, path, headers: [.contentType: type, .fetchSite: "same-origin"], body: body)
        #expect(answer.status == status, "\(answer.text)")
    }

    @Test func jsonIsNoForm() async throws {
        let web = try WebFixture()
        let answer = try await web.ask(
            .post, "\(Self.film)/favourite",
            headers: [.contentType: "application/json", .fetchSite: "same-origin"], body: "{\"on\":1}")
        #expect(answer.status == 400 && answer.text.contains("invalid-body"))
    }

    @Test func aFormThatLeadsElsewhereLeadsToTheFilm() async throws {
        let web = try WebFixture()
        let answer = try await web.send("\(Self.film)/favourite", ["return": "//evil.test/", "on": "1"])
        #expect(answer.headers[.location] == Self.film)
    }

    @Test func newDevicesAreLimited() async throws {
        var web = try WebFixture()
        var limits = SignUpRateLimiter.Limits()
        limits.client = ClientRateLimiter.Limit(rate: 1, inSeconds: 60, burst: 3)
        web.services.newcomers = SignUpRateLimiter(limits, now: { 0 })
        for _ in 0..<3 {
            #expect(try await web.send("\(Self.film)/favourite", ["on": "1"]).status == 303)
        }
        let answer = try await web.send("\(Self.film)/favourite", ["on": "1"])
        #expect(answer.status == 429 && answer.headers[.retryAfter] != nil)
    }

    // MARK: Ratings

    @Test func aFilmIsRatedInHalfSteps() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        let film = try #require(MovieID("heat-1995"))
        let upstream = try #require(session.session.upstream)
        for (value, expected) in [("8.5", 8.5), ("9", 9), ("0.5", 0.5), ("10.0", 10)] {
            let answer = try await web.send(
                "\(Self.film)/rating", ["token": web.token(of: session), "value": value], cookie: cookie)
            #expect(answer.status == 303 && answer.headers[.location] == Self.film)
            #expect(try await web.accounts.rating(of: film, with: upstream)?.value == expected)
        }
        let script = try await web.send(
            "\(Self.film)/rating", ["token": web.token(of: session), "value": "", "remove": "1"], cookie: cookie,
            headers: Self.json)
        #expect(script.status == 200)
        #expect(try await web.accounts.rating(of: film, with: upstream) == nil)
    }

    @Test(arguments: ["", "0", "10.5", "8.25", "ten", "nan", "-1"])
    func otherNumbersAreNoRatings(value: String) async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        let answer = try await web.send(
            "\(Self.film)/rating", ["token": web.token(of: session), "value": value], cookie: cookie)
        #expect(answer.status == 400 && answer.text.contains("from 0.5 to 10"))
    }

    @Test func whoHasNoAccountIsLedToWhereOneSignsIn() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        let page = "/films/heat-1995?language=ja"
        let expected = "/sign-in?language=ja&return=%2Ffilms%2Fheat-1995%3Flanguage%3Dja"
        let fields: KeyValuePairs = ["token": web.token(of: session), "value": "8", "return": page]
        for cookie in [cookie, nil] {
            let answer = try await web.send("\(Self.film)/rating", fields, cookie: cookie)
            #expect(answer.status == 303 && answer.headers[.location] == expected)
            let script = try await web.send("\(Self.film)/rating", fields, cookie: cookie, headers: Self.json)
            #expect(script.status == 401 && script.text.replacing("\\/", with: "/") == "{\"signIn\":\"\(expected)\"}")
        }
    }

    @Test func aSessionThatTheSourceHasEndedIsForgotten() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        web.accounts.forgetSessions()
        let answer = try await web.send(
            "\(Self.film)/rating", ["token": web.token(of: session), "value": "8", "return": "/"], cookie: cookie)
        #expect(answer.status == 303 && answer.headers[.location] == "/sign-in?note=again&return=%2F")
        #expect(answer.cookies["onesheet_session"]?.hasPrefix("; Path=/; Max-Age=0") == true)
    }
}
