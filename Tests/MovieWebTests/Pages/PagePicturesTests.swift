import MovieDomain
import PosterAPI
import PosterTesting
import ServiceTesting
import Testing

/// Pages request pictures that the current policy allows; over real sockets.
@Suite(.timeLimit(.hang))
struct PagePicturesTests {
    /// A page with the poster of a film from the embedded catalogue.
    private static let page = "/films/nosferatu-1922"

    private func serve(
        _ change: (inout PicturePolicy) throws -> Void, _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let films = try MovieServicesFixture()
        films.add(try #require(MovieID("nosferatu-1922")), title: "Nosferatu")
        var policy = PicturePolicy()
        try change(&policy)
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await films.serveWeb(settings, body)
    }

    /// URLs and widths in the first `srcset`.
    private static func candidates(of page: HTTPConnection.Answer) throws -> [(url: String, width: Substring)] {
        let start = try #require(page.text.firstRange(of: "srcset=\""), "\(page.text)")
        let attribute = page.text[start.upperBound...].prefix { $0 != "\"" }
        let candidates = attribute.replacing("&amp;", with: "&").split(separator: ", ")
        return candidates.compactMap { candidate in
            let parts = candidate.split(separator: " ")
            return parts.count == 2 ? (url: String(parts[0]), width: parts[1]) : nil
        }
    }

    @Test func theyAreSignedAndOfTheLaddersWidths() async throws {
        try await self.serve({ policy in
            policy.signingKeys = try SigningKeys("a key that no client knows")
            policy.requiresSignatures = true
            policy.ladder = WidthLadder(rungs: [160, 320])
            policy.usesHints = true
        }) { server in
            let page = try await server.page(Self.page)
            #expect(page.status == 200 && page.headers["accept-ch"] == ClientHints.accepted)
            let candidates = try Self.candidates(of: page)
            #expect(candidates.map(\.width) == ["160w", "320w"])
            for candidate in candidates {
                // A browser that chooses from a srcset has already applied its screen's pixel ratio.
                #expect(candidate.url.contains("dpr=1"))
                let picture = try await server.get(candidate.url, headers: ["Sec-CH-DPR": "2"])
                #expect(picture.status == 200, "\(candidate.url)")
            }
        }
    }

    @Test func withoutAPolicyTheyAreOfTheWidthsThatPagesShow() async throws {
        try await self.serve({ _ in }) { server in
            let page = try await server.page(Self.page)
            #expect(page.headers["accept-ch"] == nil)
            let candidates = try Self.candidates(of: page)
            #expect(candidates.map(\.width).starts(with: ["120w", "160w", "240w"]))
            #expect(candidates.allSatisfy { !$0.url.contains("dpr=") })
        }
    }
}
