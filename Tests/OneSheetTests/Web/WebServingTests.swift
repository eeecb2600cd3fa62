import Foundation
import PosterTesting
import Testing

/// The web pages of a server with the embedded catalogue.
@Suite(.timeLimit(.hang))
struct WebServingTests {
    private static let film = "/films/nosferatu-1922"

    private let folder = TemporaryFolder()

    private func server(_ arguments: [String] = []) async throws -> InProcessServer {
        try await InProcessServer(dataDirectory: self.folder.path + "/data", arguments)
    }

    @Test func theHomePageIsInTheReadersLanguageAndAllThatItNamesIsThere() async throws {
        let server = try await self.server()
        let home = try await server.get("/", headers: ["Accept-Language": "ko", "Accept": "text/html"])
        #expect(home.status == 200 && home.headers["content-type"] == "text/html; charset=utf-8")
        #expect(home.text.contains("<html lang=\"ko\">") && home.headers["content-language"] == "ko")
        let policy = try #require(home.headers["content-security-policy"])
        #expect(policy.contains("default-src 'none'") && policy.contains("require-trusted-types-for 'script'"))
        #expect(!policy.contains("unsafe-"))
        let japanese = try await server.get("/?language=ja", headers: ["Accept-Language": "ko"])
        #expect(japanese.text.contains("<html lang=\"ja\">"))

        let assets = home.text.matches(of: /"(\/assets\/[0-9a-f]+\/[^"]+)"/).map { String($0.output.1) }
        #expect(assets.contains { $0.hasSuffix(".js") } && assets.contains { $0.hasSuffix(".css") })
        for asset in assets {
            let answer = try await server.get(asset)
            #expect(answer.status == 200 && answer.headers["cache-control"]?.contains("immutable") == true, "\(asset)")
        }
        for target in ["/service-worker.js", "/manifest.webmanifest?language=ko", "/robots.txt", "/offline"] {
            #expect(try await server.get(target).status == 200, "\(target)")
        }
        let pictures = home.text.matches(of: /src="(\/poster\/[^"]+)"/).map {
            String($0.output.1).replacing("&amp;", with: "&")
        }
        let first = try #require(pictures.first)
        let picture = try await server.get(first, headers: ["Accept": "image/webp,*/*"])
        #expect(picture.status == 200 && picture.headers["content-type"]?.hasPrefix("image/") == true, "\(first)")
        #expect(await server.stop() == 0)
    }

    @Test func aVisitorKeepsAFilmSignsInByApprovalRatesItAndSignsOut() async throws {
        let server = try await self.server()
        var visitor = WebVisitor(server)
        let film = try await visitor.open(Self.film)
        #expect(film.status == 200)
        let kept = try await visitor.submit(
            Self.film + "/favourite",
            ["token": try WebVisitor.field("token", in: film), "on": "1", "return": Self.film])
        #expect(kept.status == 303, "\(kept.text)")
        #expect(try WebVisitor.target(of: kept).hasPrefix(Self.film) && !visitor.cookies.isEmpty)
        let mine = try await visitor.open("/my/favourites")
        #expect(mine.text.contains("href=\"\(Self.film)\"") && mine.headers["cache-control"] == "private, no-cache")

        let form = try await visitor.open("/sign-in?return=/my/favourites")
        let started = try await visitor.submit(
            "/sign-in", ["token": try WebVisitor.field("token", in: form), "return": "/my/favourites"])
        let approval = try WebVisitor.target(of: started)
        #expect(started.status == 303 && approval.hasPrefix("/sign-in/approve"))
        let page = try await visitor.open(approval)
        #expect(page.text.contains("name=\"approve\""))
        let approved = try await visitor.submit(
            "/sign-in/approve", ["token": try WebVisitor.field("token", in: page), "approve": "1"])
        let (account, target) = try await visitor.follow(approved)
        #expect(account.status == 200 && target.hasPrefix("/my/favourites"), "\(target)")
        #expect(account.text.contains("href=\"\(Self.film)\""), "what the device kept is the account's")

        let token = try WebVisitor.field("token", in: try await visitor.open(Self.film))
        let rated = try await visitor.submit(
            Self.film + "/rating", ["token": token, "value": "8.5", "return": Self.film])
        #expect(rated.status == 303, "\(rated.text)")
        let ratings = try await visitor.open("/my/ratings")
        #expect(ratings.text.contains("href=\"\(Self.film)\"") && ratings.text.contains("8.5"))

        let before = visitor.cookies
        let out = try await visitor.submit("/sign-out", ["token": try WebVisitor.field("token", in: ratings)])
        #expect(out.status == 303 && out.headers["clear-site-data"]?.contains("\"storage\"") == true)
        #expect(visitor.cookies != before)
        #expect(try await visitor.open("/my/favourites").text.contains("href=\"\(Self.film)\""))
        let after = try await visitor.open("/my/ratings")
        #expect(after.status == 200 && !after.text.contains("href=\"\(Self.film)\""))
        #expect(await server.stop() == 0)
    }

    @Test func withoutTheWebItsAddressesAreThoseOfBefore() async throws {
        let server = try await self.server(["--no-web"])
        for target in ["/", "/search?q=a", "/my/favourites", "/sign-in", "/service-worker.js", "/store"] {
            let answer = try await server.get(target, headers: ["Accept": "text/html"])
            #expect(answer.status == 404 && answer.headers["content-type"] == "application/problem+json", "\(target)")
        }
        let film = try await server.get(Self.film)
        #expect(film.status == 303 && film.headers["location"] == "/movies/nosferatu-1922")
        #expect(try await server.get("/movies/nosferatu-1922").status == 200)
        #expect(await server.stop() == 0)
    }

    @Test(
        "a problem is a page for people, and JSON for programs and at resources for them",
        arguments: [
            ("/films/no-such-film", 404), ("/nothing-here", 404), ("/box-office?date=never", 400),
            ("/films/imdb:1", 400),
        ])
    func problems(target: String, status: Int) async throws {
        let server = try await self.server()
        let page = try await server.get(target, headers: ["Accept": "text/html,*/*;q=0.8", "Accept-Language": "ja"])
        #expect(page.status == status && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<html lang=\"ja\">") && page.headers["cache-control"] == "no-store")
        #expect(page.headers["content-security-policy"]?.contains("default-src 'none'") == true)
        let json = try await server.get(target, headers: ["Accept": "*/*"])
        #expect(json.status == status && json.headers["content-type"] == "application/problem+json")
        let resource = try await server.get("/movies/no-such-film", headers: ["Accept": "text/html"])
        #expect(resource.status == 404 && resource.headers["content-type"] == "application/problem+json")
        #expect(await server.stop() == 0)
    }
}
