import Foundation
import PosterTesting
import Testing

/// A film browser with sign-in and ratings: all data of its screens, from the embedded catalogue.
@Suite(.timeLimit(.hang))
struct MovieFinderTests {
    private let folder = TemporaryFolder()

    private func app() async throws -> AppClient {
        AppClient(
            server: try await InProcessServer(dataDirectory: self.folder.path + "/data"), language: "en-GB,en;q=0.8")
    }

    @Test func theHomeScreenHasFourListsAtOnceWithGenresAndPosters() async throws {
        let app = try await self.app()
        let home = try await app.get("/movies/home")
        #expect(home.sections.list.compactMap(\.id.text) == ["nowPlaying", "popular", "topRated", "upcoming"])
        let genres = Set(try await app.get("/genres").genres.list.compactMap(\.id.text))
        for section in home.sections.list {
            #expect(!section.results.list.isEmpty, "\(section.id)")
            for film in section.results.list {
                #expect(film.title.text?.isEmpty == false)
                #expect(film.releaseDate.exists || film.year.exists)
                #expect(film.originalLanguage.text?.count == 2)
                #expect(film.overview.text?.isEmpty == false)
                #expect(film.score.average.double.map { (0...10).contains($0) } == true)
                #expect(film.poster.url.text?.hasPrefix("/poster/") == true)
                #expect(!film.isFavourite.exists)
                #expect(!film.genres.list.isEmpty)
                for genre in film.genres.list { #expect(genres.contains(genre.id.text ?? ""), "\(genre)") }
            }
        }
        let poster = try await app.picture(home.sections[0].results[0].poster.url.text)
        #expect(poster.status == 200)
        #expect(poster.headers["content-type"]?.hasPrefix("image/") == true)
        let backdrop = home.sections[0].results[0].backdrop
        #expect((backdrop.width.int, backdrop.height.int) == (1280, 720))
        #expect(try await app.picture(backdrop.url.text).status == 200)
        _ = await app.server.stop()
    }

    @Test func searchGoesToItsLastPageAndNotBeyond() async throws {
        let app = try await self.app()
        let pages = try await app.pages(of: "/movies/search?query=a")
        let total = try #require(pages[0].totalResults.int)
        #expect(pages.count > 1)
        let ids = pages.flatMap { $0.results.list.compactMap(\.id.text) }
        #expect(ids.count == total)
        #expect(Set(ids).count == total)
        let last = try await app.send("GET", "/movies/search?query=a&page=\(pages.count)")
        #expect(last.headers["link"]?.contains("rel=\"prev\"") == true)
        #expect(last.headers["link"]?.contains("rel=\"next\"") == false)
        let beyond = try await app.get("/movies/search?query=a&page=\(pages.count + 1)")
        #expect(beyond.results.list.isEmpty)
        #expect(beyond.totalResults.int == total)
        #expect(try await app.get("/movies/search?query=zzzzqqqq").totalResults.int == 0)
        #expect(try await app.get("/movies/search?query=metropolis&year=1927").results[0].id.text == "metropolis-1927")
        #expect(try await app.get("/movies/search?query=metropolis&year=1928").totalResults.int == 0)
        _ = await app.server.stop()
    }

    @Test func aFilmHasItsSectionsInOrderAllItsCastAndItsReviews() async throws {
        let app = try await self.app()
        let film = try await app.get("/movies/nosferatu-1922")
        #expect(film.title.text == "Nosferatu")
        #expect(film.runtimeMinutes.int.map { $0 > 60 } == true)
        let types = film.sections.list.compactMap(\.type.text)
        let order = [
            "top", "summary", "gallery", "videos", "description", "releaseNotes", "cast", "information", "reviews",
        ]
        #expect(types == order.filter(types.contains))
        #expect(types.first == "top" && types.contains("description") && types.contains("cast"))
        let gallery = film.sections.list.first { $0.type.text == "gallery" }?.pictures.list ?? []
        #expect(gallery.count == 3 && gallery.first?.url.text == film.backdrop.url.text)
        for picture in gallery { #expect(try await app.picture(picture.url.text).status == 200) }
        let credits = try await app.get("/movies/nosferatu-1922/credits")
        let leads = film.sections.list.first { $0.type.text == "cast" }?.members.list ?? []
        #expect(!leads.isEmpty)
        #expect(credits.cast.list.count >= leads.count)
        #expect(credits.crew.list.contains { $0.name.text == "F. W. Murnau" })
        #expect(try await !app.get("/movies/nosferatu-1922/similar").results.list.isEmpty)
        var truncated = 0
        for id in ["the-housemaid-1960", "metropolis-1927"] {
            for page in try await app.pages(of: "/movies/\(id)/reviews") {
                for review in page.results.list {
                    let (preview, content) = (review.preview.text ?? "", review.content.text ?? "")
                    #expect(!content.isEmpty && preview.count <= 300 && content.hasPrefix(preview))
                    #expect(review.isTruncated.bool == (content.count > 300))
                    truncated += content.count > 300 ? 1 : 0
                }
            }
        }
        #expect(truncated > 0)
        _ = await app.server.stop()
    }

    @Test func signingInNeedsTheUsersApprovalAndARatingIsGivenAndTakenBack() async throws {
        var app = try await self.app()
        let authorization = try await app.send("POST", "/auth/token")
        #expect(authorization.status == 200)
        let request = try #require(authorization.body.requestToken.text)
        let page = try #require(authorization.body.authorizeURL.text)
        let early = try await app.send("POST", "/auth/session", body: "{\"requestToken\":\"\(request)\"}")
        #expect(early.status == 401)
        #expect(early.body.type.text?.hasSuffix("not-approved") == true)

        try await self.approve(page, on: app.server)
        let session = try await app.send("POST", "/auth/session", body: "{\"requestToken\":\"\(request)\"}")
        #expect(session.status == 200, "\(session.text)")
        #expect(session.headers["set-cookie"]?.contains("HttpOnly") == true)
        let token = try #require(session.body.token.text)
        app.token = token
        let again = try await app.send("POST", "/auth/session", body: "{\"requestToken\":\"\(request)\"}")
        #expect(again.status != 200)
        #expect(try await app.get("/account").username.text?.isEmpty == false)

        for _ in 0..<2 {
            let rated = try await app.send("PUT", "/movies/m-1931/rating", body: "{\"value\":9}")
            #expect((200...204).contains(rated.status))
        }
        #expect(try await app.send("PUT", "/movies/m-1931/rating", body: "{\"value\":9.3}").status == 400)
        let ratings = try await app.get("/account/ratings")
        #expect(ratings.totalResults.int == 1)
        #expect(ratings.results[0].id.text == "m-1931" || ratings.results[0].movie.id.text == "m-1931")
        for _ in 0..<2 { #expect((200...204).contains(try await app.send("DELETE", "/movies/m-1931/rating").status)) }
        #expect(try await app.get("/account/ratings").totalResults.int == 0)
        #expect(try await app.send("PUT", "/movies/no-such-1900/rating", body: "{\"value\":9}").status == 404)

        #expect(try await app.send("DELETE", "/auth/session").status == 204)
        let over = try await app.send("GET", "/account")
        #expect(over.status == 401)
        #expect(over.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        _ = await app.server.stop()
    }

    /// Opens the approval page and submits its form.
    private func approve(_ page: String, on server: any TestServer) async throws {
        let path = try #require(URL(string: page)?.path)
        let form = try await server.get(path)
        #expect(form.status == 200)
        #expect(form.text.contains("<form"))
        let connection = try server.connect()
        let body = "approve=1"
        try connection.send(
            raw: """
                POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\
                Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """)
        #expect([200, 303].contains(try await connection.answer().status))
    }
}
