import HTTPSemantics
import MovieDomain
import MovieTesting
import PosterTesting
import Testing

@testable import MovieWeb

struct PicturePageTests {
    private static let id = MovieID("heat-1995")!

    private let fixture: PageFixture

    /// A film with a poster, two scenes and a still.
    init() throws {
        self.fixture = try PageFixture()
        let summary = try PageFixture.film(Self.id.description, title: "Heat")
        let still = GalleryPicture(kind: .still, location: .web(url: "https://a.test/s.jpg"), size: nil)
        self.fixture.movies.add(Movie(summary: summary, gallery: [still]))
        let size = PictureSize(width: 1600, height: 800)
        let picture = { (kind: GalleryPicture.Kind, file: String) in
            FilmImage(GalleryPicture(kind: kind, location: .tmdb(file: file), size: size))
        }
        self.fixture.movies.set(
            images: [picture(.poster, "p.jpg"), picture(.backdrop, "b1.jpg"), picture(.backdrop, "b2.jpg")],
            of: Self.id)
    }

    private func page(_ name: String, language: String = "") async throws -> MovieWeb.Page {
        try await PicturePage.page(self.fixture.request("/films/heat-1995/pictures/\(name)\(language)"))
    }

    @Test func aPictureIsBetweenItsNeighbours() async throws {
        let page = try await self.page("b2.jpg", language: "?language=en")
        let outline = HTMLOutline(page.main.description)
        #expect(outline.headings.map(\.text) == ["Picture 2 of Heat"] && page.title == "Picture 2 of Heat")
        #expect(outline.first("a") { $0["rel"] == "prev" }?["href"] == "/films/heat-1995/pictures/b1.jpg?language=en")
        #expect(outline.first("a") { $0["rel"] == "next" }?["href"] == "/films/heat-1995/pictures/p.jpg?language=en")
        #expect(outline.first("span") { $0["data-position"] != nil }?.text == "2 of 3")
        let picture = try #require(outline.first("img"))
        #expect(picture["alt"] == "Picture 2 of Heat" && picture["sizes"] == "min(100vw, 200vh)")
        #expect(picture["src"].map { outline.links.contains($0) } == true)
        #expect(outline.links.contains("/films/heat-1995?language=en"))
        #expect(outline.links.contains("/films/heat-1995/pictures?language=en"))
        #expect(!page.isIndexable)
    }

    @Test func theFirstAndTheLastHaveOneNeighbour() async throws {
        let relations = { (name: String) in
            HTMLOutline(try await self.page(name).main.description).all("a").compactMap { $0["rel"] }
        }
        #expect(try await relations("b1.jpg") == ["next"])
        #expect(try await relations("p.jpg") == ["prev"])
    }

    @Test("pictures of the film's page that are not in the list of all have pages, too")
    func fallback() async throws {
        let outline = HTMLOutline(try await self.page("1").main.description)
        #expect(outline.first("img")?["src"]?.hasPrefix("/picture/sample/heat-1995~1?w=") == true)
        #expect(outline.first("span") { $0["data-position"] != nil }?.text == "1 of 1")
    }

    @Test("other names have no page", arguments: ["b3.jpg", "0", "2", "poster", "%2E%2E"])
    func unknown(name: String) async throws {
        let problem = await #expect(throws: Problem.self) { try await self.page(name) }
        #expect(problem?.kind == .notFound)
    }

    @Test func aPosterWithoutAFileIsTheFilmsOwn() throws {
        let poster = { (location: PictureLocation) in
            FilmImage(GalleryPicture(kind: .poster, location: location, size: nil))
        }
        #expect(poster(.web(url: "https://a.test/p.jpg")).pathName == "poster")
        #expect(poster(.tmdb(file: "p.jpg")).pathName == "p.jpg")
        let logo = GalleryPicture(kind: .logo, location: .web(url: "https://a.test/l.png"), size: nil)
        #expect(FilmImage(logo).pathName == nil && FilmImage(logo, place: 4).pathName == "4")
    }
}
