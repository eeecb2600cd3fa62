import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

struct SignInFormsTests {
    /// Begins a sign-in and returns the browser's cookie for the pending request.
    private func begin(
        _ web: WebFixture, returnTo: String = "/films/heat-1995?language=ko", cookie: String? = nil, token: String = "0"
    ) async throws -> (answer: WebFixture.Answer, cookie: String) {
        let answer = try await web.send("/sign-in", ["token": token, "return": returnTo], cookie: cookie)
        let pending = try #require(answer.cookies["onesheet_sign_in"]).prefix { $0 != ";" }
        return (answer, "onesheet_sign_in=\(pending)")
    }

    private func come(
        back web: WebFixture, _ query: String, _ cookie: String?, site: String = "cross-site"
    ) async throws -> WebFixture.Answer {
        var headers: HTTPFields = [.fetchSite: site]
        headers[.cookie] = cookie
        return try await web.ask(.get, "/sign-in/return?\(query)", headers: headers)
    }

    @Test func signingInLeadsToTheApprovalAndBack() async throws {
        let web = try WebFixture()
        let (answer, cookie) = try await self.begin(web)
        #expect(answer.status == 303 && answer.headers[.location] == "https://source.test/request-1")
        #expect(web.accounts.returnAddresses == ["http://films.test/sign-in/return"])
        #expect(answer.cookies["onesheet_sign_in"]?.hasSuffix("; Path=/; Max-Age=900; HttpOnly; SameSite=Lax") == true)
        web.accounts.decide("request-1", .success(()))
        let back = try await self.come(back: web, "request_token=request-1&approved=true", cookie)
        #expect(back.status == 303 && back.headers[.location] == "/films/heat-1995?language=ko")
        let token = try #require(back.cookies["onesheet_session"]).prefix { $0 != ";" }
        let session = try await web.sessions.session(
            under: try #require(AccessToken(String(token))), at: web.day.now())
        #expect(session?.upstream?.accountID == "7")
        #expect(back.cookies["onesheet_sign_in"]?.hasPrefix("; Path=/; Max-Age=0") == true)
    }

    @Test func overTLSTheCookiesAreThoseOfTheHost() async throws {
        var web = try WebFixture()
        web.publicURL = PublicURL("https://films.example.org")
        let answer = try await web.send(
            "/sign-in", ["return": "/"], headers: [.origin: "https://films.example.org"])
        #expect(web.accounts.returnAddresses == ["https://films.example.org/sign-in/return"])
        let cookie = try #require(answer.cookies["__Host-onesheet_sign_in"])
        #expect(cookie.hasSuffix("; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure"))
    }

    @Test func theFavouritesOfTheDeviceComeAlongAndAreCounted() async throws {
        let web = try WebFixture()
        let (device, session) = try await web.device()
        _ = try await web.send(
            "/films/heat-1995/favourite", ["token": web.token(of: device), "on": "1"], cookie: session)
        let (_, cookie) = try await self.begin(
            web, returnTo: "/my/favourites", cookie: session, token: web.token(of: device))
        web.accounts.decide("request-1", .success(()))
        let back = try await self.come(
            back: web, "request_token=request-1&approved=true", "\(session); \(cookie)")
        #expect(back.headers[.location] == "/my/favourites?signed-in=1")
        let owner = Owner.account(.embedded, id: "7")
        #expect(try await web.favourites.favourites(of: owner, page: 1, size: 20).totalResults == 1)
    }

    @Test(arguments: [
        nil, "onesheet_sign_in=", "onesheet_sign_in=x.y", "onesheet_sign_in=cmVxdWVzdC05.Lw",
        "onesheet_sign_in=cmVxdWVzdC0x", "onesheet_sign_in=cmVxdWVzdC0x.Ly9ldmlsLnRlc3Q",
    ])
    func anApprovedTokenOfSomebodyElseIsWorthless(cookie: String?) async throws {
        let web = try WebFixture()
        _ = try await self.begin(web)
        web.accounts.decide("request-1", .success(()))
        let back = try await self.come(back: web, "request_token=request-1&approved=true", cookie)
        #expect(back.status == 303 && back.headers[.location] == "/sign-in?return=%2F&note=late")
        #expect(back.cookies["onesheet_session"] == nil && web.sessions.count == 0)
    }

    @Test func whatWasNotApprovedIsSaid() async throws {
        let web = try WebFixture()
        for (number, outcome, query, note) in [
            (1, .failure(.denied), "approved=true", "denied"), (2, .success(()), "denied=true", "denied"),
            (3, .failure(.unknownToken), "approved=true", "late"), (4, nil, "approved=true", "not-approved"),
        ] as [(Int, Result<Void, AuthorizationFailure>?, String, String)] {
            let (_, cookie) = try await self.begin(web, returnTo: "/?language=ko")
            if let outcome { web.accounts.decide("request-\(number)", outcome) }
            let back = try await self.come(back: web, "request_token=request-\(number)&\(query)", cookie)
            #expect(back.headers[.location] == "/sign-in?language=ko&return=%2F%3Flanguage%3Dko&note=\(note)")
            #expect(web.sessions.count == 0)
            // The pending request remains as long as it can still be approved.
            #expect((back.cookies["onesheet_sign_in"] == nil) == (note == "not-approved"))
        }
    }

    @Test func theFormOfAnotherSiteBeginsNothing() async throws {
        let web = try WebFixture()
        for path in ["/sign-in", "/sign-out"] {
            #expect(try await web.send(path, ["return": "/"], headers: [.fetchSite: "cross-site"]).status == 403)
        }
        #expect(web.accounts.returnAddresses.isEmpty)
    }

    @Test func signingOutEndsTheSessionAndClearsWhatIsStored() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        let refused = try await web.send("/sign-out", ["token": "0"], cookie: cookie)
        #expect(refused.status == 403 && web.sessions.count == 1)
        let answer = try await web.send(
            "/sign-out", ["token": web.token(of: session), "return": "/my/ratings?language=ja"], cookie: cookie)
        #expect(answer.status == 303 && answer.headers[.location] == "/sign-in?language=ja&note=signed-out")
        #expect(answer.headers[HTTPField.Name("Clear-Site-Data")!] == "\"cache\", \"storage\"")
        #expect(answer.cookies["onesheet_session"]?.hasPrefix("; Path=/; Max-Age=0") == true)
        #expect(web.sessions.count == 0 && web.accounts.ended.count == 1)
    }

    // MARK: The page

    @Test(arguments: [
        ("denied", "You did not approve", false), ("late", "too old", true), ("not-approved", "Not approved yet", true),
        ("again", "Your session has ended", false), ("signed-out", "You are signed out", false),
    ])
    func thePageSaysWhatHappened(note: String, text: String, isAlarm: Bool) async throws {
        let web = try WebFixture()
        let page = try await web.ask(.get, "/sign-in?note=\(note)&return=%2Ffilms%2Fheat-1995")
        #expect(page.status == 200 && page.text.contains(text))
        #expect(page.text.contains("note-alarm\">") == isAlarm)
        #expect(page.field("return") == "/films/heat-1995" && page.field("token") == "0")
        #expect(page.headers[.cacheControl] == "no-store" && page.headers[.eTag] == nil)
    }

    @Test func thePageSpeaksTheLanguageAndNamesTheSource() async throws {
        let web = try WebFixture(source: .tmdb)
        let page = try await web.ask(.get, "/sign-in?language=ko&note=nonsense&return=//evil.test")
        #expect(page.text.contains("<html lang=\"ko\">") && page.text.contains("TMDB에서 계속"))
        #expect(!page.text.contains("class=\"note") && page.field("return") == "/my/favourites?language=ko")
        let guests = try WebFixture(isTemporary: true)
        #expect(try await guests.ask(.get, "/sign-in").text.contains("a guest of this server"))
    }
}
