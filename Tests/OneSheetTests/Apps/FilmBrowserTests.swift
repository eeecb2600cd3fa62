import Foundation
import PosterTesting
import Testing

/// A browser that follows people from film to film and shows all pictures of a film, with the embedded catalogue.
@Suite(.timeLimit(.hang))
struct FilmBrowserTests {
    private let folder = TemporaryFolder()

    private func app(_ arguments: [String] = []) async throws -> AppClient {
        AppClient(
            server: try await InProcessServer(dataDirectory: self.folder.path + "/data", arguments), language: "en")
    }

    private func query(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test func aCastMemberLeadsToTheFilmographyAndOnToAnotherFilm() async throws {
        let app = try await self.app()
        let film = try await app.get("/movies/frankenstein-1931?language=ko")
        let cast = try #require(film.sections.list.first { $0.type.text == "cast" })
        #expect(cast.members.list.count > 3 && cast.members.list.allSatisfy { $0.id.text != nil })
        let credits = try await app.get("/movies/m-1931/credits?language=ko")
        #expect(credits.crew[0].id.text == "fritz-lang")
        let lorre = try #require(credits.cast.list.first { $0.name.text == "페터 로레" || $0.id.text == "peter-lorre" })

        let person = try await app.get("/people/\(try #require(lorre.id.text))?language=ko")
        #expect(person.name.text == lorre.name.text && person.originalName.text == "Peter Lorre")
        #expect(person.department.text == "acting" && person.source.text == "sample")
        #expect(!person.portrait.exists && !person.birthday.exists)
        #expect(person.films.list.compactMap(\.id.text) == ["casablanca-1942", "m-1931"], "the latest first")
        for part in person.films.list {
            #expect(part.roles.list.first?.text?.isEmpty == false)
            let poster = try await app.picture(part.poster.url.text)
            #expect(poster.status == 200)
        }
        let next = try await app.get("/movies/\(try #require(person.films[0].id.text))?language=ko")
        #expect(next.title.text == "카사블랑카")

        let director = try await app.get("/people/fritz-lang?language=ko")
        #expect(director.name.text == "프리츠 랑" && director.department.text == "directing")
        #expect(director.films.list.allSatisfy { $0.jobs[0].job.text == "director" && $0.roles.list.isEmpty })
        _ = await app.server.stop()
    }

    @Test func peopleAreFoundByWhatIsTypedOfTheirNames() async throws {
        let app = try await self.app()
        for (text, id) in [("프리츠랑", "fritz-lang"), ("fritz lnag", "fritz-lang"), ("黒沢明", "akira-kurosawa")] {
            let found = try await app.get("/people/search?query=\(try self.query(text))")
            #expect(found.results[0].id.text == id, "\(text)")
            #expect(!found.results[0].knownFor.list.isEmpty)
        }
        let pages = try await app.pages(of: "/people/search?query=a")
        let ids = pages.flatMap { $0.results.list.compactMap(\.id.text) }
        #expect(ids.count > 20 && ids.count == pages[0].totalResults.int && Set(ids).count == ids.count)
        let nobody = try await app.send("GET", "/people/nobody-at-all")
        #expect(nobody.status == 404 && nobody.body.type.text?.hasSuffix("unknown-person") == true)
        let wrong = try await app.send("GET", "/people/Fritz%20Lang")
        #expect(wrong.status == 400 && wrong.body.type.text?.hasSuffix("invalid-id") == true)
        #expect(try await app.send("GET", "/people/search").status == 400)
        _ = await app.server.stop()
    }

    @Test func allPicturesOfAFilmAreServedAndWhatTheCatalogueHasNotIsEmpty() async throws {
        let app = try await self.app()
        let images = try await app.get("/movies/nosferatu-1922/images")
        #expect(images.counts.poster.int == 1 && images.counts.backdrop.int == 3)
        #expect(images.images.list.count == 4)
        for image in images.images.list {
            let picture = try await app.picture(image.url.text)
            #expect(picture.status == 200 && picture.headers["content-type"]?.hasPrefix("image/") == true, "\(image)")
        }
        let wide = try await app.get("/movies/nosferatu-1922/images?kind=backdrop&textless=true").images.list
        #expect(wide.count == 3 && wide.allSatisfy { ($0.width.int ?? 0) > ($0.height.int ?? 0) })
        #expect(try await app.get("/movies/nosferatu-1922/videos").videos.list.isEmpty)
        #expect(try await app.get("/movies/nosferatu-1922/releases").releases.list.isEmpty)
        #expect(try await app.get("/movies/nosferatu-1922/offers?country=KR").offers.list.isEmpty)
        let nowhere = try await app.send("GET", "/movies/nosferatu-1922/offers")
        #expect(nowhere.status == 400 && nowhere.body.detail.text?.contains("--region") == true, "\(nowhere.text)")
        _ = await app.server.stop()
    }
}
