import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

struct SavedFilmsPageTests {
    private func put(_ films: [String], on kind: MarkKind, _ web: WebFixture, _ session: AuthenticatedSession)
        async throws
    {
        for film in films {
            web.day.advance(seconds: 1)
            let cookie = "onesheet_session=\(session.token.text)"
            let answer = try await web.send(
                "/films/\(film)/\(kind.rawValue)", ["token": web.token(of: session), "on": "1"], cookie: cookie)
            #expect(answer.status == 303)
        }
    }

    @Test func aDeviceSeesItsFilmsAndTakesThemOff() async throws {
        let web = try WebFixture(films: ["heat-1995", "ran-1985"])
        let (session, cookie) = try await web.device()
        try await self.put(["heat-1995", "ran-1985"], on: .favourite, web, session)
        let page = try await web.ask(.get, "/my/favourites?language=en", headers: [.cookie: cookie])
        #expect(page.status == 200 && page.text.contains("Stored on this server for this device"))
        #expect(page.text.contains("Title of ran-1985") && page.text.contains("Title of heat-1995"))
        #expect(page.text.contains("action=\"/films/heat-1995/favourite\"") && page.text.contains("data-saved"))
        #expect(page.text.contains("aria-label=\"Remove Title of heat-1995 from favourites\""))
        #expect(page.headers[.cacheControl] == "private, no-cache" && page.headers[.eTag] == nil)
        #expect(page.headers[.vary]?.contains("Cookie") == true)
        #expect(page.headers[HTTPField.Name("Speculation-Rules")!] == nil)
        // The form of this page works.
        let token = try #require(page.field("token"))
        let removed = try await web.send(
            "/films/heat-1995/favourite",
            ["token": token, "return": try #require(page.field("return")), "on": "0"], cookie: cookie)
        #expect(
            removed.status == 303 && removed.headers[.location] == "/my/favourites?language=en&removed=heat-1995")
        let after = try await web.ask(.get, "/my/favourites", headers: [.cookie: cookie])
        #expect(!after.text.contains("Title of heat-1995") && after.text.contains("Title of ran-1985"))
    }

    @Test func aRemovedFilmIsPutBackAtItsPlace() async throws {
        let films = ["heat-1995", "ran-1985", "alien-1979"]
        let web = try WebFixture(films: films)
        let (session, cookie) = try await web.device()
        try await self.put(films, on: .favourite, web, session)
        let page = try await web.ask(.get, "/my/favourites?language=en", headers: [.cookie: cookie])
        let removed = try await web.send(
            "/films/ran-1985/favourite",
            [
                "token": try #require(page.field("token")), "return": try #require(page.field("return")),
                "on": "0", "at": "1700000002",
            ], cookie: cookie)
        let location = try #require(removed.headers[.location])
        #expect(location == "/my/favourites?language=en&removed=ran-1985&at=1700000002")
        let note = try await web.ask(.get, location, headers: [.cookie: cookie])
        #expect(note.text.contains("Title of ran-1985 was removed.") && note.text.contains("2 films"))
        #expect(note.text.contains("action=\"/films/ran-1985/favourite\"") && note.field("at") == "1700000002")
        web.day.advance(seconds: 60)
        let back = try await web.send(
            "/films/ran-1985/favourite",
            [
                "token": try #require(note.field("token")), "return": try #require(note.field("return")),
                "on": "1", "at": "1700000002",
            ], cookie: cookie)
        #expect(back.status == 303 && back.headers[.location] == "/my/favourites?language=en")
        let saved = try await web.favourites.favourites(of: session.favouritesOwner, page: 1, size: 20).results
        #expect(saved.map(\.movie.id.description) == ["alien-1979", "ran-1985", "heat-1995"])
    }

    @Test(arguments: ["0", "-62167219200", "946684799", "99999999999999999999", "x"])
    func aFilmWithAnInvalidTimeIsRemoved(time: String) async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        try await self.put(["heat-1995"], on: .favourite, web, session)
        let removed = try await web.send(
            "/films/heat-1995/favourite",
            ["token": web.token(of: session), "return": "/my/favourites", "on": "0", "at": time], cookie: cookie)
        #expect(removed.status == 303 && removed.headers[.location] == "/my/favourites?removed=heat-1995")
        #expect(web.favourites.all(of: session.favouritesOwner).isEmpty)
    }

    @Test(arguments: ["?removed=NO%20FILM", "?at=1", ""])
    func thereIsNoNoteWithoutARemovedFilm(query: String) async throws {
        let web = try WebFixture()
        let (_, cookie) = try await web.device()
        let page = try await web.ask(.get, "/my/favourites\(query)", headers: [.cookie: cookie])
        #expect(page.status == 200 && !page.text.contains("Undo<"))
    }

    @Test func visitorsWithoutAListSeeNoNote() async throws {
        let web = try WebFixture()
        let page = try await web.ask(.get, "/my/favourites?removed=heat-1995")
        #expect(page.status == 200 && !page.text.contains("Undo<"))
    }

    @Test func aRemovalByAScriptOrElsewhereReportsNothing() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        try await self.put(["heat-1995"], on: .favourite, web, session)
        for page in ["/films/heat-1995?language=en", "/my/watchlist"] {
            let answer = try await web.send(
                "/films/heat-1995/favourite", ["token": web.token(of: session), "on": "0", "return": page],
                cookie: cookie)
            #expect(answer.headers[.location] == page)
        }
    }

    @Test func thePageAfterARemovedLastPageIsNoEmptyListAndHasTheNote() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        try await self.put(["heat-1995"], on: .favourite, web, session)
        let part = try await web.ask(.get, "/my/favourites?page=2&language=en&part=1", headers: [.cookie: cookie])
        #expect(part.text.contains("1 film<") && !part.text.contains("No favourites yet"))
        let page = try await web.ask(
            .get, "/my/favourites?page=2&language=en&removed=ran-1985&at=1700000002", headers: [.cookie: cookie])
        let location = "/my/favourites?language=en&removed=ran-1985&at=1700000002"
        #expect(page.status == 302 && page.headers[.location] == location)
    }

    @Test(arguments: [
        ("favourites", "No favourites yet"), ("watchlist", "The watchlist is empty"),
        ("ratings", "Sign in to rate films"),
    ])
    func withoutASessionThePageSaysHowToBegin(list: String, text: String) async throws {
        let web = try WebFixture()
        let page = try await web.ask(.get, "/my/\(list)")
        #expect(page.status == 200 && page.text.contains(text))
        #expect(page.text.contains("href=\"/sign-in?return=%2Fmy%2F\(list)\""))
        #expect(!page.text.contains("action=\"/sign-out\"") && page.text.contains("aria-current=\"page\""))
        #expect(page.headers[.cacheControl] == "private, no-cache")
    }

    @Test func ratingsAreThoseOfTheAccountWithItsName() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.signIn()
        _ = try await web.send(
            "/films/heat-1995/rating", ["token": web.token(of: session), "value": "8.5"], cookie: cookie)
        let page = try await web.ask(.get, "/my/ratings", headers: [.cookie: cookie])
        #expect(page.text.contains("8.5 out of 10") && page.text.contains("Kept in the account of Ada."))
        #expect(page.text.contains("action=\"/sign-out\""))
        #expect(try #require(page.field("token")).count > 80)
    }

    @Test func guestsAreToldWhatEnds() async throws {
        let web = try WebFixture(isTemporary: true)
        let cookie = try await web.signIn().cookie
        let page = try await web.ask(.get, "/my/watchlist", headers: [.cookie: cookie])
        #expect(page.text.contains("Ratings end when you sign out"))
    }

    @Test func signingInIsSaidOnceAndNotInLinks() async throws {
        let web = try WebFixture()
        for (parameter, text) in [("1", "1 favourite moved"), ("3", "3 favourites moved"), ("0", "You are signed in")] {
            let page = try await web.ask(.get, "/my/favourites?signed-in=\(parameter)")
            #expect(page.text.contains(text))
            #expect(!page.text.contains("signed-in="), "a language switched to does not say it again")
        }
    }

    @Test func longListsHavePages() async throws {
        let films = (1...23).map { "film-\($0)" }
        let web = try WebFixture(films: films)
        let (session, cookie) = try await web.device()
        try await self.put(films, on: .watchlist, web, session)
        let first = try await web.ask(.get, "/my/watchlist", headers: [.cookie: cookie])
        #expect(
            first.text.contains("rel=\"next\" href=\"/my/watchlist?page=2\"") && first.text.contains("Title of film-23")
        )
        let second = try await web.ask(.get, "/my/watchlist?page=2", headers: [.cookie: cookie])
        #expect(second.text.contains("Title of film-3<") && !second.text.contains("Title of film-4<"))
        #expect(try await web.ask(.get, "/my/watchlist?page=0", headers: [.cookie: cookie]).status == 400)
        let after = try await web.ask(.get, "/my/watchlist?page=9", headers: [.cookie: cookie])
        #expect(after.status == 302 && after.headers[.location] == "/my/watchlist?page=2")
        #expect(after.headers[.cacheControl] == "no-store")
    }

    @Test func aSourceThatFailsStillLetsTheAccountBeSeen() async throws {
        let web = try WebFixture()
        let cookie = try await web.signIn().cookie
        web.accounts.fail(with: .tooSlow(.embedded))
        #expect(try await web.ask(.get, "/my/favourites", headers: [.cookie: cookie]).status == 200)
        #expect(try await web.ask(.get, "/my/ratings", headers: [.cookie: cookie]).status == 504)
    }

    @Test func aSessionThatTheSourceHasEndedLeadsToSigningIn() async throws {
        let web = try WebFixture()
        let cookie = try await web.signIn().cookie
        web.accounts.forgetSessions()
        let answer = try await web.ask(.get, "/my/ratings?language=ko", headers: [.cookie: cookie])
        #expect(answer.status == 303)
        #expect(answer.headers[.location] == "/sign-in?note=again&language=ko&return=%2Fmy%2Fratings%3Flanguage%3Dko")
        #expect(answer.cookies["onesheet_session"]?.hasPrefix("; Path=/; Max-Age=0") == true)
    }

    @Test func myLeadsToTheFavourites() async throws {
        let web = try WebFixture()
        let answer = try await web.ask(.get, "/my?language=ja&utm_source=x")
        #expect(answer.status == 302 && answer.headers[.location] == "/my/favourites?language=ja")
    }

    @Test func hostileTitlesStayText() async throws {
        let web = try WebFixture(films: [])
        let id = try #require(MovieID("heat-1995"))
        try web.add(id, title: "\"\u{301} onload=alert(1) x=\"<script>alert(1)</script>")
        let (session, cookie) = try await web.device()
        try await self.put(["heat-1995"], on: .favourite, web, session)
        let page = try await web.ask(.get, "/my/favourites", headers: [.cookie: cookie])
        #expect(page.text.contains("&lt;script&gt;alert(1)") && !page.text.contains("<script>alert"))
        // Compares scalars: a quotation mark and its combining mark form a single character.
        let scalars = Array(page.text.unicodeScalars)
        let ends = zip(scalars, scalars.dropFirst()).contains { $0 == "\"" && $1 == "\u{301}" }
        #expect(!ends, "it ends an attribute")
    }
}
