import HTTPTesting
import MovieDomain
import MovieHTTP
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer

/// Which resources are compressed, over real sockets.
@Suite(.timeLimit(.hang))
struct CompressedResourcesTests {
    private static let both = ["Accept-Encoding": "gzip, deflate, br"]

    /// Lists of 20 films and 20 results for `film`.
    private func fixture() throws -> MovieServicesFixture {
        let fixture = try MovieServicesFixture(films: 20)
        let films = try (1...20).map { number in
            let id = try #require(MovieID("film-\(number)"))
            return try #require(
                MovieSummary(
                    id: id, title: "Film \(number)", originalTitle: "Фильм", year: 1900 + number,
                    directors: ["F. W. Murnau"], cast: ["Max Schreck"]))
        }
        for list in MovieList.allCases { fixture.catalogue.set(films, for: .list(list)) }
        fixture.catalogue.set(films, for: .search(try #require(MovieQuery("film"))))
        return fixture
    }

    @Test(
        "JSON and HTML that any client may have is compressed",
        arguments: [
            "/openapi.json", "/movies/home", "/movies/lists/popular?page=1&language=en",
            "/movies/search?query=film", "/apps/today",
            "/poster/nosferatu-1922/srcset?widths=92,100,120,154,185,200,250,300,342,400,500,600,700,780",
        ])
    func compressed(target: String) async throws {
        try await self.fixture().run { server in
            let plain = try await server.get(target)
            #expect(plain.status == 200 && plain.headers["content-encoding"] == nil)
            #expect(plain.headers["vary"]?.hasSuffix("Accept-Encoding") == true)
            for coding in ["br", "gzip"] {
                let answer = try await server.get(target, headers: ["Accept-Encoding": coding])
                #expect(answer.headers["content-encoding"] == coding && answer.body.count < plain.body.count / 2)
                #expect(answer.decodedBody == plain.body, "\(coding)")
                for name in ["content-type", "vary", "cache-control", "content-security-policy"] {
                    #expect(answer.headers[name] == plain.headers[name], "\(name)")
                }
                let head = try await server.get(target, headers: ["Accept-Encoding": coding], method: "HEAD")
                #expect(head.headers["content-length"] == "\(answer.body.count)")
                guard let tag = answer.headers["etag"] else { continue }
                #expect(tag != plain.headers["etag"] && head.headers["etag"] == tag)
                let conditions = ["Accept-Encoding": coding, "If-None-Match": tag]
                let same = try await server.get(target, headers: conditions)
                #expect(same.status == 304 && same.headers["etag"] == tag)
                #expect(same.headers["vary"] == plain.headers["vary"])
            }
            let preferred = try await server.get(target, headers: Self.both)
            #expect(preferred.headers["content-encoding"] == "br")
        }
    }

    @Test func allButNaversFormatHasATagOfItsBytes() async throws {
        try await self.fixture().run { server in
            for target in ["/openapi.json", "/movies/home"] {
                let tag = try #require(try await server.get(target).headers["etag"])
                let same = try await server.get(target, headers: ["If-None-Match": tag])
                #expect(same.status == 304 && same.headers["etag"] == tag, "\(target)")
                #expect(same.headers["vary"]?.hasSuffix("Accept-Encoding") == true)
            }
        }
    }

    @Test func whatIsOnePersonsIsNot() async throws {
        let fixture = try self.fixture()
        try await fixture.run { server in
            var headers = try await server.device()
            for number in 1...20 { _ = try await server.send("PUT", "/favourites/film-\(number)", headers: headers) }
            headers.merge(Self.both) { first, _ in first }
            let favourites = try await server.get("/favourites", headers: headers)
            #expect(favourites.objects("results").count == 20 && favourites.body.count > 1024)
            #expect(favourites.headers["content-encoding"] == nil)
            #expect(favourites.headers["vary"]?.contains("Encoding") == false)
            let tag = try #require(favourites.headers["etag"])
            headers["If-None-Match"] = tag
            #expect(try await server.get("/favourites", headers: headers).status == 304)

            let device = try await server.send("POST", "/auth/device", headers: Self.both)
            #expect(device.json["token"] is String && device.headers["content-encoding"] == nil)
            let authorization = try await server.send("POST", "/auth/token").json
            let token = try #require(authorization["requestToken"] as? String)
            let page = try await server.get("/auth/approve/\(token)", headers: Self.both)
            #expect(page.status == 200 && page.headers["content-encoding"] == nil)
        }
    }

    @Test func picturesProblemsAndMetricsAreNot() async throws {
        try await self.fixture().run { server in
            for (target, status) in [
                ("/poster/nosferatu-1922", 200), ("/poster/nosferatu-1922?w=92", 200), ("/metrics", 200),
                ("/movies/lists/popular?page=0", 400), ("/nothing", 404),
                // Its date changes every second, so a compressed form would serve only one client.
                ("/v1/search/movie.json?query=film&display=20", 200),
            ] {
                let answer = try await server.get(target, headers: Self.both)
                #expect(answer.status == status && answer.headers["content-encoding"] == nil, "\(target)")
                #expect(answer.headers["vary"]?.contains("Encoding") != true, "\(target)")
            }
        }
    }
}
