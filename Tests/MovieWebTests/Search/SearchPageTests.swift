import HTTPSemantics
import HTTPServer
import HTTPTypes
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

/// The search page, and its fragments for scripts.
struct SearchPageTests {
    private func page(_ target: String, of fixture: PageFixture, accept: String? = "en") async throws -> MovieWeb.Page {
        try await SearchPage(try fixture.request(target, known: ["q", "year", "page"], accept: accept)).page()
    }

    private func html(_ target: String, of fixture: PageFixture) async throws -> String {
        try await self.page(target, of: fixture).main.description
    }

    private func query(_ text: String, year: Int? = nil) throws -> MovieQuery {
        try #require(MovieQuery(text, year: year))
    }

    private func person(_ text: String, knownFor films: [MovieSummary] = []) throws -> PersonSummary {
        let id = try #require(PersonID(text))
        let person = PersonSummary(
            id: id, name: "Akira Kurosawa", originalName: "黒澤明", portrait: PosterReference(.tmdb(file: "k.jpg")),
            knownFor: films)
        return try #require(person)
    }

    /// Two films and a person of TMDB as results for `kuro`.
    private func found() throws -> PageFixture {
        let fixture = try PageFixture(source: .tmdb)
        let films = [
            try PageFixture.film("tmdb:548", title: "Rashomon", year: 1950),
            try PageFixture.film("tmdb:346", title: "Seven Samurai", year: 1954),
        ]
        fixture.catalogue.set(films, for: .search(try self.query("kuro")))
        fixture.people.set([try self.person("tmdb:5026", knownFor: films)], for: try self.query("kuro"))
        return fixture
    }

    @Test func withoutATextThereAreAHintAndExamples() async throws {
        let fixture = try PageFixture()
        let page = try await self.page("/search", of: fixture)
        let outline = HTMLOutline(page.main.description)
        #expect(page.title == "Search" && page.hasSearch && outline.isOrdered)
        let examples = outline.all("a").filter { $0["class"] == "chip" }
        #expect(examples.count == 10 && examples[0]["href"] == "/search?q=Nosferatu")
        #expect(examples.contains { $0["lang"] == "ja" } && examples.contains { $0["lang"] == "ko" })
        #expect(outline.all("input").first { $0["name"] == "q" }?.attributes.keys.contains("autofocus") == true)
        #expect(page.main.description.contains("Initial consonants and small mistakes are fine."))
        #expect(fixture.catalogue.asked.isEmpty)
    }

    @Test func blanksAreNoText() async throws {
        let html = try await self.html("/search?q=+%E3%80%80&year=1922", of: try PageFixture())
        #expect(html.contains("class=\"chip\"") && html.contains("value=\"1922\""))
    }

    @Test func aSourceThatKnowsLessPromisesLess() async throws {
        let html = try await self.html("/search", of: try PageFixture(source: .tmdb))
        #expect(html.contains("Titles and names") && !html.contains("Initial consonants"))
        #expect(!html.contains("casablnca"))
    }

    @Test func filmsAndPeopleAreFound() async throws {
        let fixture = try self.found()
        let page = try await self.page("/search?q=kuro", of: fixture)
        let html = page.main.description
        let outline = HTMLOutline(html)
        #expect(page.title == "Search for “kuro”" && page.sources.contains(.tmdb))
        #expect(html.contains("data-summary>2 films found<"))
        #expect(outline.headings.map(\.text) == ["Search", "People", "Films", "Rashomon", "Seven Samurai"])
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        #expect(outline.links == ["/persons/tmdb:5026", "/films/tmdb:548", "/films/tmdb:346"])
        #expect(html.contains("黒澤明 · Rashomon, Seven Samurai"))
        #expect(outline.all("input").first { $0["name"] == "q" }?["value"] == "kuro")
        #expect(outline.all("input").allSatisfy { !$0.attributes.keys.contains("autofocus") })
        #expect(page.paint.css.contains("linear-gradient"))
    }

    @Test func theFirstPosterIsLoadedFirst() async throws {
        let outline = HTMLOutline(try await self.html("/search?q=kuro", of: try self.found()))
        let pictures = outline.all("img")
        #expect(pictures.count { $0["fetchpriority"] == "high" } == 1)
        #expect(pictures.first { $0["fetchpriority"] == "high" }?["class"]?.hasPrefix("poster") == true)
        #expect(pictures.allSatisfy { $0["width"] != nil && $0["height"] != nil && $0["alt"] == "" })
    }

    @Test func theLanguageOfTheAddressIsCarriedAlong() async throws {
        let outline = HTMLOutline(try await self.html("/search?q=kuro&language=ja", of: try self.found()))
        #expect(outline.links.allSatisfy { $0.hasSuffix("language=ja") })
        #expect(outline.all("input").contains { $0["type"] == "hidden" && $0["value"] == "ja" })
        let own = HTMLOutline(try await self.html("/search?q=kuro", of: try self.found()))
        #expect(own.all("input").allSatisfy { $0["type"] != "hidden" })
    }

    @Test func whereNothingIsFoundItSaysSo() async throws {
        let page = try await self.page("/search?q=qqqq", of: try PageFixture())
        let html = page.main.description
        #expect(html.contains("data-summary>Nothing found for “qqqq”.<"))
        #expect(html.contains("Try fewer letters") && !html.contains("data-grid"))
    }

    @Test func peopleAloneAreCounted() async throws {
        let fixture = try PageFixture(source: .tmdb)
        fixture.people.set([try self.person("tmdb:5026")], for: try self.query("kuro"))
        let html = try await self.html("/search?q=kuro", of: fixture)
        #expect(html.contains("data-summary>1 person<") && !html.contains("Try fewer letters"))
    }

    @Test func sixPeopleStandAboveTheFilms() async throws {
        let fixture = try PageFixture(source: .tmdb)
        fixture.people.set(try (1...9).map { try self.person("tmdb:\($0)") }, for: try self.query("kuro"))
        let outline = HTMLOutline(try await self.html("/search?q=kuro", of: fixture))
        #expect(outline.links.count == 6)
    }

    @Test func aYearIsAskedOfFilmsOnly() async throws {
        let fixture = try self.found()
        fixture.catalogue.set(
            [try PageFixture.film("tmdb:548", year: 1950)], for: .search(try self.query("kuro", year: 1950)))
        let html = try await self.html("/search?q=kuro&year=1950", of: fixture)
        #expect(html.contains("1 film found") && !html.contains("/persons/") && html.contains("value=\"1950\""))
        #expect(fixture.people.languages.isEmpty)
    }

    @Test func laterPagesHaveFilmsOnlyAndLeadBack() async throws {
        let fixture = try PageFixture(source: .tmdb, pageSize: 2)
        let films = try (1...5).map { try PageFixture.film("tmdb:\($0)") }
        fixture.catalogue.set(films, for: .search(try self.query("a b")))
        fixture.people.set([try self.person("tmdb:9")], for: try self.query("a b"))
        let first = HTMLOutline(try await self.html("/search?q=a+b", of: fixture))
        #expect(first.all("a").first { $0["rel"] == "next" }?["href"] == "/search?q=a%20b&amp;page=2")
        let second = HTMLOutline(try await self.html("/search?q=a+b&page=2", of: fixture))
        #expect(second.links.filter { $0.hasPrefix("/films/") } == ["/films/tmdb:3", "/films/tmdb:4"])
        #expect(!second.links.contains { $0.hasPrefix("/persons/") })
        #expect(second.all("a").first { $0["rel"] == "prev" }?["href"] == "/search?q=a%20b")
        await #expect(throws: PageRedirection(to: "/search?q=a%20b&page=3", status: .found)) {
            try await self.page("/search?q=a+b&page=4", of: fixture)
        }
    }

    @Test func filmsAreThereWithoutThePeople() async throws {
        let fixture = try self.found()
        fixture.people.fail(with: .tooSlow(.tmdb))
        let recorder = FreshnessRecorder()
        let html = try await FreshnessRecorder.$current.withValue(recorder) {
            try await self.html("/search?q=kuro", of: fixture)
        }
        #expect(html.contains("2 films found") && !html.contains("/persons/"))
        #expect(recorder.hasGaps, "what is missing may be there in a second")
    }

    @Test func withoutFilmsThereIsNoPage() async throws {
        let fixture = try self.found()
        fixture.catalogue.fail(.search(try self.query("kuro")), with: .tooSlow(.tmdb))
        await #expect(throws: SourceFailure.tooSlow(.tmdb)) { try await self.page("/search?q=kuro", of: fixture) }
    }

    @Test(arguments: ["q=\(String(repeating: "a", count: 201))", "q=a&year=1800", "q=a&year=x", "q=a&page=0"])
    func whatIsNotAcceptedIsAProblem(parameters: String) async throws {
        let fixture = try PageFixture()
        let problem = await #expect(throws: Problem.self) { try await self.page("/search?\(parameters)", of: fixture) }
        #expect(problem?.kind == .invalidParameter)
    }

    @Test(
        "what is looked for is text, whatever it holds",
        arguments: [
            "\"><script>alert(1)</script>", "\"\u{301}autofocus", "{{t.skip}}", "{{{query}}}", "' onfocus=", "&amp;",
        ])
    func hostile(text: String) async throws {
        let fixture = try PageFixture()
        let target = "/search?q=\(PercentEncoding.encode(text.utf8))"
        let page = try await self.page(target, of: fixture)
        let outline = HTMLOutline(page.main.description)
        #expect(!page.main.description.contains("<script"))
        #expect(outline.all("input").first { $0["name"] == "q" }?["value"] == ScalarHTML.escape(text))
    }

    @Test func whatIsShownIsReported() async throws {
        let served = AwaitedState<[MovieID]>([])
        let fixture = try PageFixture(source: .tmdb) { films, _, _, _ in served.change { $0 += films } }
        fixture.catalogue.set([try PageFixture.film("tmdb:548")], for: .search(try self.query("kuro")))
        _ = try await self.page("/search?q=kuro", of: fixture)
        #expect(served.value.map(\.description) == ["tmdb:548"])
    }
}
