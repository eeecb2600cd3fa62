import PosterAPI
import PosterTesting
import ServiceTesting
import Testing

/// Posters with scores over HTTP, of the embedded catalogue.
@Suite(.timeLimit(.hang))
struct BadgePosterTests {
    private static let poster = "/poster/nosferatu-1922?w=154&format=jpeg"

    private func withServer(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, settings) { server in try await body(server) }
        }
    }

    @Test func aScoreIsPartOfTheEntityTag() async throws {
        try await self.withServer { server in
            let plain = try await server.get(Self.poster)
            let target = Self.poster + "&badges=sample,imdb"
            // The first response does not wait long for scores.
            try await eventually { try await server.get(target).headers["cache-control"] != "public, max-age=60" }
            let badges = try await server.get(target)
            #expect(badges.status == 200 && badges.headers["content-type"] == "image/jpeg")
            let tag = try #require(badges.headers["etag"])
            #expect(plain.headers["etag"] != nil && plain.headers["etag"] != tag)
            #expect(badges.headers["last-modified"] == nil)
            #expect(try await server.get(target).headers["etag"] == tag)
            #expect(try await server.get(target, headers: ["If-None-Match": tag]).status == 304)
            let top = try await server.get(target + "&badge-position=top")
            #expect(top.status == 200 && top.headers["etag"] != tag)
        }
    }

    @Test func aFilmWithoutTheScoreHasItsPlainPoster() async throws {
        try await self.withServer { server in
            let plain = try await server.get(Self.poster)
            let badges = try await server.get(Self.poster + "&badges=imdb")
            #expect(badges.status == 200 && badges.headers["etag"] == plain.headers["etag"])
        }
    }

    @Test func textsNeedTheOption() async throws {
        let target = Self.poster + "&text=4K"
        try await self.withServer { server in
            let refused = try await server.get(target)
            #expect(refused.status == 403 && refused.headers["content-type"] == "application/problem+json")
            #expect(refused.text.contains("text is allowed neither by --badge-text nor a signature"))
        }
        var settings = LiveServer.Settings()
        var policy = PicturePolicy()
        policy.allowsBadgeTexts = true
        settings.pictures = ReloadablePicturePolicy(policy)
        try await self.withServer(settings) { server in
            let plain = try await server.get(Self.poster).headers["etag"]
            let text = try await server.get(target).headers["etag"]
            #expect(plain != nil && text != nil && plain != text)
        }
    }

    @Test func aPictureThatIsNotAFilmsHasNoScores() async throws {
        try await self.withServer { server in
            let answer = try await server.get("/poster/mine:a.jpg?w=92&badges=imdb")
            #expect(answer.status == 400 && answer.text.contains("badges requires a film's poster"))
        }
    }
}
