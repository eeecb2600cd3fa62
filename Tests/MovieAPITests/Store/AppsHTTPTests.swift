import Foundation
import HTTPTesting
import PosterTesting
import ServiceTesting
import Testing

/// Apps of the embedded store, over real sockets.
@Suite(.timeLimit(.hang))
struct AppsHTTPTests {
    @Test func whatIsFoundComesInParts() async throws {
        try await MovieServicesFixture().run { server in
            let first = try await server.get("/apps/search?term=a&limit=2")
            #expect(first.status == 200 && first.headers["etag"] != nil)
            #expect(first.json["hasMore"] as? Bool == true)
            #expect(
                first.headers["link"] == "</apps/search?term=a&offset=0&limit=2>; rel=\"first\", "
                    + "</apps/search?term=a&offset=2&limit=2>; rel=\"next\"")
            var ids: [String] = []
            var target: String? = "/apps/search?term=a&limit=2"
            while let next = target {
                let answer = try await server.get(next)
                ids += answer.objects("results").compactMap { $0["id"] as? String }
                let links = answer.headers["link"]?.split(separator: ", ") ?? []
                target = links.first { $0.hasSuffix("rel=\"next\"") }.map {
                    String($0.dropFirst().prefix { $0 != ">" })
                }
            }
            let all = try await server.get("/apps/search?term=a&limit=50")
            #expect(all.objects("results").compactMap { $0["id"] as? String } == ids)
            #expect(Set(ids).count == ids.count && ids.count > 4)
            #expect(all.json["hasMore"] as? Bool == false)
            let app = try #require(all.objects("results").first)
            #expect((app["icon"] as? [String: Any])?["srcset"] is String && app["sections"] == nil)
            let unchanged = try await server.get(
                "/apps/search?term=a&limit=2", headers: ["If-None-Match": first.headers["etag"] ?? ""])
            #expect(unchanged.status == 304)
        }
    }

    @Test func anAppIsShownInSections() async throws {
        try await MovieServicesFixture().run { server in
            let answer = try await server.get("/apps/app-nickelodeon?language=en")
            let app = answer.json
            let sections = try #require(app["sections"] as? [[String: Any]])
            let types = sections.compactMap { $0["type"] as? String }
            #expect(types == ["top", "summary", "gallery", "description", "releaseNotes", "information"])
            #expect(sections[0]["price"] as? String == "GET" && app["priceLabel"] as? String == "GET")
            let items = try #require(sections[1]["items"] as? [[String: Any]])
            #expect(items.compactMap { $0["kind"] as? String } == ["ratings", "age", "developer", "language"])
            #expect(items[0]["topLabel"] as? String == "1.3M RATINGS")
            let pictures = try #require(sections[2]["pictures"] as? [[String: Any]])
            #expect((pictures[0]["url"] as? String)?.contains("app-nickelodeon~1") == true)
            try await expectProblem(404, "unknown-app", server.get("/apps/app-nothing"))
            try await expectProblem(404, "unknown-app", server.get("/apps/itunes:361309726"))
            try await expectProblem(400, "invalid-id", server.get("/apps/tmdb:1"))
        }
    }

    @Test func appsAreInTheLanguageAskedForAndCachesAreToldSo() async throws {
        try await MovieServicesFixture().run { server in
            for (language, price, count) in [("ko", "받기", "128.4만"), ("en", "GET", "1.3M"), ("ja", "入手", "128.4万")] {
                let app = try await server.get("/apps/app-nickelodeon", headers: ["Accept-Language": language])
                #expect(app.headers["vary"]?.hasPrefix("Accept-Language") == true)
                #expect(app.json["priceLabel"] as? String == price)
                #expect(app.json["ratingCountLabel"] as? String == count)
                let items = app.objects("sections").last?["items"] as? [[String: String]]
                #expect(items?.allSatisfy { $0["label"]?.isEmpty == false } == true)
            }
            let korean = try await server.get("/apps/search?term=a&limit=1&language=ko")
            #expect(korean.headers["link"]?.contains("offset=1&limit=1&language=ko") == true)
            let english = try await server.get("/apps/search?term=a&limit=1&language=en")
            let names = [korean, english].map { $0.objects("results").first?["name"] as? String }
            #expect(names[0] != nil && names[0] != names[1])
            let today = try await server.get("/apps/today?language=ja")
            #expect(today.status == 200 && today.objects("list").count == 5)
        }
    }

    @Test func thereIsSomethingToShowToday() async throws {
        try await MovieServicesFixture().run { server in
            let today = try await server.get("/apps/today")
            #expect(today.objects("list").count == 5)
            #expect(today.json["featured"] is [String: Any])
            #expect(try await server.get("/apps/today", method: "HEAD").status == 200)
        }
    }

    @Test(arguments: [
        "", "?term=", "?term=%20", "?term=a&limit=0", "?term=a&limit=51", "?term=a&offset=-1", "?term=a&offset=1001",
        "?term=a&page=1", "?term=a&term=b", "?term=\(String(repeating: "a", count: 201))",
    ])
    func whatCannotBeAskedForIsRefused(query: String) async throws {
        try await MovieServicesFixture().run { server in
            try await expectProblem(400, "invalid-parameter", server.get("/apps/search\(query)"))
        }
    }
}
