import HTTPSemantics
import HTTPTypes
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

/// Pages about parts of a film.
struct FilmPartPagesTests {
    private static let id = MovieID("heat-1995")!
    private static let size = PictureSize(width: 1600, height: 900)

    private static func fixture(
        title: String = "Heat", credits: Credits = Credits(cast: [], crew: []), reviews: [Review] = [],
        similar: [MovieSummary] = [], pageSize: Int = 20
    ) throws -> PageFixture {
        let fixture = try PageFixture(pageSize: pageSize)
        let summary = try PageFixture.film(Self.id.description, title: title)
        fixture.movies.add(Movie(summary: summary, credits: credits), reviews: reviews, similar: similar)
        return fixture
    }

    private static func credits() -> Credits {
        Credits(
            cast: [
                Credits.CastMember(
                    name: "Al Pacino", role: "Hanna", portrait: .tmdb(file: "al.jpg"), id: PersonID("tmdb:1158")),
                Credits.CastMember(name: "Nobody <b>", role: ""),
            ],
            crew: [
                Credits.CrewMember(name: "Dante Spinotti", sourceJob: "Director of Photography"),
                Credits.CrewMember(name: "Michael Mann", sourceJob: "Director", id: PersonID("tmdb:638")),
                Credits.CrewMember(name: "Michael Mann", sourceJob: "Screenplay", id: PersonID("tmdb:638")),
                Credits.CrewMember(name: "Art Linson", sourceJob: "Producer"),
                Credits.CrewMember(name: "Michael Mann", sourceJob: "Story", id: PersonID("tmdb:638")),
                Credits.CrewMember(name: "A. Guest", sourceJob: "Astrologer"),
            ])
    }

    // MARK: Credits

    @Test func creditsAreGroupedByDepartmentAndPeopleAreLinked() async throws {
        let fixture = try Self.fixture(credits: Self.credits())
        let page = try await CreditsPage.page(try fixture.request("/films/heat-1995/credits?language=en"))
        let html = page.main.description
        let outline = HTMLOutline(html)
        #expect(
            outline.headings.map(\.text) == [
                "Cast and crew of Heat", "Cast", "Directing", "Writing", "Production", "Camera", "Other crew",
            ])
        #expect(outline.isOrdered && outline.repeatedIDs.isEmpty && outline.danglingReferences.isEmpty)
        #expect(outline.links.first == "/films/heat-1995?language=en")
        #expect(outline.links.contains("/persons/tmdb:1158?language=en"))
        // Two jobs in one department share a row.
        #expect(html.contains("Screenplay, Story") && html.ranges(of: "Michael Mann").count == 2)
        #expect(html.contains("Astrologer") && html.contains("Nobody &lt;b&gt;"))
        let portrait = try #require(outline.all("img").first)
        #expect(portrait["src"] == "/picture/t/al.jpg?w=120" && portrait["alt"] == "" && portrait["loading"] == "lazy")
        #expect(page.title == "Cast and crew of Heat" && page.sources == [.embedded])
    }

    @Test("jobs are named in the language of the interface", arguments: [("ko", "촬영"), ("ja", "撮影")])
    func jobs(language: String, job: String) async throws {
        let fixture = try Self.fixture(credits: Self.credits())
        let page = try await CreditsPage.page(try fixture.request("/films/heat-1995/credits?language=\(language)"))
        #expect(page.main.description.contains("<span dir=\"auto\">\(job)</span>"))
    }

    @Test func aFilmWithoutCreditsSaysSo() async throws {
        let page = try await CreditsPage.page(try Self.fixture().request("/films/heat-1995/credits"))
        #expect(page.main.description.contains("Nobody is credited yet."))
    }

    @Test func anUnknownFilmAndAnotherSpellingHaveNoPage() async throws {
        let fixture = try Self.fixture()
        await #expect(throws: UnknownMovie.self) {
            try await CreditsPage.page(try fixture.request("/films/ronin-1998/credits"))
        }
        await #expect(throws: PageRedirection(to: "/films/heat-1995/credits?language=ko")) {
            try await CreditsPage.page(try fixture.request("/films/sample:heat-1995/credits?language=ko"))
        }
    }

    // MARK: Reviews

    @Test func reviewsShowTheirBeginningAndTheRestOnDemand() async throws {
        let long = String(repeating: "a", count: 300) + "\n\nThe end. <script>alert(1)</script>"
        let fixture = try Self.fixture(reviews: [
            Review(
                id: "1", author: "Ann", score: 8, content: long, createdAt: PageFixture.sunday,
                url: "javascript:alert(1)"),
            Review(id: "2", author: "", score: 7.25, content: "Short.", url: "https://example.org/review"),
        ])
        let page = try await ReviewsPage.page(try fixture.request("/films/heat-1995/reviews"))
        let html = page.main.description
        let outline = HTMLOutline(html)
        #expect(outline.headings.map(\.text) == ["Reviews of Heat", "Reviews", "Ann", "OneSheet"] && outline.isOrdered)
        #expect(html.contains("8 out of 10") && html.contains("7.3 out of 10") && html.contains("2 reviews"))
        #expect(outline.all("details").count == 1 && html.contains("<p dir=\"auto\">The end. &lt;script&gt;"))
        #expect(outline.all("time").map { $0["datetime"] } == ["2024-05-05"])
        #expect(outline.links == ["/films/heat-1995", "https://example.org/review"])
        #expect(outline.all("script").isEmpty)
    }

    @Test func reviewsArePagedAndTheLanguageIsCarriedAlong() async throws {
        let reviews = (1...5).map { Review(id: "\($0)", author: "Author \($0)", content: "Text.") }
        let fixture = try Self.fixture(reviews: reviews, pageSize: 2)
        let request = try fixture.request("/films/heat-1995/reviews?page=2&language=ja&utm_source=x", known: ["page"])
        let outline = HTMLOutline(try await ReviewsPage.page(request).main.description)
        #expect(outline.headings.map(\.text).suffix(2) == ["Author 3", "Author 4"])
        let links = outline.all("a").filter { $0["rel"] != nil }
        #expect(links.map { $0["rel"] } == ["prev", "next"])
        #expect(
            links.map { $0["href"] } == [
                "/films/heat-1995/reviews?language=ja", "/films/heat-1995/reviews?page=3&amp;language=ja",
            ])
        await #expect(throws: Problem.self) {
            try await ReviewsPage.page(try fixture.request("/films/heat-1995/reviews?page=0", known: ["page"]))
        }
        await #expect(throws: PageRedirection(to: "/films/heat-1995/reviews?page=3", status: .found)) {
            try await ReviewsPage.page(try fixture.request("/films/heat-1995/reviews?page=4", known: ["page"]))
        }
    }

    // MARK: Pictures

    @Test func picturesAreGroupedByKindAndLinkToTheirPages() async throws {
        let fixture = try Self.fixture()
        let picture = { (kind: GalleryPicture.Kind, file: String) in
            FilmImage(GalleryPicture(kind: kind, location: .tmdb(file: file), size: Self.size))
        }
        fixture.movies.set(
            images: [
                picture(.poster, "p.jpg"), picture(.logo, "l.png"), picture(.backdrop, "b1.jpg"),
                picture(.backdrop, "b2.jpg"),
                FilmImage(GalleryPicture(kind: .still, location: .packaged(file: "s", version: "1")), place: 3),
            ], of: Self.id)
        let page = try await GalleryPage.page(try fixture.request("/films/heat-1995/pictures"))
        let outline = HTMLOutline(page.main.description)
        #expect(outline.headings.map(\.text) == ["Pictures of Heat", "Scenes", "Stills", "Posters", "Title logos"])
        #expect(outline.isOrdered && outline.danglingReferences.isEmpty)
        let pictures = outline.all("img")
        #expect(
            pictures.map { $0["src"] } == [
                "/picture/t/b1.jpg?w=500", "/picture/t/b2.jpg?w=500", "/picture/sample/heat-1995~3?w=500",
                "/picture/t/p.jpg?w=500", "/picture/t/l.png?w=500",
            ])
        #expect(
            pictures.map { $0["alt"] } == [
                "Picture 1 of Heat", "Picture 2 of Heat", "Picture 1 of Heat", "Poster of Heat", "Title logo of Heat",
            ])
        for name in ["b2.jpg", "3", "p.jpg"] { #expect(outline.links.contains("/films/heat-1995/pictures/\(name)")) }
        #expect(pictures.allSatisfy { $0["width"] != nil && $0["height"] != nil })
        #expect(page.needsMoreStyles && page.paint.css.contains("linear-gradient(#112233,#223344,#334455)"))
    }

    @Test func manyPicturesOfAKindHaveAPageOfTheirOwn() async throws {
        let fixture = try Self.fixture()
        let images = (1...100).map {
            FilmImage(GalleryPicture(kind: .backdrop, location: .tmdb(file: "\($0).jpg"), size: Self.size))
        }
        fixture.movies.set(images: images, of: Self.id)
        let first = try await GalleryPage.page(try fixture.request("/films/heat-1995/pictures"))
        let all = HTMLOutline(first.main.description)
        #expect(all.all("img").count == 24)
        #expect(all.links.contains("/films/heat-1995/pictures?kind=scenes"))
        let known = ["kind", "page"]
        let request = try fixture.request("/films/heat-1995/pictures?kind=scenes&page=3", known: known)
        let last = HTMLOutline(try await GalleryPage.page(request).main.description)
        #expect(last.all("img").map { $0["alt"] } == (97...100).map { "Picture \($0) of Heat" })
        #expect(last.links.contains("/films/heat-1995/pictures?kind=scenes&amp;page=2"))
        await #expect(throws: Problem.self) {
            try await GalleryPage.page(try fixture.request("/films/heat-1995/pictures?kind=x", known: known))
        }
        await #expect(throws: PageRedirection(to: "/films/heat-1995/pictures?kind=scenes&page=3", status: .found)) {
            try await GalleryPage.page(
                try fixture.request("/films/heat-1995/pictures?kind=scenes&page=4", known: known))
        }
    }

    // MARK: Similar films

    @Test func similarFilmsAreAListAndARow() async throws {
        let films = try (1...30).map { try PageFixture.film("film-\($0)", title: "Film \($0)", year: 1990 + $0) }
        let fixture = try Self.fixture(similar: films)
        let known = ["page", "row"]
        let list = try await SimilarPage.similar.page(
            try fixture.request("/films/heat-1995/similar?language=en", known: known))
        let outline = HTMLOutline(list.main.description)
        #expect(outline.headings.prefix(3).map(\.text) == ["Films like Heat", "Films", "Film 1"] && outline.isOrdered)
        #expect(outline.headings.count == 22)
        #expect(outline.links.first == "/films/heat-1995?language=en")
        #expect(outline.links.last == "/films/heat-1995/similar?page=2&amp;language=en")

        let row = try await SimilarPage.similar.page(
            try fixture.request("/films/heat-1995/similar?row=1&part=1", known: known))
        let section = HTMLOutline(row.main.description)
        #expect(section.elements.first?["class"] == "row")
        #expect(section.headings.count == 13 && section.headings.first?.level == 2)
        #expect(section.links.first == "/films/heat-1995/similar")
    }

    @Test func aLateRowIsALinkThatScriptsReplace() throws {
        let request = try Self.fixture().request("/films/heat-1995?language=ko")
        let outline = HTMLOutline(SimilarPage.recommended.lateRow(of: Self.id, in: request).description)
        let row = try #require(outline.elements.first)
        #expect(row["data-late"] == "/films/heat-1995/recommended?row=1&amp;language=ko")
        #expect(outline.links == ["/films/heat-1995/recommended?language=ko"])
    }

    @Test func aFilmWithoutRecommendationsSaysSo() async throws {
        let page = try await SimilarPage.recommended.page(try Self.fixture().request("/films/heat-1995/recommended"))
        #expect(page.main.description.contains("There is nothing to recommend yet."))
        #expect(page.title == "Films that people who like Heat like too")
    }

    @Test(
        "titles of sources are text",
        arguments: ["<script>alert(1)</script>", "\"\u{301} onload=x", "{{{x}}}", "'&amp;"])
    func hostile(title: String) async throws {
        let fixture = try Self.fixture(
            title: title, credits: Self.credits(), reviews: [Review(id: "1", author: title, content: title)],
            similar: [try PageFixture.film("film-1", title: title)])
        for page in [
            try await CreditsPage.page(try fixture.request("/films/heat-1995/credits")),
            try await ReviewsPage.page(try fixture.request("/films/heat-1995/reviews")),
            try await GalleryPage.page(try fixture.request("/films/heat-1995/pictures")),
            try await SimilarPage.similar.page(try fixture.request("/films/heat-1995/similar")),
        ] {
            let html = page.main.description
            #expect(!html.contains("<script"))
            #expect(html.contains(ScalarHTML.escape(title)))
            #expect(HTMLOutline(html).elements.allSatisfy { $0["onload"] == nil })
        }
    }
}
