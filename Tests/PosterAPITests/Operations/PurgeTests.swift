import PictureTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import PosterAPI

@Suite(.timeLimit(.hang))
struct PurgeTests {
    private static let secret = "0123456789abcdef-XYZ"
    private static let authorization = ["Authorization": "Bearer \(PurgeTests.secret)"]
    private static let target = "/poster/mine:a.jpg?w=92"

    private struct Unreachable: OriginalEventPublisher {
        func publish(_ event: OriginalEvent) async throws -> Publication { .waiting }
        func publishLater(_ event: OriginalEvent) {}
    }

    private struct Failing: OriginalEventPublisher {
        func publish(_ event: OriginalEvent) async throws -> Publication {
            if case .purged(let id) = event, id.description.contains("bad") { throw PosterError.unrenderable }
            return .waiting
        }

        func publishLater(_ event: OriginalEvent) {}
    }

    private func withServer(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        var settings = settings
        settings.token = try AdminToken(Self.secret)
        let all = settings
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            try await LiveServer.run(origin: origin, all) { server in try await body(server, origin) }
        }
    }

    private func post(_ json: String, to server: LiveServer) async throws -> HTTPConnection.Answer {
        let connection = try server.connect()
        try connection.send(
            raw: "POST /purge HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(Self.secret)\r\n"
                + "Content-Length: \(json.utf8.count)\r\n\r\n\(json)")
        return try await connection.answer()
    }

    @Test func aPurgedPosterIsFetchedAnew() async throws {
        try await self.withServer { server, origin in
            let old = try await server.get(Self.target)
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 200, height: 300)))
            for _ in 0..<2 {
                let answer = try await server.get("/poster/mine:a.jpg", headers: Self.authorization, method: "DELETE")
                #expect(answer.status == 204 && answer.headers["content-length"] == nil)
            }
            #expect(server.storedFiles.isEmpty && server.pipeline.status.variantCount == 0)
            let new = try await server.get(Self.target)
            #expect(new.status == 200 && new.headers["etag"] != old.headers["etag"])

            // A packaged original is available again at once.
            let packaged = try await server.get("/poster/nosferatu-1922?w=92")
            let purge = try await server.get("/poster/nosferatu-1922", headers: Self.authorization, method: "DELETE")
            #expect(purge.status == 204)
            let again = try await server.get("/poster/nosferatu-1922?w=92")
            #expect(again.status == 200 && again.body == packaged.body)
        }
    }

    @Test func aPurgeSaysThatOtherNodesHaveNotBeenReached() async throws {
        var settings = LiveServer.Settings()
        settings.events = Unreachable()
        try await self.withServer(settings) { server, _ in
            _ = try await server.get(Self.target)
            let one = try await server.get("/poster/mine:a.jpg", headers: Self.authorization, method: "DELETE")
            #expect(one.status == 202 && one.text.contains(#""result":"purged""#), "\(one.text)")
            #expect(one.text.contains("other nodes have not been reached yet"))
            #expect(server.storedFiles.isEmpty)
            let all = try await self.post(#"{"ids":["mine:a.jpg"]}"#, to: server)
            #expect(all.status == 200 && all.text.contains("other nodes have not been reached yet"), "\(all.text)")
        }
    }

    @Test func theFailureOfOnePosterDoesNotPreventTheOthers() async throws {
        var settings = LiveServer.Settings()
        settings.events = Failing()
        try await self.withServer(settings) { server, _ in
            _ = try await server.get(Self.target)
            let answer = try await self.post(#"{"ids":["mine:bad","mine:a.jpg"]}"#, to: server)
            #expect(answer.status == 200 && server.storedFiles.isEmpty)
            #expect(answer.text.contains(#""id":"mine:bad","result":"failed""#), "\(answer.text)")
            #expect(answer.text.contains(#""id":"mine:a.jpg","result":"purged""#), "\(answer.text)")
        }
    }

    @Test func picturesAreRefusedWhileThisNodeIsCutOff() async throws {
        var settings = LiveServer.Settings()
        let gate = EventGate(.open)
        settings.gate = gate
        try await self.withServer(settings) { server, _ in
            #expect(try await server.get(Self.target).status == 200)
            gate.move(to: .refused)
            for target in [Self.target, "/poster/mine:a.jpg", "/poster/mine:a.jpg/info"] {
                let answer = try await server.get(target)
                #expect(answer.status == 503 && answer.headers["retry-after"] == "5", "\(answer)")
                #expect(answer.text.contains("urn:onesheet:problem:cut-off"))
            }
            gate.move(to: .open)
            let hit = try await server.get(Self.target)
            #expect(hit.headers["cache-status"] == "OneSheet; hit")
        }
    }

    @Test func onlyTheTokenPurgesAndOnlyWholePosters() async throws {
        try await self.withServer { server, _ in
            _ = try await server.get(Self.target)
            for headers in [[:], ["Authorization": "Bearer wrong-wrong-wrong"]] {
                let answer = try await server.get("/poster/mine:a.jpg", headers: headers, method: "DELETE")
                #expect(answer.status == 401 && answer.headers["www-authenticate"] == "Bearer")
                let list = try await server.get("/purge", headers: headers, method: "POST")
                #expect(list.status == 401)
            }
            for (target, status) in [(Self.target, 400), ("/poster/:x", 400), ("/poster/mine:a.jpg/info", 405)] {
                let answer = try await server.get(target, headers: Self.authorization, method: "DELETE")
                #expect(answer.status == status, "\(target)")
            }
            let refused = try await server.get(Self.target, method: "POST")
            #expect(refused.status == 405 && refused.headers["allow"] == "GET, HEAD, DELETE, OPTIONS")
            let get = try await server.get("/purge")
            #expect(get.status == 405 && get.headers["allow"] == "POST, OPTIONS")
            let hit = try await server.get(Self.target)
            #expect(hit.headers["cache-status"] == "OneSheet; hit")
        }
    }

    @Test func aListSaysWhatBecameOfEach() async throws {
        try await self.withServer { server, _ in
            _ = try await server.get(Self.target)
            let answer = try await self.post(
                #"{"ids":["mine:a.jpg","mine:b/c \" d","mine:a.jpg"]}"#, to: server)
            #expect(answer.status == 200 && answer.headers["cache-control"] == "no-store")
            #expect(
                answer.text == #"{"results":[{"id":"mine:a.jpg","result":"purged"},"#
                    + #"{"id":"mine:b/c \" d","result":"unknown"}]}"#)
            let many = (0...PurgeRequest.idLimit).map { "\"mine:\($0)\"" }.joined(separator: ",")
            for (json, status) in [
                ("", 400), ("{}", 400), (#"{"ids":[]}"#, 400), (#"{"ids":["A:b"]}"#, 400), ("{\"ids\":[\(many)]}", 400),
            ] {
                let refused = try await self.post(json, to: server)
                #expect(refused.status == status && refused.text.contains("invalid-body"), "\(json.prefix(20))")
            }
            let large = String(repeating: " ", count: PurgeRequest.maxBytes + 1)
            let refused = try await self.post(large, to: server)
            #expect(refused.status == 413)
        }
    }

    @Test func aURLIsPurgedInWhateverSpelling() async throws {
        try await withOrigin { origin in
            origin.on("/a%20b~c.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            var settings = LiveServer.Settings()
            settings.token = try AdminToken(Self.secret)
            var policy = PicturePolicy()
            policy.allowedURLs = [try URLPrefix(origin.baseURL)]
            settings.pictures = ReloadablePicturePolicy(policy)
            try await LiveServer.run(origin: origin, settings) { server in
                let target = "/proxy?w=92&url=\(origin.baseURL)/a%2520b~c.jpg"
                let spelling = origin.baseURL.replacing("http", with: "HTTP") + "/a b%7ec.jpg"
                let id = "url:" + spelling
                for _ in 0..<2 {
                    #expect(try await server.get(target).headers["cache-status"]?.hasPrefix("OneSheet; fwd") == true)
                    #expect(try await server.get(target).headers["cache-status"] == "OneSheet; hit")
                    let path = "/poster/" + PercentEncoding.encode(id.utf8)
                    let answer = try await server.get(path, headers: Self.authorization, method: "DELETE")
                    #expect(answer.status == 204)
                }
                _ = try await server.get(target)
                let answer = try await self.post("{\"ids\":[\"\(id)\"]}", to: server)
                #expect(answer.text.contains(#""result":"purged""#), "\(answer.text)")
                for malformed in ["url:/a.jpg", "url:https://a.test/../b"] {
                    let path = "/poster/" + PercentEncoding.encode(malformed.utf8)
                    let one = try await server.get(path, headers: Self.authorization, method: "DELETE")
                    #expect(one.status == 400 && one.text.contains("the URL "), "\(one.text)")
                    let list = try await self.post("{\"ids\":[\"\(malformed)\"]}", to: server)
                    #expect(list.status == 400 && list.text.contains("the URL "), "\(list.text)")
                }
            }
        }
    }

    @Test func withoutATokenThereIsNoSuchThing() async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin) { server in
                let one = try await server.get("/poster/mine:a.jpg", headers: Self.authorization, method: "DELETE")
                #expect(one.status == 405 && one.headers["allow"] == "GET, HEAD, OPTIONS")
                let list = try await server.get("/purge", headers: Self.authorization, method: "POST")
                #expect(list.status == 404)
            }
        }
    }
}
