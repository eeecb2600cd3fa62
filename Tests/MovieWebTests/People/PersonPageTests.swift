import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Synchronization
import Testing

@testable import MovieWeb

struct PersonPageTests {
    private static let id = PersonID("tmdb:638")!

    private static func person(films: [Person.FilmPart] = [], isKnown: Bool = true) throws -> Person {
        let portrait = PosterReference(.tmdb(file: "mann.jpg"), size: PictureSize(width: 600, height: 900))
        return try #require(
            Person(
                id: Self.id, name: "Michael Mann", originalName: isKnown ? "Original Mann" : "",
                otherNames: isKnown ? ["마이클 만", "M. Mann"] : [],
                biography: isKnown ? "First <b>.\n\n Second." : "",
                birthday: isKnown ? CalendarDate("1943-02-05") : nil, placeOfBirth: isKnown ? "Chicago" : "",
                department: isKnown ? .directing : nil, homepage: isKnown ? "javascript:alert(1)" : nil,
                portrait: isKnown ? portrait : nil, films: films))
    }

    private static func page(_ person: Person, _ query: String = "") async throws -> (HTMLOutline, MovieWeb.Page) {
        let fixture = try PageFixture(source: .tmdb)
        fixture.people.add(person)
        let page = try await PersonPage.page(try fixture.request("/persons/tmdb:638\(query)"))
        return (HTMLOutline(page.main.description), page)
    }

    private static func part(
        _ number: Int, roles: [String] = [], jobs: [String] = [], year: Int? = nil
    ) throws -> Person.FilmPart {
        Person.FilmPart(
            try PageFixture.film("tmdb:\(number)", title: "Film \(number)", year: year), roles: roles,
            jobs: jobs.map { Person.PersonJob(sourceJob: $0) })
    }

    @Test func aPersonHasAPortraitALifeAndFilms() async throws {
        let films = [
            try Self.part(1, roles: ["Self", ""], year: 2001),
            try Self.part(2, jobs: ["Director", "Screenplay"], year: 1995), try Self.part(3, jobs: ["Director"]),
        ]
        let (outline, page) = try await Self.page(try Self.person(films: films), "?language=en")
        #expect(
            outline.headings.map(\.text) == [
                "Michael Mann", "Biography", "Films", "Film 3", "Film 1", "Film 2", "Facts",
            ])
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        let portrait = try #require(outline.all("img").first)
        #expect(portrait["alt"] == "Portrait of Michael Mann" && portrait["fetchpriority"] == "high")
        #expect(page.paint.css.contains(".paint-portrait{"))
        let html = page.main.description
        for text in [
            "Original Mann", "Directing · 3 films", "<p dir=\"auto\">First &lt;b&gt;.</p><p dir=\"auto\">Second.</p>",
            "Announced · Director", "2001 · as Self, Acting", "1995 · Director, Screenplay", "5 February 1943",
            "Chicago", "마이클 만, M. Mann",
        ] {
            #expect(html.contains(text), "\(text)")
        }
        // The text is shown, but not as a link.
        #expect(html.contains("javascript:alert(1)") && !outline.links.contains { $0.hasPrefix("javascript") })
        #expect(outline.links.contains("/films/tmdb:2?language=en"))
        #expect(page.title == "Michael Mann" && page.sources == [.tmdb])
    }

    @Test func manyFilmsAreAListByYear() async throws {
        let films = try (1...13).map { try Self.part($0, jobs: ["Director"], year: 1990 + $0) }
        let (outline, page) = try await Self.page(try Self.person(films: films))
        #expect(outline.headings.map(\.text) == ["Michael Mann", "Biography", "Films", "Facts"])
        #expect(page.main.description.contains("<ul class=\"years\">"))
        #expect(outline.links.first == "/films/tmdb:13" && outline.links.count == 13)
    }

    @Test func whatIsNotKnownIsLeftOut() async throws {
        let (outline, page) = try await Self.page(try Self.person(isKnown: false), "?language=ja")
        #expect(outline.headings.map(\.text) == ["Michael Mann"])
        #expect(outline.all("img").isEmpty && outline.all("dl").isEmpty)
        #expect(page.main.description.contains("0本"))
    }

    @Test func aPersonIsFoundByOneSpellingOnly() async throws {
        let fixture = try PageFixture()
        await #expect(throws: UnknownPerson.self) {
            try await PersonPage.page(try fixture.request("/persons/fritz-lang"))
        }
        await #expect(throws: PageRedirection(to: "/persons/fritz-lang")) {
            try await PersonPage.page(try fixture.request("/persons/sample:fritz-lang"))
        }
        for id in ["kobis:1", "Fritz%20Lang", "%FF"] {
            await #expect(throws: Problem.self) {
                try await PersonPage.page(try fixture.request("/persons/\(id)"))
            }
        }
    }

    @Test func filmsThatAreSeenFirstAreReported() async throws {
        let served = Mutex<[[MovieID]]>([])
        let fixture = try PageFixture(source: .tmdb) { films, _, _, _ in served.withLock { $0.append(films) } }
        fixture.people.add(try Self.person(films: try (1...30).map { try Self.part($0, year: 1990 + $0) }))
        _ = try await PersonPage.page(try fixture.request("/persons/tmdb:638"))
        #expect(served.withLock { $0.map(\.count) } == [20])
        #expect(served.withLock { $0.first?.first } == MovieID("tmdb:30"))
    }
}
