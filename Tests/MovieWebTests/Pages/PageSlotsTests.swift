import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

/// The parts of a film's page that differ between visitors.
struct PageSlotsTests {
    private static let film = "/films/heat-1995"

    private func fixture(isTemporary: Bool = false) throws -> WebFixture {
        var web = try WebFixture(isTemporary: isTemporary)
        web.services.sharedResponseLifetime = .seconds(3600)
        return web
    }

    /// The state of a page's buttons by list.
    private func pressed(_ page: WebFixture.Answer) -> [String: String] {
        var pressed: [String: String] = [:]
        for form in page.text.split(separator: "data-mark=\"").dropFirst() {
            guard let mark = form.firstRange(of: "aria-pressed=\"") else { continue }
            pressed[String(form.prefix { $0 != "\"" })] = String(form[mark.upperBound...].prefix { $0 != "\"" })
        }
        return pressed
    }

    @Test func allWithoutASessionGetTheSamePage() async throws {
        let web = try self.fixture()
        let page = try await web.ask(.get, Self.film)
        #expect(page.status == 200 && self.pressed(page) == ["favourite": "false", "watchlist": "false"])
        #expect(page.headers[.cacheControl]?.hasPrefix("public, max-age=300") == true)
        #expect(page.headers[.vary]?.contains("Cookie") == true, "others get something else")
        #expect(page.field("token") == "0" && page.field("return") == Self.film)
        #expect(page.text.contains("href=\"/sign-in?return=%2Ffilms%2Fheat-1995\""))
        for cookie in ["onesheet_session=\(String(repeating: "0", count: 64))", "onesheet_session=x", "other=1"] {
            let again = try await web.ask(.get, Self.film, headers: [.cookie: cookie])
            #expect(again.text == page.text && again.headers[.eTag] == page.headers[.eTag])
        }
        let tag = try #require(page.headers[.eTag])
        #expect(try await web.ask(.get, Self.film, headers: [.ifNoneMatch: tag]).status == 304)
    }

    @Test func aVisitorGetsTheirMarksAndRating() async throws {
        let web = try self.fixture()
        let anonymous = try await web.ask(.get, Self.film)
        let (session, cookie) = try await web.signIn()
        let token = web.token(of: session)
        _ = try await web.send("\(Self.film)/watchlist", ["token": token, "on": "1"], cookie: cookie)
        _ = try await web.send("\(Self.film)/rating", ["token": token, "value": "8.5"], cookie: cookie)
        let page = try await web.ask(.get, Self.film, headers: [.cookie: cookie])
        #expect(self.pressed(page) == ["favourite": "false", "watchlist": "true"])
        #expect(page.text.contains("<option value=\"8.5\" selected>8.5</option>"))
        #expect(page.text.contains("name=\"remove\" value=\"1\" formnovalidate>"))
        #expect(page.headers[.cacheControl] == "private, no-cache" && page.headers[.eTag] == nil)
        #expect(page.headers[.contentSecurityPolicy] == anonymous.headers[.contentSecurityPolicy])
        // Other visitors do not get this page, and the next visit has another token.
        #expect(try await web.ask(.get, Self.film).text == anonymous.text)
        let again = try await web.ask(.get, Self.film, headers: [.cookie: cookie])
        #expect(again.field("token") != page.field("token"))
        let form = try await web.send(
            "\(Self.film)/favourite", ["token": try #require(again.field("token")), "on": "1"], cookie: cookie)
        #expect(form.status == 303)
    }

    @Test func aDeviceHasMarksAndCannotRate() async throws {
        let web = try self.fixture()
        let (session, cookie) = try await web.device()
        _ = try await web.send(
            "\(Self.film)/favourite", ["token": web.token(of: session), "on": "1"], cookie: cookie)
        let page = try await web.ask(.get, "\(Self.film)?language=ja", headers: [.cookie: cookie])
        #expect(self.pressed(page) == ["favourite": "true", "watchlist": "false"])
        #expect(!page.text.contains("data-rate") && page.field("return") == "\(Self.film)?language=ja")
        #expect(page.text.contains("ログインすると評価できます。"))
    }

    @Test func marksThatAreNotKnownLeaveThePage() async throws {
        let web = try self.fixture()
        let (session, cookie) = try await web.signIn()
        _ = try await web.send(
            "\(Self.film)/favourite", ["token": web.token(of: session), "on": "1"], cookie: cookie)
        web.accounts.fail(with: .tooSlow(.embedded))
        let page = try await web.ask(.get, Self.film, headers: [.cookie: cookie])
        #expect(page.status == 200 && self.pressed(page)["favourite"] == "true")
        #expect(page.text.contains("data-rate") && !page.text.contains(" selected>"))
    }

    /// The state of the cards' buttons by address.
    private func cardStates(_ page: WebFixture.Answer) -> [String: String] {
        var states: [String: String] = [:]
        for button in page.text.split(separator: "formaction=\"").dropFirst() {
            guard let mark = button.firstRange(of: "aria-pressed=\"") else { continue }
            states[String(button.prefix { $0 != "\"" })] = String(button[mark.upperBound...].prefix { $0 != "\"" })
        }
        return states
    }

    @Test func cardsHaveButtonsWithAVisitorsMarks() async throws {
        let web = try self.fixture()
        let id = try #require(MovieID("heat-1995"))
        web.catalogue.set([try #require(MovieSummary(id: id, title: "Heat \"1\""))], for: .list(.popular))
        let anonymous = try await web.ask(.get, "/lists/popular")
        let off = ["\(Self.film)/favourite": "false", "\(Self.film)/watchlist": "false"]
        #expect(self.cardStates(anonymous) == off)
        #expect(
            anonymous.text.contains("aria-label=\"Favourite: Heat &quot;1&quot;\" value=\"1\" aria-pressed=\"false\""))
        #expect(anonymous.headers[.cacheControl]?.hasPrefix("public") == true && anonymous.field("token") == "0")
        #expect(anonymous.text.contains("<form id=\"marks\" method=\"post\" hidden>"))
        let (session, cookie) = try await web.device()
        _ = try await web.send("\(Self.film)/watchlist", ["token": web.token(of: session), "on": "1"], cookie: cookie)
        for target in ["/lists/popular", "/lists/popular?part=1"] {
            let page = try await web.ask(.get, target, headers: [.cookie: cookie])
            #expect(self.cardStates(page) == off.merging(["\(Self.film)/watchlist": "true"]) { $1 })
            #expect(page.text.contains("value=\"0\" aria-pressed=\"true\"") && !page.text.contains("slot:"))
        }
        // The form of this page works.
        let page = try await web.ask(.get, "/lists/popular", headers: [.cookie: cookie])
        let fields: KeyValuePairs = [
            "token": try #require(page.field("token")), "return": try #require(page.field("return")), "on": "0",
        ]
        let answer = try await web.send("\(Self.film)/watchlist", fields, cookie: cookie)
        #expect(answer.status == 303 && answer.headers[.location] == "/lists/popular")
        #expect(self.cardStates(try await web.ask(.get, "/lists/popular")) == off, "others have their own")
    }

    @Test(arguments: ["/search", "/search?q=nothing", Self.film])
    func pagesThatMayReceiveCardsHaveTheirForm(target: String) async throws {
        let page = try await self.fixture().ask(.get, target)
        #expect(page.text.contains("<form id=\"marks\""))
        #expect(!(try await self.fixture().ask(.get, "/about").text.contains("<form id=\"marks\"")))
    }

    @Test func aPersonalPageIsCompressed() async throws {
        let web = try self.fixture()
        let cookie = try await web.signIn().cookie
        let page = try await web.ask(.get, Self.film, headers: [.cookie: cookie, .acceptEncoding: "gzip"])
        #expect(page.headers[.contentEncoding] == "gzip" && page.headers[.vary]?.contains("Accept-Encoding") == true)
    }
}
