import MovieDomain
import MovieTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieWeb
@testable import PosterAPI

/// Pages refer to pictures in the form that the policy allows.
@Suite(.timeLimit(.hang))
struct PicturePolicyTests {
    private let fixture: MovieServicesFixture

    init() throws {
        self.fixture = try MovieServicesFixture()
        // A film of the embedded catalogue, which has a poster.
        self.fixture.catalogue.set(
            [MovieServicesFixture.summary("nosferatu-1922", title: "Nosferatu")], for: .list(.popular))
    }

    private func candidates(_ page: HTMLOutline) throws -> [(url: String, width: String)] {
        let srcset = try #require(page.first("img")?["srcset"])
        return srcset.split(separator: ", ").compactMap { candidate in
            let parts = candidate.split(separator: " ")
            return parts.count == 2 ? (String(parts[0]).replacing("&amp;", with: "&"), String(parts[1])) : nil
        }
    }

    @Test func theWidthsAreThoseThatPagesShow() async throws {
        try await self.fixture.serveWeb { server in
            let candidates = try self.candidates(try await server.page("/").outline)
            #expect(candidates.map(\.width) == ["120w", "160w", "240w", "342w", "500w", "780w"])
        }
    }

    @Test func aPageAsksForWhatThereIs() async throws {
        var policy = PicturePolicy()
        policy.signingKeys = try SigningKeys("a key that nobody knows")
        policy.requiresSignatures = true
        policy.ladder = WidthLadder(rungs: [160, 320])
        policy.usesHints = true
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await self.fixture.serveWeb(settings) { server in
            let answer = try await server.page("/")
            #expect(answer.headers["accept-ch"] == ClientHints.accepted)
            let candidates = try self.candidates(answer.outline)
            #expect(candidates.map(\.width) == ["160w", "320w"])
            for candidate in candidates {
                let picture = try await server.get(candidate.url)
                #expect(picture.status == 200, "\(candidate.url)")
            }
        }
    }
}
