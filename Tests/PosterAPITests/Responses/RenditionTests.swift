import CodecTesting
import FoundationEssentials
import PictureTesting
import PosterCodec
import PosterTesting
import ServiceTesting
import Testing

/// All parameters and kinds of originals, over real sockets.
@Suite(.timeLimit(.hang))
struct RenditionTests {
    private func withServer(
        _ body: @escaping @Sendable (LiveServer, OriginServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            try await LiveServer.run(origin: origin, fetch: nil) { server in try await body(server, origin) }
        }
    }

    private func header(_ bytes: [UInt8]) throws -> ImageHeader {
        try inspect(bytes.span.bytes, limits: .init())
    }

    private func converted(_ jpeg: [UInt8], to format: OutputFormat) throws -> [UInt8] {
        let plan = try RenderPlan(try self.header(jpeg), target: RenderTarget(format: format))
        return try render(jpeg.span.bytes, plan: plan).bytes
    }

    @Test func everyParameterShapesTheAnswer() async throws {
        try await self.withServer { server, origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 400, height: 600)))
            let cases: [(String, String, Int, Int)] = [
                ("w=100", "image/jpeg", 100, 150), ("h=150", "image/jpeg", 100, 150),
                ("w=100&h=60", "image/jpeg", 40, 60), ("w=50&dpr=2", "image/jpeg", 100, 150),
                ("w=50&dpr=1.5", "image/jpeg", 75, 113), ("w=4096", "image/jpeg", 400, 600),
                ("w=100&h=100&fit=cover", "image/jpeg", 100, 100),
                ("w=100&h=100&fit=cover&position=entropy", "image/jpeg", 100, 100),
                ("w=1000&h=1000&fit=cover&position=top", "image/jpeg", 400, 400),
                ("w=64&format=png", "image/png", 64, 96), ("w=64&format=webp", "image/webp", 64, 96),
                ("w=64&format=jpeg&q=95&bg=000", "image/jpeg", 64, 96), ("format=webp", "image/webp", 400, 600),
            ]
            for (query, type, width, height) in cases {
                let answer = try await server.get("/poster/mine:a.jpg?" + query)
                #expect(answer.status == 200, "\(query): \(answer.text)")
                #expect(answer.headers["content-type"] == type, "\(query)")
                let header = try self.header(answer.body)
                #expect((header.width, header.height) == (width, height), "\(query)")
                #expect("image/\(header.format)" == type, "\(query)")
            }
        }
    }

    @Test func aNamedFormatBeatsAcceptAndDoesNotVary() async throws {
        try await self.withServer { server, origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            let accept = ["Accept": "image/webp,*/*"]
            let named = try await server.get("/poster/mine:a.jpg?w=30&format=jpeg", headers: accept)
            #expect(named.headers["content-type"] == "image/jpeg" && named.headers["vary"] == nil)
            let negotiated = try await server.get("/poster/mine:a.jpg?w=30&format=auto", headers: accept)
            #expect(negotiated.headers["content-type"] == "image/webp" && negotiated.headers["vary"] == "Accept")
            let tags = [named, negotiated].map { $0.headers["etag"] }
            #expect(tags[0] != tags[1])
        }
    }

    @Test func originalsAreRecognisedByTheirContentWhateverTheirName() async throws {
        try await self.withServer { server, origin in
            let jpeg = TestPicture.jpeg(width: 60, height: 90)
            let png = try self.converted(jpeg, to: .png)
            let webp = try self.converted(jpeg, to: .webp)
            origin.on("/really-png.jpg", .answer(headers: [("Content-Type", "image/jpeg")], body: png))
            origin.on("/really-webp.jpg", .answer(headers: [("Content-Type", "text/html")], body: webp))
            for (name, type) in [("really-png.jpg", "image/png"), ("really-webp.jpg", "image/webp")] {
                let original = try await server.get("/poster/mine:\(name)")
                #expect(original.headers["content-type"] == type)
                let variant = try await server.get("/poster/mine:\(name)?w=30")
                #expect(JPEGSize(variant.body) == JPEGSize(width: 30, height: 45))
            }
        }
    }

    @Test func whatIsTooLargeOrOverALimitSaysSo() async throws {
        try await self.withServer { server, origin in
            var bomb = BlockJPEG(width: 16, height: 16)
            bomb.height = 16
            var bytes = bomb.bytes
            let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
            origin.on("/bomb.jpg", .image(bytes))
            for _ in 0..<3 {
                let answer = try await server.get("/poster/mine:bomb.jpg?w=92")
                #expect(answer.status == 422)
                #expect(answer.text.contains("over the limit of pixels: it has 4290250000, the maximum is 100000000"))
            }
            #expect(origin.requestCount(to: "/bomb.jpg") == 1, "a page full of them does not ask again and again")
            let wide = try await server.get("/poster/nosferatu-1922?w=3000&dpr=2")
            #expect(wide.status == 400 && wide.text.contains("w times dpr is 6000 pixels"))
        }
    }

    @Test func aPostersInfoIsWhatProbePrints() async throws {
        try await self.withServer { server, _ in
            let answer = try await server.get("/poster/nosferatu-1922/info")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
            let text = answer.text
            for part in [
                "\"id\":\"nosferatu-1922\"", "\"format\":\"jpeg\"", "\"width\":2000", "\"height\":3000",
                "\"subsampling\":\"4:2:0\"", "\"color\":\"#", "\"thumbhash\":\"", "\"blurhash\":\"",
            ] {
                #expect(text.contains(part), "\(part) in \(text)")
            }
            let tag = try #require(answer.headers["etag"])
            let again = try await server.get("/poster/nosferatu-1922/info", headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(try await server.get("/poster/nosferatu-1922/info?w=3").status == 400)
            #expect(try await server.get("/poster/nobody/info").status == 404)
            #expect(try await server.get("/poster/nosferatu-1922/more").status == 404)
            #expect(try await server.get("/poster/nosferatu-1922/info", method: "POST").status == 405)
        }
    }
}
