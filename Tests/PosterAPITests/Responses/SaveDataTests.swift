import PictureTesting
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

/// `Save-Data: on` with client hints: a lower quality without `q`, and no multiplication by `Sec-CH-DPR`.
@Suite(.timeLimit(.hang))
struct SaveDataTests {
    private static let saving = ["Save-Data": "on", "Sec-CH-DPR": "2"]
    /// Sends a request on the slow path without a change to its response.
    private static let detour = ["Content-Length": "0"]

    private func withServer(
        usesHints: Bool = true, _ body: @escaping @Sendable (LiveServer, String) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            var policy = PicturePolicy()
            policy.allowedURLs = [try URLPrefix(origin.baseURL)]
            policy.usesHints = usesHints
            var settings = LiveServer.Settings()
            settings.pictures = ReloadablePicturePolicy(policy)
            let url = PercentEncoding.encode((origin.baseURL + "/a.jpg").utf8)
            try await LiveServer.run(origin: origin, settings) { server in try await body(server, url) }
        }
    }

    @Test func everyPathLowersTheQualityUnlessTheURLNamesOne() async throws {
        try await self.withServer { server, url in
            let poster = "/poster/mine:a.jpg?"
            for (target, plain) in [
                (poster + "w=92", poster + "w=92&dpr=1"), (poster + "h=90", poster + "h=90&dpr=1"),
                (poster + "w=92&dpr=1", poster + "w=92&dpr=1"), (poster + "w=92&dpr=2", poster + "w=184&dpr=1"),
                (poster + "w=60&h=60&fit=cover", poster + "w=60&h=60&fit=cover&dpr=1"),
                ("/proxy?url=\(url)&w=92", poster + "w=92&dpr=1"),
                ("/_next/image?url=%2Fposter%2Fmine%3Aa.jpg&w=92", poster + "w=92&dpr=1"),
                ("/t/p/w92/a.jpg", poster + "w=92&dpr=1"),
            ] {
                for format in ["jpeg", "webp"] {
                    let accept = ["Accept": "image/\(format)"]
                    let expected = try await server.get(
                        "\(plain)&format=\(format)&q=\(ClientHints.savingQuality)")
                    // A client without the hint has the larger variant in the cache.
                    let usual = try await server.get(target, headers: accept)
                    for more in [[:], [:], Self.detour] {
                        let headers = accept.merging(Self.saving) { $1 }.merging(more) { $1 }
                        let answer = try await server.get(target, headers: headers)
                        #expect(answer.status == 200 && answer.body == expected.body, "\(target) \(format)")
                        #expect(answer.body.count < usual.body.count, "\(target) \(format)")
                        #expect(answer.headers["vary"] == usual.headers["vary"])
                        #expect(answer.headers["vary"]?.contains("Save-Data") == true, "\(target)")
                    }
                    #expect(try await server.get(target, headers: accept).body == usual.body)
                }
            }
        }
    }

    @Test func aLayoutsWidthIsCountedInPixelsOfThePage() async throws {
        try await self.withServer { server, _ in
            let fitted = try await server.get(
                "/poster/mine:a.jpg", headers: Self.saving.merging(["Sec-CH-Width": "240"]) { $1 })
            let expected = try await server.get("/poster/mine:a.jpg?w=128&dpr=1&q=\(ClientHints.savingQuality)")
            #expect(fitted.status == 200 && fitted.body == expected.body)
            #expect(fitted.headers["vary"] == "Accept, Sec-CH-DPR, Sec-CH-Width, Save-Data")
        }
    }

    @Test func aQualityInTheURLOriginalsAndPlaceholdersAreTheSame() async throws {
        try await self.withServer { server, url in
            for target in [
                "/poster/mine:a.jpg", "/poster/mine:a.jpg/placeholder", "/t/p/original/a.jpg",
                "/poster/mine:a.jpg?w=92&dpr=1&q=80", "/poster/mine:a.jpg?w=92&dpr=1&format=png",
                "/_next/image?url=\(url)&w=64&q=75",
            ] {
                let usual = try await server.get(target)
                let saving = try await server.get(target, headers: Self.saving)
                #expect(usual.status == 200 && saving.body == usual.body, "\(target)")
                #expect(saving.headers["vary"]?.contains("Save-Data") != true, "\(target)")
            }
        }
    }

    @Test func withoutClientHintsItHasNoEffect() async throws {
        try await self.withServer(usesHints: false) { server, _ in
            for target in ["/poster/mine:a.jpg?w=92", "/t/p/w92/a.jpg"] {
                let usual = try await server.get(target)
                let saving = try await server.get(target, headers: Self.saving)
                #expect(usual.status == 200 && saving.body == usual.body, "\(target)")
                #expect(saving.headers["vary"] == "Accept" && saving.headers["accept-ch"] == nil)
            }
        }
    }
}
