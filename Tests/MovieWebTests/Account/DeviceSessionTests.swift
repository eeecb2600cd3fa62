import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

/// The lists of a device outlive the sessions of guests that sign in on it.
struct DeviceSessionTests {
    private static let film = "/films/heat-1995"

    /// A website with guests, and a browser's cookies.
    private struct Browser {
        var web: WebFixture
        var cookies: [String: String] = [:]

        init(isTemporary: Bool = true) throws {
            self.web = try WebFixture(isTemporary: isTemporary)
            self.web.services.approvals = ScriptedApprovals(accounts: self.web.accounts)
        }

        var sessionCookie: String { self.cookies["onesheet_session"] ?? "" }

        private var header: String? {
            self.cookies.isEmpty ? nil : self.cookies.map { "\($0)=\($1)" }.sorted().joined(separator: "; ")
        }

        mutating func get(_ path: String) async throws -> WebFixture.Answer {
            var headers: HTTPFields = [:]
            headers[.cookie] = self.header
            return self.noting(try await self.web.ask(.get, path, headers: headers))
        }

        /// Sends a form with the token of the page that holds it.
        mutating func send(
            _ path: String, from page: String, _ fields: KeyValuePairs<String, String> = [:]
        ) async throws -> WebFixture.Answer {
            let token = try #require(try await self.get(page).field("token"))
            return try await self.send(path, token: token, fields)
        }

        mutating func send(
            _ path: String, token: String, _ fields: KeyValuePairs<String, String> = [:]
        ) async throws -> WebFixture.Answer {
            var pairs = [("token", token), ("return", "/my/favourites")]
            pairs += fields.map { ($0.key, $0.value) }
            let body = pairs.map { "\($0.0)=\(PercentEncoding.encode($0.1.utf8))" }.joined(separator: "&")
            var headers: HTTPFields = [
                .fetchSite: "same-origin", .contentType: "application/x-www-form-urlencoded",
            ]
            headers[.cookie] = self.header
            return self.noting(try await self.web.ask(.post, path, headers: headers, body: body))
        }

        private mutating func noting(_ answer: WebFixture.Answer) -> WebFixture.Answer {
            for (name, value) in answer.cookies {
                let value = String(value.prefix { $0 != ";" })
                self.cookies[name] = value.isEmpty ? nil : value
            }
            return answer
        }

        /// - Returns: The answer to the approval.
        @discardableResult
        mutating func signIn() async throws -> WebFixture.Answer {
            let begun = try await self.send("/sign-in", from: "/sign-in")
            #expect(begun.status == 303 && begun.headers[.location] == "/sign-in/approve")
            return try await self.send("/sign-in/approve", from: "/sign-in/approve", ["approve": "1"])
        }

        mutating func add(to list: MarkKind = .favourite) async throws {
            let answer = try await self.send(
                "\(DeviceSessionTests.film)/\(list.rawValue)", from: "/sign-in", ["on": "1"])
            #expect(answer.status == 303)
        }

        mutating func shows(_ path: String = "/my/favourites") async throws -> Bool {
            try await self.get(path).text.contains("Title of heat-1995")
        }
    }

    @Test(arguments: MarkKind.allCases)
    func signingOutReturnsToTheDeviceAndItsLists(list: MarkKind) async throws {
        let page = list == .favourite ? "/my/favourites" : "/my/watchlist"
        var browser = try Browser()
        try await browser.add(to: list)
        let device = browser.sessionCookie
        let signedIn = try await browser.signIn()
        #expect(signedIn.headers[.location] == "/my/favourites?signed-in=0")
        #expect(browser.sessionCookie.hasSuffix(".\(device)"), "the cookie holds both tokens")
        #expect(try await browser.shows(page))
        let answer = try await browser.send("/sign-out", from: "/my/favourites")
        #expect(answer.headers[.location] == "/sign-in?note=signed-out" && browser.sessionCookie == device)
        #expect(try await browser.shows(page))
    }

    @Test func filmsOfAGuestWithoutAnEarlierDeviceStayAsWell() async throws {
        var browser = try Browser()
        try await browser.signIn()
        try await browser.add()
        _ = try await browser.send("/sign-out", from: "/my/favourites")
        #expect(try await browser.shows())
        let text = try await browser.get("/my/favourites").text
        #expect(text.contains("Stored on this server for this device") && !text.contains("action=\"/sign-out\""))
        // The next guest on this device has them, too.
        try await browser.signIn()
        #expect(try await browser.shows())
    }

    @Test func anEndedSessionReturnsToTheDevice() async throws {
        var browser = try Browser()
        try await browser.add()
        try await browser.signIn()
        let token = try #require(AccessToken(String(browser.sessionCookie.prefix(64))))
        _ = try await browser.web.sessions.end(token, at: browser.web.day.now())
        #expect(try await browser.shows())
        // A page of before the end, in another tab.
        let answer = try await browser.send("/sign-out", token: "stale")
        #expect(answer.status == 303 && browser.sessionCookie.count == 64)
        #expect(try await browser.shows())
    }

    @Test func aSessionWithoutADeviceInItsCookieGetsOneWhenItEnds() async throws {
        var browser = try Browser()
        try await browser.add()
        try await browser.signIn()
        browser.cookies["onesheet_session"] = String(browser.sessionCookie.prefix(64))
        _ = try await browser.send("/sign-out", from: "/my/favourites")
        #expect(browser.sessionCookie.count == 64)
        #expect(try await browser.shows())
    }

    @Test func aLastingAccountTakesTheFilmsAndLeavesTheDevice() async throws {
        var browser = try Browser(isTemporary: false)
        try await browser.add()
        let device = browser.sessionCookie
        try await browser.signIn()
        #expect(try await browser.shows())
        _ = try await browser.send("/sign-out", from: "/my/favourites")
        #expect(browser.sessionCookie == device)
        #expect(try await !browser.shows(), "the films are in the account")
    }

    @Test func erasingLeavesNoDevice() async throws {
        var browser = try Browser()
        try await browser.add()
        try await browser.signIn()
        _ = try await browser.send("/my/erase", from: "/my/erase")
        #expect(browser.sessionCookie.isEmpty)
    }

    // MARK: The approval

    @Test func theApprovalIsAPageOfTheSite() async throws {
        var browser = try Browser()
        _ = try await browser.send("/sign-in", from: "/sign-in")
        let page = try await browser.get("/sign-in/approve?language=ko")
        #expect(page.status == 200 && page.text.contains("이 기기에서 로그인합니다"))
        #expect(page.text.contains("class=\"masthead\"") && page.headers[.cacheControl] == "no-store")
    }

    @Test func aRefusalChangesNothing() async throws {
        var browser = try Browser()
        try await browser.add()
        let device = browser.sessionCookie
        _ = try await browser.send("/sign-in", from: "/sign-in")
        let answer = try await browser.send("/sign-in/approve", from: "/sign-in/approve", ["deny": "1"])
        #expect(answer.headers[.location] == "/sign-in?return=%2Fmy%2Ffavourites&note=denied")
        #expect(browser.sessionCookie == device && browser.cookies["onesheet_sign_in"] == nil)
    }

    @Test(arguments: [["approve": "1", "deny": "1"], [:], ["approve": "0"]] as [KeyValuePairs<String, String>])
    func anUnclearDecisionIsRefused(fields: KeyValuePairs<String, String>) async throws {
        var browser = try Browser()
        _ = try await browser.send("/sign-in", from: "/sign-in")
        #expect(try await browser.send("/sign-in/approve", from: "/sign-in/approve", fields).status == 400)
        #expect(browser.sessionCookie.isEmpty)
    }

    @Test func aBrowserThatBeganNothingCannotApprove() async throws {
        var browser = try Browser()
        #expect(try await browser.get("/sign-in/approve").text.contains("too old"))
        let answer = try await browser.send("/sign-in/approve", from: "/sign-in", ["approve": "1"])
        #expect(answer.headers[.location] == "/sign-in?return=%2Fmy%2Ffavourites&note=late")
    }
}

/// Approvals of the requests of ``ScriptedAccounts``.
private struct ScriptedApprovals: ApprovalHandler {
    let accounts: ScriptedAccounts

    func approval(of requestToken: String) async throws -> Approval? {
        requestToken.hasPrefix("request-") ? Approval(state: .open, returnTo: nil) : nil
    }

    func decide(_ requestToken: String, approves: Bool) async throws -> Approval? {
        guard requestToken.hasPrefix("request-") else { return nil }
        self.accounts.decide(requestToken, approves ? .success(()) : .failure(.denied))
        return Approval(state: approves ? .approved : .denied, returnTo: nil)
    }
}
