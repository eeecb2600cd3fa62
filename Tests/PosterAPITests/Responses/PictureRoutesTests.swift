import Foundation
import HTTPServer
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

/// All URL syntaxes, with equal responses on the fast and the slow path, over real sockets.
@Suite(.timeLimit(.hang))
struct PictureRoutesTests {
    /// Sends a request on the slow path without a change to its response.
    private static let detour = ["Content-Length": "0"]

    private func withServer(
        _ change: @escaping @Sendable (inout PicturePolicy, OriginServer) throws -> Void = { _, _ in },
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            origin.on("/a.png", .image(TestPicture.jpeg(width: 300, height: 450)))
            var policy = PicturePolicy()
            try change(&policy, origin)
            var settings = LiveServer.Settings()
            settings.pictures = ReloadablePicturePolicy(policy)
            try await LiveServer.run(origin: origin, settings) { server in try await body(server, origin) }
        }
    }

    private func encoded(_ url: String) -> String { PercentEncoding.encode(url.utf8) }

    @Test func everyLanguageIsAnsweredTheSameBothWays() async throws {
        try await self.withServer({ policy, origin in
            policy.allowedURLs = [try URLPrefix(origin.baseURL)]
            policy.usesHints = true
        }) { server, origin in
            let url = self.encoded(origin.baseURL + "/a.jpg")
            let cases: [(target: String, headers: [String: String], vary: String?, type: String)] = [
                ("/poster/mine:a.jpg?w=92", [:], "Accept, Sec-CH-DPR, Save-Data", "image/jpeg"),
                ("/poster/mine:a.jpg?w=92&dpr=2&q=70&format=webp", [:], nil, "image/webp"),
                ("/t/p/w92/a.jpg", [:], "Accept, Save-Data", "image/jpeg"),
                ("/t/p/w92/a.jpg", ["Accept": "image/webp,*/*"], "Accept, Save-Data", "image/webp"),
                ("/t/p/w92/a.png", ["Accept": "*/*"], "Accept, Save-Data", "image/png"),
                ("/_next/image?url=\(url)&w=64&q=75", ["Accept": "image/webp"], "Accept", "image/webp"),
                ("/_next/image?url=%2Fposter%2Fmine%3Aa.jpg&w=64&q=75", [:], "Accept", "image/jpeg"),
                ("/proxy?url=\(url)&h=90", [:], "Accept, Sec-CH-DPR, Save-Data", "image/jpeg"),
                ("/proxy?url=\(url)&h=90&format=png&dpr=1", [:], nil, "image/png"),
            ]
            for each in cases {
                _ = try await server.get(each.target, headers: each.headers)
                let connection = try server.connect()
                let first = try await connection.get(each.target, headers: each.headers)
                let second = try await connection.get(
                    each.target, headers: each.headers.merging(Self.detour) { $1 })
                #expect(server.requests.suffix(2).map(\.way) == [.eventLoop, .route], "\(each)")
                #expect(first.status == 200 && first.headers["content-type"] == each.type, "\(each)")
                #expect(first.headers["vary"] == each.vary, "\(each)")
                #expect(first.headers["accept-ch"] == ClientHints.accepted)
                #expect(first.body == second.body)
                #expect(first.headers.filter { $0.key != "date" } == second.headers.filter { $0.key != "date" })
            }
            // All URLs share one variant.
            let proxied = try await server.get("/proxy?url=\(url)&w=64&q=75", headers: ["Accept": "image/webp"])
            #expect(proxied.headers["cache-status"] == "OneSheet; hit")
        }
    }

    @Test func boxesAndEffectsOfTMDBAreServedBothWaysEachWithATagOfItsOwn() async throws {
        try await self.withServer { server, _ in
            var tags: Set<String> = []
            for (size, width, height) in [
                ("w150_and_h225", 150, 225), ("w150_and_h150", 150, 150), ("w150_and_h150_bestv2", 150, 150),
                ("w150_and_h150_face", 150, 150), ("w1920_and_h800_multi_faces", 300, 125),
                ("w150_filter(duotone,1F2937,A78BFA)", 150, 225), ("w150_filter(blur)", 150, 225),
            ] {
                let target = "/t/p/\(size)/a.jpg"
                let slow = try await server.get(target, headers: Self.detour)
                #expect(slow.status == 200, "\(size): \(slow.text)")
                let body = slow.body
                let header = try inspect(body.span.bytes, limits: .init())
                #expect((header.width, header.height) == (width, height), "\(size)")
                #expect(try await server.get(target).body == slow.body, "\(size)")
                tags.insert(try #require(slow.headers["etag"]))
            }
            #expect(tags.count == 7)
            let smart = try await server.get("/t/p/w150_smart/a.jpg")
            #expect(smart.body == (try await server.get("/t/p/w150/a.jpg")).body)
        }
    }

    @Test func hintsAreHeededOnBothWays() async throws {
        try await self.withServer({ policy, _ in policy.usesHints = true }) { server, _ in
            let target = "/poster/mine:a.jpg?w=92"
            let small = try await server.get(target)
            for _ in 0..<2 {
                #expect(try await server.get(target).body == small.body)
                let large = try await server.get(target, headers: ["Sec-CH-DPR": "2"])
                #expect(large.body == (try await server.get("/poster/mine:a.jpg?w=184")).body)
                let saving = try await server.get(target, headers: ["Sec-CH-DPR": "2", "Save-Data": "on"])
                #expect(saving.body.count < small.body.count)
            }
            let original = try await server.get("/poster/mine:a.jpg")
            #expect(original.headers["vary"] == "Sec-CH-Width")
            let fitted = try await server.get("/poster/mine:a.jpg", headers: ["Sec-CH-Width": "120"])
            #expect(fitted.body == (try await server.get("/poster/mine:a.jpg?w=128")).body)
        }
    }

    @Test func originalsAreServedByAllThatNameThem() async throws {
        try await self.withServer({ policy, origin in
            policy.allowedURLs = [try URLPrefix(origin.baseURL + "/a.jpg")]
        }) { server, origin in
            let original = try await server.get("/poster/mine:a.jpg")
            #expect(try await server.get("/t/p/original/a.jpg").body == original.body)
            let url = self.encoded(origin.baseURL + "/a.jpg")
            #expect(try await server.get("/proxy?url=\(url)").body == original.body)
            let other = try await server.get("/proxy?url=\(self.encoded(origin.baseURL + "/a.png"))")
            #expect(other.status == 403 && other.text.contains("urn:onesheet:problem:url-not-allowed"))
            #expect(origin.requestCount(to: "/a.png") == 0)
        }
    }

    @Test func signaturesOpenPicturesAndNothingElseDoes() async throws {
        let keys = try SigningKeys("a key that nobody knows")
        try await self.withServer({ policy, _ in
            policy.signingKeys = keys
            policy.requiresSignatures = true
        }) { server, origin in
            for target in [
                "/poster/mine:a.jpg?w=92", "/t/p/w92/a.jpg", "/poster/mine:a.jpg/info",
                "/proxy?w=92&url=" + self.encoded(origin.baseURL + "/a.jpg"),
            ] {
                let refused = try await server.get(target)
                #expect(refused.status == 403 && refused.text.contains("invalid-signature"), "\(target)")
                #expect(refused.headers["cache-control"] == "no-store")
                let signed = try keys.sign(target: target)
                for _ in 0..<2 { #expect(try await server.get(signed).status == 200, "\(target)") }
                let ended = try await server.get(try keys.sign(target: target, expires: 1))
                #expect(ended.status == 403 && ended.text.contains("expired-signature"))
            }
            // Only pictures need signatures.
            #expect(try await server.get("/openapi.json").status == 200)
            #expect(try await server.get("/nothing").status == 404)
        }
    }

    @Test(
        "a path with an empty segment is another path",
        arguments: [
            "/poster/mine:a.jpg/", "//poster/mine:a.jpg", "/poster//info", "/poster/mine:a.jpg/info/",
        ])
    func emptySegments(target: String) async throws {
        try await self.withServer { server, _ in
            let answer = try await server.get(target)
            #expect(answer.status == 404 && answer.text.contains("urn:onesheet:problem:not-found"), "\(answer.text)")
        }
    }

    @Test func emptySegmentsOfTMDBsPathsAreIgnoredInMissesHitsAndSignatures() async throws {
        let keys = try SigningKeys("a key that nobody knows")
        try await self.withServer({ policy, _ in policy.signingKeys = keys }) { server, origin in
            let first = try await server.get("/t/p/w92//a.jpg")
            #expect(first.status == 200, "\(first.text)")
            let signature = try keys.sign(target: "/t/p/w92/a.jpg").drop { $0 != "?" }
            for target in ["/t/p/w92/a.jpg", "/t/p/w92//a.jpg", "/t/p//w92/a.jpg/", "//t/p/w92/a.jpg"] {
                for query in ["", String(signature)] {
                    let answer = try await server.get(target + query)
                    #expect(answer.status == 200 && answer.body == first.body, "\(target)\(query)")
                }
            }
            #expect(origin.requestCount(to: "/a.jpg") == 1)
        }
    }

    @Test(
        "all of them are for reading",
        arguments: ["/t/p/w92/a.jpg", "/_next/image?url=x", "/proxy?url=x", "/poster/mine:a.jpg"])
    func otherMethods(target: String) async throws {
        try await self.withServer { server, _ in
            let answer = try await server.get(target, method: "DELETE")
            #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD, OPTIONS")
            let head = try await server.get(target, method: "HEAD")
            #expect(head.body.isEmpty)
        }
    }

    @Test func aLongURLIsKeptAsAnyOther() async throws {
        try await self.withServer({ policy, origin in
            policy.allowedURLs = [try URLPrefix(origin.baseURL)]
        }) { server, origin in
            let start = origin.baseURL + "/"
            let name = String(repeating: "a", count: RemoteURL.maxLength - start.utf8.count - 4) + ".jpg"
            origin.on("/" + name, .image(TestPicture.jpeg(width: 30, height: 45)))
            let answer = try await server.get("/proxy?w=16&url=\(start + name)")
            #expect(answer.status == 200)
            try await eventually { server.storedFiles.count == 1 }
            #expect(try await server.get("/proxy?w=17&url=\(start + name)").status == 200)
            #expect(origin.requestCount(to: "/" + name) == 1)
        }
    }

    @Test func anAllowedOriginDoesNotSendUsToOthers() async throws {
        try await self.withServer({ policy, origin in
            policy.allowedURLs = [try URLPrefix(origin.baseURL)]
        }) { server, origin in
            origin.on("/here.jpg", .redirect(to: origin.baseURL + "/a.jpg"))
            origin.on("/there.jpg", .redirect(to: "http://localhost:\(origin.port)/a.jpg"))
            let followed = try await server.get("/proxy?w=92&url=\(origin.baseURL)/here.jpg")
            #expect(followed.status == 200)
            try await withOrigin { other in
                other.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
                origin.on("/port.jpg", .redirect(to: other.baseURL + "/a.jpg"))
                for name in ["there", "port"] {
                    let refused = try await server.get("/proxy?w=92&url=\(origin.baseURL)/\(name).jpg")
                    #expect(
                        refused.status == 502 && refused.text.contains("disallowed or invalid URL"), "\(refused.text)")
                }
                #expect(other.requestCount(to: "/a.jpg") == 0)
            }
        }
    }

    @Test func ordersToWarmDoNotGoAroundTheList() throws {
        var policy = PicturePolicy()
        policy.allowedURLs = [try URLPrefix("https://a.test/posters")]
        let policies = ReloadablePicturePolicy(policy)
        func refused(_ id: String) -> Problem.Kind? {
            do throws(Problem) {
                _ = try WarmRequest(ids: [id], widths: [92]).requests(policies)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(refused("url:https://a.test/posters/a.jpg") == nil && refused("tmdb-image:a.jpg") == nil)
        #expect(refused("url:https://b.test/posters/a.jpg") == .urlNotAllowed)
        #expect(refused("url:https://a.test/posters/../a.jpg") == .invalidParameter)
        #expect(refused("tmdb-image:../a.jpg") == .invalidID)
    }

    @Test func warmRequestsGetWhatClientsCouldRequest() throws {
        func widths(_ wanted: [Int], snaps: Bool) throws(Problem) -> [Int?] {
            var policy = PicturePolicy()
            policy.ladder = WidthLadder(rungs: [92, 342, 500], snaps: snaps)
            policy.servesTMDBImages = false
            let order = WarmRequest(ids: ["films:a"], widths: wanted, formats: ["jpeg"])
            return try order.requests(ReloadablePicturePolicy(policy)).map { request in
                guard case .variant(let target) = request.rendition else { return nil }
                return target.width
            }
        }
        #expect(try widths([92, 500], snaps: false) == [92, 500])
        #expect(try widths([93, 342, 16, 4000], snaps: true) == [342, 92, 500])
        do throws(Problem) {
            _ = try widths([92, 93], snaps: false)
            Issue.record("93 pixels is no width")
        } catch {
            #expect(error.kind == .invalidBody && error.detail.contains("one of 92, 342, 500"))
        }
        var policy = PicturePolicy()
        #expect(policy.usualWidth == 368)
        policy.ladder = WidthLadder(rungs: [92, 500])
        #expect(policy.usualWidth == 500)
        policy.servesTMDBImages = false
        #expect(throws: Problem.self) {
            try WarmRequest(ids: ["tmdb-image:a.jpg"], widths: [92]).requests(ReloadablePicturePolicy(policy))
        }
    }
}
