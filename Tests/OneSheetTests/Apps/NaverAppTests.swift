import Foundation
import PosterTesting
import Testing

/// A search app written for Naver's API, with favourites: only the host is changed.
@Suite(.timeLimit(.hang))
struct NaverAppTests {
    private let folder = TemporaryFolder()

    private func app() async throws -> AppClient {
        AppClient(server: try await InProcessServer(dataDirectory: self.folder.path + "/data"))
    }

    /// Escapes a query as the app does.
    private func query(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test func resultsAreReadToTheEndInPagesOfTwenty() async throws {
        let app = try await self.app()
        var links: [String] = []
        var total = 1
        while links.count < total {
            let target = "/v1/search/movie.json?query=a&start=\(links.count + 1)&display=20"
            let page = try await app.get(target)
            total = try #require(page.total.int)
            #expect(page.start.int == links.count + 1)
            #expect(page.display.int == page.items.list.count)
            try #require(!page.items.list.isEmpty)
            for item in page.items.list {
                #expect(
                    item.names == [
                        "title", "link", "image", "subtitle", "pubDate", "director", "actor", "userRating",
                    ])
                #expect(item.pubDate.text?.count == 4)
                #expect(item.director.text?.hasSuffix("|") == true)
                links.append(try #require(item.link.text))
            }
        }
        #expect(total > 20)
        #expect(Set(links).count == total)
        let behind = try await app.get("/v1/search/movie.json?query=a&start=\(total + 1)&display=20")
        #expect(behind.items.list.isEmpty && behind.total.int == total)
        _ = await app.server.stop()
    }

    @Test func matchesAreMarkedAndPicturesLoad() async throws {
        let app = try await self.app()
        let page = try await app.get("/v1/search/movie.json?query=\(try self.query("시민 케인"))")
        let item = page.items[0]
        #expect(item.title.text?.contains("<b>") == true)
        #expect(item.title.text?.replacing("<b>", with: "").replacing("</b>", with: "") == "시민 케인")
        #expect(item.subtitle.text == "Citizen Kane")
        #expect(item.pubDate.text == "1941")
        let address = try #require(item.image.text)
        let image = try #require(URL(string: address))
        let poster = try await app.picture(image.path + "?" + (image.query ?? ""))
        #expect(poster.status == 200)
        _ = await app.server.stop()
    }

    @Test func errorsAreNaversOwn() async throws {
        let app = try await self.app()
        for (target, status, code) in [
            ("/v1/search/movie.json", 400, "SE01"), ("/v1/search/movie.json?query=a&display=101", 400, "SE02"),
            ("/v1/search/movie.json?query=a&start=1001", 400, "SE03"),
        ] {
            let answer = try await app.send("GET", target)
            #expect(answer.status == status, "\(target)")
            #expect(answer.body.errorCode.text == code, "\(target): \(answer.text)")
            #expect(answer.body.errorMessage.text?.isEmpty == false)
        }
        _ = await app.server.stop()
    }

    @Test func starsStayHoweverOftenTheyArePressed() async throws {
        var app = try await self.app()
        #expect(try await app.send("PUT", "/favourites/citizen-kane-1941").status == 401)
        let token = try #require(try await app.send("POST", "/auth/device").body.token.text)
        app.token = token
        for _ in 0..<3 {
            #expect((200...204).contains(try await app.send("PUT", "/favourites/citizen-kane-1941").status))
        }
        #expect((200...204).contains(try await app.send("PUT", "/favourites/mist-1967").status))
        var favourites = try await app.get("/favourites")
        #expect(favourites.totalResults.int == 2)
        #expect(favourites.results[0].id.text == "mist-1967")
        let found = try await app.get("/movies/search?query=\(try self.query("시민 케인"))&marks=true")
        #expect(found.results[0].isFavourite.bool == true)
        #expect(try await app.get("/movies/citizen-kane-1941?marks=true").isFavourite.bool == true)
        for _ in 0..<3 { #expect(try await app.send("DELETE", "/favourites/citizen-kane-1941").status == 204) }
        favourites = try await app.get("/favourites")
        #expect(favourites.results.list.compactMap(\.id.text) == ["mist-1967"])
        #expect(try await app.send("GET", "/favourites/citizen-kane-1941").status == 404)

        // After a restart, and on another device.
        _ = await app.server.stop()
        let again = AppClient(
            server: try await InProcessServer(dataDirectory: self.folder.path + "/data"), token: app.token)
        #expect(try await again.get("/favourites").totalResults.int == 1)
        let other = AppClient(
            server: again.server, token: try await again.send("POST", "/auth/device").body.token.text)
        #expect(try await other.get("/favourites").totalResults.int == 0)
        _ = await again.server.stop()
    }
}
