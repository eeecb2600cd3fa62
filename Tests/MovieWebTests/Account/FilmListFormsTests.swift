import Flights
import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

/// Lists as files: export and import.
struct FilmListFormsTests {
    private static let films = ["heat-1995", "ran-1985"]

    private func put(_ films: [String], _ web: WebFixture, _ session: AuthenticatedSession) async throws {
        for film in films {
            web.day.advance(seconds: 1)
            let answer = try await web.send(
                "/films/\(film)/favourite", ["token": web.token(of: session), "on": "1"],
                cookie: "onesheet_session=\(session.token.text)")
            #expect(answer.status == 303)
        }
    }

    private func imported(
        _ text: String, into list: String = "favourites", _ web: WebFixture, _ session: AuthenticatedSession?
    ) async throws -> WebFixture.Answer {
        try await web.send(
            "/my/import",
            [
                "token": session.map(web.token) ?? "0", "return": "/my/import?language=en", "list": list, "text": text,
            ], cookie: session.map { "onesheet_session=\($0.token.text)" })
    }

    private func saved(_ web: WebFixture, _ list: MemoryFavourites, _ owner: Owner) -> [String] {
        list.all(of: owner).map(\.movie.id.description).sorted()
    }

    // MARK: Export

    @Test(arguments: [
        ("json", "application/json", "onesheet-favourites.json", "\"originalTitle\":\"Title of ran-1985\""),
        ("csv", "text/csv; charset=utf-8", "onesheet-favourites.csv", "\r\nran-1985,,,Title of ran-1985,"),
        ("letterboxd", "text/csv; charset=utf-8", "letterboxd-favourites.csv", "\r\n,,Title of ran-1985,,\r\n"),
    ])
    func aListIsAFile(format: String, type: String, name: String, part: String) async throws {
        let web = try WebFixture(films: Self.films)
        let (session, cookie) = try await web.device()
        try await self.put(Self.films, web, session)
        let file = try await web.ask(.get, "/my/favourites/export?format=\(format)", headers: [.cookie: cookie])
        #expect(file.status == 200 && file.headers[.contentType] == type && file.text.contains(part))
        #expect(file.headers[.contentDisposition] == "attachment; filename=\"\(name)\"")
        #expect(file.headers[.cacheControl] == "no-store" && file.headers[.contentTypeOptions] == "nosniff")
        let empty = try await web.ask(.get, "/my/watchlist/export?format=\(format)", headers: [.cookie: cookie])
        #expect(empty.status == 200 && !empty.text.contains("ran-1985"))
        #expect(try await web.ask(.get, "/my/favourites/export?format=\(format)").text.contains("ran-1985") == false)
    }

    @Test func otherFormatsAreRefused() async throws {
        let answer = try await WebFixture().ask(.get, "/my/favourites/export?format=xml")
        #expect(answer.status == 400 && answer.text.contains("json, csv or letterboxd"))
    }

    @Test(arguments: ["json", "csv", "letterboxd"])
    func anExportIsImported(format: String) async throws {
        let web = try WebFixture(films: Self.films)
        let (session, cookie) = try await web.device()
        try await self.put(Self.films, web, session)
        let file = try await web.ask(.get, "/my/favourites/export?format=\(format)", headers: [.cookie: cookie])
        for film in Self.films {
            let id = try #require(MovieID(film))
            let query = try #require(MovieQuery("Title of \(film)"))
            web.catalogue.set([try #require(MovieSummary(id: id, title: "Title of \(film)"))], for: .search(query))
        }
        let report = try await self.imported(file.text, into: "watchlist", web, session)
        #expect(report.status == 200 && report.text.contains("2 films added."))
        #expect(report.headers[.cacheControl] == "no-store")
        let owner = session.favouritesOwner
        #expect(self.saved(web, web.watchlist, owner) == Self.films)
        if format != "letterboxd" {
            let times = web.watchlist.all(of: owner).map(\.addedAt)
            #expect(times == web.favourites.all(of: owner).map(\.addedAt), "the times of adding stay")
        }
        let again = try await self.imported(file.text, into: "watchlist", web, session)
        #expect(again.text.contains("0 films added.") && again.text.contains("2 were on the list already."))
    }

    // MARK: Import

    @Test func theFormIsLinkedAndNamesItsList() async throws {
        let web = try WebFixture()
        let list = try await web.ask(.get, "/my/watchlist?language=en")
        #expect(list.text.contains("href=\"/my/import?list=watchlist&amp;language=en\""))
        #expect(!list.text.contains("/export"), "there is nothing to export")
        let page = try await web.ask(.get, "/my/import?list=watchlist&language=en")
        #expect(page.status == 200 && page.text.contains("<option value=\"watchlist\" selected>"))
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(try await web.ask(.get, "/my/import?list=other").status == 400)
    }

    @Test func theReportNamesRowsThatWereNotImported() async throws {
        let web = try WebFixture(films: Self.films)
        let (session, _) = try await web.device()
        let ids = [try #require(MovieID("king-kong-1933")), try #require(MovieID("king-kong-1976"))]
        let remakes = try ids.map { try #require(MovieSummary(id: $0, title: "King Kong")) }
        let query = try #require(MovieQuery("King Kong"))
        web.catalogue.set(remakes, for: .search(query))
        let report = try await self.imported(
            "Name,id\n,heat-1995\nKing Kong,\n<b>No film</b>,\nLast,tmdb:1", web, session)
        #expect(report.text.contains("1 film added.") && report.text.contains("3 rows were not imported."))
        #expect(report.text.contains("&lt;b&gt;No film&lt;/b&gt;") && !report.text.contains("<b>No"))
        #expect(report.text.contains("No film with this id, or this title and year, was found."))
        for id in ids { #expect(report.text.contains("href=\"/films/\(id)?language=en\"")) }
        #expect(self.saved(web, web.favourites, session.favouritesOwner) == ["heat-1995"])
    }

    @Test func rowsOfASourceThatFailsAreOfferedAgain() async throws {
        let web = try WebFixture(films: Self.films)
        let (session, _) = try await web.device()
        web.movies.fail(with: .tooSlow(.embedded))
        let report = try await self.imported("[\"heat-1995\", \"ran-1985\"]", web, session)
        #expect(report.text.contains("2 of them are left in the form below"))
        // Fields of forms have line feeds.
        let rows = [
            "id,tmdbID,imdbID,title,originalTitle,year,addedAt", "heat-1995,,,,,,", "ran-1985,,,,,,", "</textarea>",
        ]
        #expect(report.text.contains(rows.joined(separator: "\n")))
    }

    @Test(arguments: ["", " \n", "Heat\nRan", "{\"films\": 1}", "[", "a,b\n1,2"])
    func aTextWithoutFilmsStaysInTheForm(text: String) async throws {
        let web = try WebFixture()
        let answer = try await self.imported(text, web, nil)
        #expect(answer.status == 400 && answer.text.contains("note-alarm") && web.sessions.count == 0)
        #expect(answer.text.contains(Markup(text).description + "</textarea>"))
    }

    @Test func aVisitorWithoutASessionBecomesADevice() async throws {
        let web = try WebFixture()
        let answer = try await self.imported("id\nheat-1995", web, nil)
        #expect(answer.status == 200 && answer.cookies["onesheet_session"] != nil && web.sessions.count == 1)
        #expect(try #require(answer.field("token")).count > 80, "the form belongs to the new session")
    }

    @Test func aFormOfAnotherSessionChangesNothingAndKeepsItsText() async throws {
        let web = try WebFixture()
        let (session, cookie) = try await web.device()
        let answer = try await web.send(
            "/my/import", ["token": "0", "list": "favourites", "text": "id\nheat-1995"], cookie: cookie)
        #expect(answer.status == 403 && answer.text.contains("id\nheat-1995</textarea>"))
        #expect(self.saved(web, web.favourites, session.favouritesOwner).isEmpty)
        let refused = try await web.send(
            "/my/import", ["text": "id\nheat-1995"], cookie: cookie, headers: [.fetchSite: "cross-site"])
        #expect(refused.status == 403 && !refused.text.contains("textarea"))
    }

    @Test func aTextThatIsTooLongIsRefused() async throws {
        let web = try WebFixture()
        let text = String(repeating: "a", count: FilmListForms.lengthLimit)
        #expect(try await self.imported(text, web, nil).status == 413)
        let other = try await web.send("/films/heat-1995/favourite", ["on": "1", "return": String(text.prefix(5000))])
        #expect(other.status == 413, "other forms are short")
    }

    @Test func rowsBeyondTheLimitAreCounted() async throws {
        let web = try WebFixture()
        let (session, _) = try await web.device()
        let rows = (1...ImportRows.limit + 3).map { _ in "heat-1995" }.joined(separator: "\n")
        let report = try await self.imported("id\n" + rows, web, session)
        #expect(report.text.contains("The last 3 rows exceeded the limit and were not read."))
    }

    @Test func elementsBeyondTheLimitAreCountedWithoutDecoding() throws {
        let elements = Array(repeating: "{}", count: ImportRows.limit) + ["7", "[[]]", "{\"id\": \"heat-1995\"}"]
        let array = "[" + elements.joined(separator: ",") + "]"
        for text in [array, "{\"other\": \(array), \"watchlist\": \(array)}"] {
            let rows = try #require(FilmListFile.rows(text, list: "watchlist"))
            #expect(rows.rows.count == ImportRows.limit && rows.omittedCount == 3)
        }
        #expect(FilmListFile.rows("{\"other\": \(array)}", list: "watchlist") == nil)
    }

    @Test func membersOfOtherTypesAreIgnored() throws {
        let text = """
            ["ran-1985", {"id": null, "tmdbID": 603, "title": [], "name": "Heat", "year": 1995, "addedAt": {}}, 7, null]
            """
        let rows = try #require(FilmListFile.rows(text, list: "favourites")).rows
        #expect(rows.map(\.ids.count) == [1, 1, 0, 0] && rows[1].text == "Heat (1995)" && rows[1].addedAt == nil)
    }

    /// Swift compares and hashes a character with so many marks for minutes.
    @Test(.timeLimit(.minutes(1)))
    func manyCombiningMarksAreReadQuickly() throws {
        let marks = "e" + String(repeating: "\u{301}\u{316}", count: 200_000)
        for text in [marks, "{\"\(marks)\": 1, \"films\": []}", "\u{FEFF}\(marks)\r\n\(marks)"] {
            #expect(FilmListFile.rows(text, list: "favourites") == nil)
        }
        let table = "id,title,year,date\r\n\(marks),Heat,\(marks),\(marks)\r\n'\(marks),Ran,1985,\r\n"
        let rows = try #require(FilmListFile.rows(table, list: "favourites")).rows
        #expect(rows.map(\.text) == ["Heat", "Ran (1985)"])
        let json = "[\"\(marks):\(marks)\", {\"id\": \"\(marks)\", \"title\": \"Heat\"}]"
        #expect(FilmListFile.rows(json, list: "favourites")?.rows.last?.text == "Heat")
    }

    @Test func aVisitorWithoutASessionIsChargedBeforeTheTextIsRead() async throws {
        var web = try WebFixture()
        var limits = SignUpRateLimiter.Limits()
        limits.client = ClientRateLimiter.Limit(rate: 1, inSeconds: 60, burst: 1)
        web.services.newcomers = SignUpRateLimiter(limits) { 0 }
        #expect(try await self.imported("[{", web, nil).status == 400)
        #expect(try await self.imported("[{", web, nil).status == 429)
        let (session, _) = try await web.device()
        #expect(try await self.imported("[{", web, session).status == 400, "a device has signed up")
    }

    @Test func onlyAFewListsAreImportedAtOnce() async throws {
        var web = try WebFixture()
        let gate = Gate()
        web.services.catalogue = ScriptedCatalogue(gate: gate)
        let (session, _) = try await web.device()
        let fixture = web
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...FilmListForms.concurrentImports {
                group.addTask { try await self.imported("title\nNothing", fixture, session).status }
            }
            try await eventually { gate.waiterCount == FilmListForms.concurrentImports }
            let refused = try await self.imported("title\nNothing", fixture, session)
            #expect(refused.status == 503 && refused.headers[.retryAfter] == "20")
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(try await self.imported("title\nNothing", fixture, session).status == 200)
    }

    // MARK: Order

    @Test func aListIsSortedAndFiltered() async throws {
        let web = try WebFixture(films: [])
        for (id, title) in [("a", "Metropolis"), ("b", "Die Nibelungen"), ("c", "metro")] {
            try web.add(try #require(MovieID(id)), title: title, original: title == "metro" ? "Subte" : "")
        }
        let (session, cookie) = try await web.device()
        try await self.put(["a", "b", "c"], web, session)
        let titles = { (target: String) in
            let page = try await web.ask(.get, target, headers: [.cookie: cookie])
            return page.text.matches(of: /<h3[^>]*><a[^>]*>([^<]*)</).map { String($0.output.1) }
        }
        #expect(try await titles("/my/favourites") == ["metro", "Die Nibelungen", "Metropolis"])
        #expect(try await titles("/my/favourites?order=title") == ["Die Nibelungen", "metro", "Metropolis"])
        #expect(try await titles("/my/favourites?filter=METRO") == ["metro", "Metropolis"])
        #expect(try await titles("/my/favourites?filter=subte") == ["metro"])
        let page = try await web.ask(.get, "/my/favourites?order=title&filter=zz", headers: [.cookie: cookie])
        #expect(page.text.contains("No title on this list contains that") && page.text.contains("value=\"zz\""))
        #expect(page.text.contains("<option value=\"title\" selected>"))
        #expect(try await web.ask(.get, "/my/favourites?order=other", headers: [.cookie: cookie]).status == 400)
    }

    @Test func pagesKeepTheirOrder() async throws {
        let films = (1...23).map { "film-\($0)" }
        let web = try WebFixture(films: films)
        let (session, cookie) = try await web.device()
        try await self.put(films, web, session)
        let page = try await web.ask(.get, "/my/favourites?order=title&filter=film", headers: [.cookie: cookie])
        #expect(page.text.contains("href=\"/my/favourites?order=title&amp;filter=film&amp;page=2\""))
        #expect(page.text.contains("name=\"return\" value=\"/my/favourites?order=title&amp;filter=film\""))
    }
}
