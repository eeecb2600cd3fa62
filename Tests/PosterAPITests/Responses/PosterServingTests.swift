import Flights
import FoundationEssentials
import HTTPFetch
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

/// Headers, keep-alive and disconnects, over real sockets.
@Suite(.timeLimit(.hang))
struct PosterServingTests {
    private func withServer(
        fetch: FetchConfiguration? = nil,
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, fetch: fetch) { server in try await body(server, origin) }
        }
    }

    @Test func aPosterIsServedWithEverythingACacheNeeds() async throws {
        try await self.withServer { server, _ in
            let first = try await server.get("/poster/nosferatu-1922?w=368")
            #expect(first.status == 200)
            #expect(first.headers["content-type"] == "image/jpeg")
            #expect(first.headers["content-length"] == String(first.body.count))
            #expect(first.headers["vary"] == "Accept")
            #expect(
                first.headers["cache-control"]
                    == "public, max-age=86400, stale-while-revalidate=86400, stale-if-error=604800")
            #expect(first.headers["cache-status"] == "OneSheet; fwd=uri-miss; fwd-status=200; stored")
            #expect(first.headers["server-timing"]?.contains("decode;dur=") == true)
            #expect(JPEGSize(first.body) == JPEGSize(width: 368, height: 552))

            let second = try await server.get("/poster/sample%3Anosferatu-1922?w=368")
            #expect(second.headers["cache-status"] == "OneSheet; hit")
            #expect(second.body == first.body)
            #expect(second.headers["etag"] == first.headers["etag"])

            let webp = try await server.get("/poster/nosferatu-1922?w=368", headers: ["Accept": "image/webp,*/*;q=0.8"])
            #expect(webp.headers["content-type"] == "image/webp")
            #expect(webp.body.starts(with: Array("RIFF".utf8)))
            #expect(webp.headers["etag"] != first.headers["etag"])
        }
    }

    @Test func aMatchingETagGetsA304() async throws {
        try await self.withServer { server, origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 300, height: 450)))
            let tag = try #require(try await server.get("/poster/mine:a.jpg?w=92").headers["etag"])
            for condition in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let answer = try await server.get("/poster/mine:a.jpg?w=92", headers: ["If-None-Match": condition])
                #expect(answer.status == 304, "\(condition)")
                #expect(answer.headers["etag"] == tag)
                #expect(answer.headers["vary"] == "Accept")
                #expect(answer.headers["content-length"] == nil)
            }
            let other = try await server.get("/poster/mine:a.jpg?w=92", headers: ["If-None-Match": "\"x\""])
            #expect(other.status == 200)
            #expect(server.pipeline.status.renders == 1)
        }
    }

    @Test func headHasTheHeadersAndNoBodyAndKeepsTheConnection() async throws {
        try await self.withServer { server, _ in
            let connection = try server.connect()
            let head = try await connection.get("/poster/metropolis-1927?w=154", method: "HEAD")
            let get = try await connection.get("/poster/metropolis-1927?w=154")
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers["content-length"] == String(get.body.count))
            #expect(head.headers["etag"] == get.headers["etag"])
            let original = try await connection.get("/poster/metropolis-1927", method: "HEAD")
            #expect(original.status == 200)
            let page = try await connection.get("/openapi.json")
            #expect(page.status == 200, "all on one connection")
        }
    }

    @Test func withoutAWidthTheOriginalsOwnBytesComeAndNothingIsNegotiated() async throws {
        try await self.withServer { server, origin in
            let bytes = TestPicture.jpeg(width: 1200, height: 1800)
            origin.on("/a.jpg", .image(bytes))
            let answer = try await server.get("/poster/mine:a.jpg", headers: ["Accept": "image/webp"])
            #expect(answer.body == bytes)
            #expect(answer.headers["content-type"] == "image/jpeg")
            #expect(answer.headers["vary"] == nil)
            let again = try await server.get(
                "/poster/mine:a.jpg", headers: ["If-None-Match": try #require(answer.headers["etag"])])
            #expect(again.status == 304)
        }
    }

    @Test func aSlashInAKeyIsEncodedAndDecodedOnce() async throws {
        try await self.withServer { server, origin in
            origin.on("/x/a%20b.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            for (id, status) in [("x%2Fa%20b.jpg", 200), ("x%252Fa%2520b.jpg", 404), ("x/a%20b.jpg", 404)] {
                let answer = try await server.get("/poster/mine:\(id)?w=46")
                #expect(answer.status == status, "\(id)")
            }
        }
    }

    @Test func problemsSayWhatIsWrongAndWhatIsAccepted() async throws {
        var fetch = FetchConfiguration()
        fetch.maxBytes = 100_000
        try await self.withServer(fetch: fetch) { server, origin in
            let good = TestPicture.jpeg(width: 300, height: 450)
            origin.on("/page.jpg", .answer(headers: [("Content-Type", "image/jpeg")], body: Array("<html>".utf8)))
            origin.on("/empty.jpg", .image([]))
            origin.on("/jxl.jpg", .image([0xFF, 0x0A, 0x41, 0x06, 0x00, 0x12]))
            origin.on("/heic.jpg", .image(Array("\0\0\0\u{18}ftypheic\0\0\0\0mif1heic".utf8)))
            origin.on("/half.jpg", .image(Array(good.dropLast(good.count / 2))))
            origin.on("/cut.jpg", .closeEarly(declared: good.count, sent: Array(good.dropLast(9))))
            origin.on("/big.jpg", .image(good + [UInt8](repeating: 0, count: 100_000)))
            origin.on("/down.jpg", .status(500))
            origin.on("/tall.jpg", .image(TestPicture.jpeg(width: 20, height: 9000)))
            let cases: [(String, Int, String, String)] = [
                ("/poster/nosferatu-1922?w=5", 400, "invalid-parameter", "16 to 4096"),
                ("/poster/nosferatu-1922?size=5", 400, "invalid-parameter", "'size'"),
                ("/poster/:x?w=92", 400, "invalid-id", "source"),
                ("/poster/nobody-1999?w=92", 404, "unknown-poster", "sample:nobody-1999"),
                ("/poster/other:603?w=92", 404, "unknown-poster", "sample, mine"),
                ("/poster/tmdb:603?w=92", 503, "source-off", "--tmdb-key"),
                ("/poster/mine:none.jpg?w=92", 404, "unknown-poster", "mine:none.jpg"),
                ("/nothing/here", 404, "not-found", "/poster/{id}"),
                ("/poster/", 404, "not-found", "/poster/{id}"),
                ("/poster/mine:heic.jpg?w=92", 415, "unsupported-image", "HEIC"),
                // This server has no workers.
                ("/poster/mine:jxl.jpg?w=92", 415, "unsupported-image", "JPEG XL, which is switched off"),
                ("/poster/mine:page.jpg?w=92", 502, "bad-original", "an HTML page"),
                ("/poster/mine:empty.jpg?w=92", 502, "bad-original", "nothing (0 bytes)"),
                ("/poster/mine:half.jpg?w=92", 502, "bad-original", "ends before the picture does"),
                ("/poster/mine:cut.jpg?w=92", 502, "origin-unavailable", "ended early"),
                ("/poster/mine:big.jpg?w=92", 502, "bad-original", "100000 bytes"),
                ("/poster/mine:down.jpg?w=92", 502, "origin-unavailable", "500"),
                ("/poster/mine:tall.jpg?w=20", 400, "invalid-parameter", "8192"),
            ]
            for (target, status, kind, words) in cases {
                let answer = try await server.get(target)
                #expect(answer.status == status, "\(target)")
                #expect(answer.headers["content-type"] == "application/problem+json", "\(target)")
                #expect(answer.text.contains("\"type\":\"urn:onesheet:problem:\(kind)\""), "\(target): \(answer.text)")
                #expect(answer.text.contains("\"status\":\(status)"), "\(target)")
                #expect(answer.text.contains(words), "\(target): \(answer.text)")
            }
            let post = try await server.get("/poster/nosferatu-1922", method: "POST")
            #expect(post.status == 405)
            #expect(post.headers["allow"] == "GET, HEAD, OPTIONS")
            try await eventually { server.halfWrittenFiles == [] }
            #expect(server.storedFiles.count == 1, "only tall.jpg is kept")
        }
    }

    @Test func anOriginThatHangsIsA504() async throws {
        var fetch = FetchConfiguration()
        fetch.totalTimeout = .milliseconds(100)
        try await self.withServer(fetch: fetch) { server, origin in
            origin.on("/hangs.jpg", .hangBeforeHeaders)
            let answer = try await server.get("/poster/mine:hangs.jpg?w=92")
            #expect(answer.status == 504)
            #expect(answer.text.contains("origin-too-slow"))
        }
    }

    @Test func headOfWhatIsNotThereSendsNoBodyIntoTheNextAnswer() async throws {
        try await self.withServer { server, _ in
            let connection = try server.connect()
            for (target, status) in [("/nothing/here", 404), ("/poster/nobody-1999?w=92", 404), ("/poster/x?w=1", 400)]
            {
                let head = try await connection.get(target, method: "HEAD")
                #expect(head.status == status)
                #expect(head.headers["content-type"] == "application/problem+json")
            }
            let page = try await connection.get("/openapi.json")
            #expect(page.status == 200)
        }
    }

    @Test func aClientThatResetsRightAfterItsRequestLeavesNothingRunning() async throws {
        try await self.withServer { server, origin in
            for index in 0..<40 {
                origin.on("/\(index).jpg", .hangBeforeHeaders)
                let connection = try server.connect()
                try connection.send("GET", "/poster/mine:\(index).jpg?w=92")
                connection.reset()
            }
            // Fetches that reached the origin are closed there; a hanging fetch would keep its connection.
            origin.on("/last.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            let answer = try await server.get("/poster/mine:last.jpg?w=46")
            #expect(answer.status == 200)
            for index in 0..<40 {
                let id = try PosterID("mine:\(index).jpg")
                try await eventually { server.pipeline.originalWaiterCount(for: id) == 0 }
            }
        }
    }

    @Test func keysThatOnlyLookEqualAreDifferentPosters() async throws {
        try await self.withServer { server, origin in
            origin.on("/caf%C3%A9.jpg", .image(TestPicture.jpeg(width: 60, height: 90, seed: 1)))
            origin.on("/cafe%CC%81.jpg", .image(TestPicture.jpeg(width: 60, height: 90, seed: 2)))
            let first = try await server.get("/poster/mine:caf%C3%A9.jpg?w=46")
            let second = try await server.get("/poster/mine:cafe%CC%81.jpg?w=46")
            #expect(first.status == 200 && second.status == 200)
            #expect(first.headers["etag"] != second.headers["etag"])
        }
    }

    @Test(
        "a connection ends when its client expects it to",
        arguments: [
            "GET /openapi.json HTTP/1.0\r\n\r\n", "GET /openapi.json HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n",
            "GET /openapi.json HTTP/1.1\r\nHost: x\r\nConnection: te, close\r\n\r\n",
        ])
    func ends(request: String) async throws {
        try await self.withServer { server, _ in
            let connection = try server.connect()
            try connection.send(raw: request)
            let answer = try await connection.answer()
            #expect(answer.status == 200)
            try await connection.closedByServer()
        }
    }

    @Test func aNotModifiedThatWentToTheOriginSaysSo() async throws {
        try await self.withServer { server, origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            let cold = try await server.get("/poster/mine:a.jpg?w=46", headers: ["If-None-Match": "*"])
            #expect(cold.status == 304)
            #expect(cold.headers["cache-status"] == "OneSheet; fwd=uri-miss; fwd-status=200")
            let warm = try await server.get("/poster/mine:a.jpg?w=46", headers: ["If-None-Match": "*"])
            #expect(warm.headers["cache-status"] == "OneSheet; hit")
            #expect(server.pipeline.status.renders == 0)
        }
    }

    @Test func twoHundredClientsOfOneColdPosterMakeOneRequestToTheOrigin() async throws {
        try await self.withServer { server, origin in
            let gate = Gate()
            let bytes = TestPicture.jpeg(width: 800, height: 1200)
            origin.on("/a.jpg", OriginScript([.wait(gate), .length(bytes.count), .bytes(bytes)]))
            let widths = [92, 154, 342, 500]
            let clients = try (0..<200).map { index in
                let connection = try server.connect()
                try connection.send("GET", "/poster/mine:a.jpg?w=\(widths[index % 4])")
                return connection
            }
            let id = try PosterID("mine:a.jpg")
            try await eventually { server.pipeline.originalWaiterCount(for: id) >= 200 }
            gate.open()
            for (index, client) in clients.enumerated() {
                let answer = try await client.answer()
                #expect(answer.status == 200)
                #expect(JPEGSize(answer.body)?.width == widths[index % 4])
            }
            #expect(origin.requestCount(to: "/a.jpg") == 1)
            #expect(server.pipeline.status.renders == 4)
        }
    }

    @Test func whenFiftyClientsLeaveASlowOriginItsConnectionIsClosedAndNothingIsRendered() async throws {
        try await self.withServer { server, origin in
            let bytes = TestPicture.jpeg(width: 800, height: 1200)
            origin.on("/a.jpg", .hangInBody(after: Array(bytes.dropLast(100)), declared: bytes.count))
            let clients = try (0..<50).map { _ in
                let connection = try server.connect()
                try connection.send("GET", "/poster/mine:a.jpg?w=92")
                return connection
            }
            let id = try PosterID("mine:a.jpg")
            try await eventually { server.pipeline.originalWaiterCount(for: id) >= 50 }
            try await origin.requestsArrived(at: "/a.jpg")
            for client in clients.dropLast() { client.close() }
            try await eventually { server.pipeline.originalWaiterCount(for: id) <= 1 }
            #expect(origin.openConnectionCount == 1, "one still waits")
            clients[49].close()
            try await origin.allConnectionsClosed()
            try await eventually { server.pipeline.originalWaiterCount(for: id) == 0 }
            #expect(server.pipeline.status.renders == 0)
            try await eventually { server.folder.files.filter({ $0.contains("incoming") }).isEmpty }

            origin.on("/a.jpg", .image(bytes))
            #expect(try await server.get("/poster/mine:a.jpg?w=92").status == 200, "the next one is served")
        }
    }

    @Test func whenOneOfTwoLeavesTheOtherGetsItsPosterAndMayAskAgain() async throws {
        try await self.withServer { server, origin in
            let gate = Gate()
            let bytes = TestPicture.jpeg(width: 800, height: 1200)
            origin.on("/a.jpg", OriginScript([.wait(gate), .length(bytes.count), .bytes(bytes)]))
            let (leaving, staying) = (try server.connect(), try server.connect())
            let id = try PosterID("mine:a.jpg")
            try leaving.send("GET", "/poster/mine:a.jpg?w=92")
            try await eventually { server.pipeline.originalWaiterCount(for: id) >= 1 }
            try staying.send("GET", "/poster/mine:a.jpg?w=92")
            try await eventually { server.pipeline.originalWaiterCount(for: id) >= 2 }
            leaving.close()
            try await eventually { server.pipeline.originalWaiterCount(for: id) <= 1 }
            gate.open()
            #expect(try await staying.answer().status == 200)
            let again = try await staying.get("/poster/mine:a.jpg?w=92")
            #expect(again.headers["cache-status"] == "OneSheet; hit", "on the same connection")
            #expect(origin.requestCount(to: "/a.jpg") == 1)
        }
    }
}
