import FoundationEssentials
import PictureTesting
import PosterCodec
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

@testable import HTTPServer
@testable import PosterAPI

/// Resources beside pictures, CORS and security fields, over real sockets.
@Suite(.timeLimit(.hang))
struct ResourceTests {
    private static let picture = TestPicture.jpeg(width: 300, height: 450)

    /// Fields that scripts of other sites may read.
    private static let exposed =
        "Age, Cache-Status, Content-Range, ETag, Link, Retry-After, Server-Timing, X-Request-Id"

    private func withServer(
        _ settings: LiveServer.Settings = LiveServer.Settings(),
        _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        try await withOrigin { origin in
            origin.on("/a b.jpg", .image(Self.picture))
            origin.on("/a%20b.jpg", .image(Self.picture))
            try await LiveServer.run(origin: origin, settings) { server in try await body(server) }
        }
    }

    private struct Srcset: Decodable {
        let src, srcset, sizes, color, thumbhash, placeholder, version: String
        let width, height: Int
    }

    @Test func aSrcsetIsReadyToBeUsed() async throws {
        try await self.withServer { server in
            let answer = try await server.get("/poster/mine:a%20b.jpg/srcset?widths=200,100,500,100&format=webp")
            #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
            let srcset = try JSONDecoder().decode(Srcset.self, from: Data(answer.body))
            let digest = Self.picture.withUnsafeBytes { Digest(of: $0) }.description
            let start = "/poster/mine%3Aa%20b.jpg"
            let end = "&format=webp&v=\(digest.prefix(16))"
            #expect(srcset.srcset == "\(start)?w=100\(end) 100w, \(start)?w=200\(end) 200w")
            #expect(srcset.src == "\(start)?w=200\(end)")
            #expect(srcset.sizes == "(max-width: 200px) 100vw, 200px")
            #expect(srcset.width == 300 && srcset.height == 450)
            let variant = try await server.get(srcset.src)
            #expect(variant.headers["content-type"] == "image/webp")
            #expect(variant.headers["cache-control"] == "public, max-age=31536000, immutable")
            let placeholder = try await server.get(srcset.placeholder)
            #expect(placeholder.headers["cache-control"] == "public, max-age=31536000, immutable")
            let info = try await server.get("/poster/mine:a%20b.jpg/info")
            #expect(info.text.contains("\"digest\":\"\(digest)\""))

            let wide = try await server.get("/poster/mine:a%20b.jpg/srcset?widths=2000,1000")
            let one = try JSONDecoder().decode(Srcset.self, from: Data(wide.body))
            #expect(one.srcset == "\(start)?w=1000&v=\(digest.prefix(16)) 300w", "nothing is enlarged")

            let tag = try #require(wide.headers["etag"])
            for (headers, status) in [(["If-None-Match": tag], 304), (["If-Match": "\"x\""], 412)] {
                let again = try await server.get(
                    "/poster/mine:a%20b.jpg/srcset?widths=2000,1000", headers: headers)
                #expect(again.status == status)
            }
        }
    }

    @Test(
        "refuses parameters of a srcset",
        arguments: [
            "widths=", "widths=1", "widths=a", "widths=100,,200", "widths=4097", "w=100", "widths=100&widths=100",
            "format=gif", "widths=0100", "widths=" + (0..<17).map { "\(100 + $0)" }.joined(separator: ","),
            "widths=%2B100",
        ])
    func refused(query: String) async throws {
        try await self.withServer { server in
            let answer = try await server.get("/poster/mine:a%20b.jpg/srcset?\(query)")
            #expect(answer.status == 400)
        }
    }

    @Test func urlsAreAbsoluteWhenThatIsWanted() async throws {
        var settings = LiveServer.Settings()
        settings.links = PosterURLBuilder(publicURL: PublicURL("https://img.example.org/x/"))
        try await self.withServer(settings) { server in
            let answer = try await server.get("/poster/mine:a%20b.jpg/srcset?widths=100")
            let srcset = try JSONDecoder().decode(Srcset.self, from: Data(answer.body))
            #expect(srcset.src.hasPrefix("https://img.example.org/x/poster/mine%3Aa%20b.jpg?w=100&v="))
            #expect(srcset.placeholder.hasPrefix("https://img.example.org/x/poster/mine%3Aa%20b.jpg/placeholder?v="))
        }
    }

    @Test func resourcesBesideAPosterTakeItsLanguage() async throws {
        let picture = TestPicture.jpeg(width: 200, height: 300)
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(languages: PosterLanguages(sources: ["mine"], own: "en"))
        settings.token = try AdminToken("a-secret-that-nobody-knows")
        let all = settings
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(Self.picture))
            for path in ["/a.jpg~ja", "/a.jpg~textless"] { origin.on(path, .image(picture)) }
            try await LiveServer.run(origin: origin, all) { server in
                let digest = picture.withUnsafeBytes { Digest(of: $0) }.description
                for query in ["language=ja", "textless=true"] {
                    let info = try await server.get("/poster/mine:a.jpg/info?\(query)")
                    #expect(info.text.contains("\"width\":200") && info.text.contains(digest), "\(info.text)")
                    let answer = try await server.get("/poster/mine:a.jpg/srcset?\(query)&widths=100")
                    let srcset = try JSONDecoder().decode(Srcset.self, from: Data(answer.body))
                    #expect(srcset.width == 200)
                    let version = "v=\(digest.prefix(16))"
                    #expect(srcset.src == "/poster/mine%3Aa.jpg?w=100&\(query)&\(version)")
                    #expect(srcset.placeholder == "/poster/mine%3Aa.jpg/placeholder?\(version)&\(query)")
                    for link in [srcset.src, srcset.placeholder] {
                        let linked = try await server.get(link)
                        #expect(linked.status == 200)
                        #expect(linked.headers["cache-control"] == "public, max-age=31536000, immutable")
                    }
                    let whole = try await server.get("/poster/mine:a.jpg?\(query)")
                    #expect(whole.body == picture && whole.headers["vary"] == nil)
                }
                let usual = try await server.get("/poster/mine:a.jpg?language=en")
                #expect(usual.body == Self.picture)
                let refused = try await server.get("/poster/mine:a.jpg/info?language=x1")
                #expect(refused.status == 400 && refused.text.contains("language must be a language"))
                let authorization = ["Authorization": "Bearer a-secret-that-nobody-knows"]
                let fetched = origin.requestCount(to: "/a.jpg~ja")
                let purged = try await server.get(
                    "/poster/mine:a.jpg?language=ja", headers: authorization, method: "DELETE")
                #expect(purged.status == 204)
                for query in ["language=ja", "textless=true", "language=en"] {
                    _ = try await server.get("/poster/mine:a.jpg?\(query)")
                }
                #expect(origin.requestCount(to: "/a.jpg~ja") == fetched + 1)
                #expect(origin.requestCount(to: "/a.jpg~textless") == 1 && origin.requestCount(to: "/a.jpg") == 1)
            }
        }
    }

    /// A browser that chooses from a `srcset` has already applied its screen's pixel ratio.
    @Test func urlsAreAsWideAsTheySayWhateverTheScreen() async throws {
        var policy = PicturePolicy()
        policy.usesHints = true
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await self.withServer(settings) { server in
            let answer = try await server.get("/poster/mine:a%20b.jpg/srcset?widths=100,200")
            let srcset = try JSONDecoder().decode(Srcset.self, from: Data(answer.body))
            let hints = ["Sec-CH-DPR": "2", "Sec-CH-Width": "300"]
            for candidate in srcset.srcset.split(separator: ", ") + ["\(srcset.src) 200w"] {
                let parts = candidate.split(separator: " ")
                let picture = try await server.get(String(parts[0]), headers: hints)
                let header = try inspect(picture.body.span.bytes, limits: CodecLimits())
                #expect("\(header.width)w" == parts[1])
                #expect(picture.headers["vary"] == "Accept, Save-Data")
            }
        }
    }

    @Test func urlsAreSignedWhereSignaturesAreNeededAndEndWithTheRequests() async throws {
        let keys = try SigningKeys("a key that nobody knows")
        var policy = PicturePolicy()
        (policy.signingKeys, policy.requiresSignatures) = (keys, true)
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy) { 1000 }
        try await self.withServer(settings) { server in
            let target = "/poster/mine:a%20b.jpg/srcset?widths=100"
            let refused = try await server.get(target)
            #expect(refused.status == 403)
            let answer = try await server.get(try keys.sign(target: target, expires: 2000))
            let srcset = try JSONDecoder().decode(Srcset.self, from: Data(answer.body))
            for link in [srcset.src, srcset.placeholder] {
                #expect(link.contains("exp=2000"))
                let picture = try await server.get(link)
                #expect(picture.status == 200)
            }
        }
    }

    @Test func theLaddersRungsAreTheWidthsOfASrcset() async throws {
        var policy = PicturePolicy()
        policy.ladder = WidthLadder(rungs: [40, 80])
        var settings = LiveServer.Settings()
        settings.pictures = ReloadablePicturePolicy(policy)
        try await self.withServer(settings) { server in
            let answer = try await server.get("/poster/mine:a%20b.jpg/srcset")
            let srcset = try JSONDecoder().decode(Srcset.self, from: Data(answer.body))
            #expect(srcset.srcset.contains("w=40&") && srcset.srcset.contains("w=80&"))
            #expect(!srcset.srcset.contains("w=92"))
            let refused = try await server.get("/poster/mine:a%20b.jpg/srcset?widths=50")
            #expect(refused.status == 400)
        }
    }

    @Test(
        "a public URL has a scheme and a host",
        arguments: [
            ("https://a.example", "https://a.example"), ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
            ("https://[::1]:8080/a/b/", "https://[::1]:8080/a/b"), ("ftp://a", nil), ("a.example", nil),
            ("https://", nil), ("https:///a", nil), ("https://a?b", nil), ("https://a#b", nil), ("https://u@a", nil),
            ("https://a b", nil), ("https://a,b", nil), ("https://a\r\nb", nil), ("https://:80", nil),
        ] as [(String, String?)])
    func publicURLs(text: String, expected: String?) {
        #expect(PublicURL(text)?.text == expected)
    }

    @Test func aPlaceholderIsATinyPicture() async throws {
        try await self.withServer { server in
            let target = "/poster/mine:a%20b.jpg/placeholder"
            let png = try await server.get(target)
            #expect(png.headers["content-type"] == "image/png" && png.headers["vary"] == "Accept")
            let webp = try await server.get(target, headers: ["Accept": "image/webp,*/*;q=0.8"])
            #expect(webp.headers["content-type"] == "image/webp" && webp.headers["vary"] == "Accept")
            for answer in [png, webp] {
                #expect(answer.body.count <= 1024)
                let header = try inspect(answer.body.span.bytes, limits: CodecLimits())
                #expect(max(header.width, header.height) <= 32 && header.width * 3 - header.height * 2 <= 3)
                #expect(answer.headers["content-security-policy"] == nil)
            }
            let named = try await server.get("\(target)?format=png")
            #expect(named.body == png.body && named.headers["vary"] == nil)
            let tag = try #require(png.headers["etag"])
            let again = try await server.get(target, headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            let jpeg = try await server.get("\(target)?format=jpeg")
            #expect(jpeg.status == 400 && jpeg.text.contains("auto, webp or png"))
        }
    }

    @Test func browsersMayShowPicturesEverywhereAndMakeNothingOfTheRest() async throws {
        try await self.withServer { server in
            let connection = try server.connect()
            for target in ["?w=92", "?w=92", "", "/placeholder"] {
                let answer = try await connection.get("/poster/mine:a%20b.jpg" + target)
                #expect(answer.headers["access-control-allow-origin"] == "*")
                #expect(answer.headers["access-control-expose-headers"] == Self.exposed)
                #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
                #expect(answer.headers["timing-allow-origin"] == "*")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["content-security-policy"] == nil)
            }
            for target in [
                "/healthz", "/metrics", "/nothing", "/poster/mine:a%20b.jpg/info",
                "/poster/mine:a%20b.jpg/srcset", "/poster/mine:a%20b.jpg?w=1", "/poster/mine:none.jpg?w=92",
            ] {
                for method in ["GET", "HEAD", "POST", "OPTIONS"] {
                    let answer = try await connection.get(target, method: method)
                    #expect(answer.headers["x-content-type-options"] == "nosniff")
                    let isRead = answer.status != 204 && answer.headers["access-control-allow-origin"] == "*"
                    #expect(answer.headers["access-control-expose-headers"] == (isRead ? Self.exposed : nil))
                    #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'; ") == true)
                    #expect(answer.headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
                    #expect(answer.headers["referrer-policy"] == "no-referrer")
                    #expect(answer.headers["x-frame-options"] == "DENY")
                    #expect(answer.status != 404 || answer.headers["vary"] == nil)
                }
            }
        }
    }

    @Test func optionsListTheAllowedMethods() async throws {
        try await self.withServer { server in
            let connection = try server.connect()
            for target in [
                "/poster/x?w=92", "/poster/x/info", "/poster/x/srcset", "/poster/x/placeholder", "/openapi.json", "*",
            ] {
                let answer = try await connection.get(
                    target, headers: ["Origin": "https://a.example", "Access-Control-Request-Method": "GET"],
                    method: "OPTIONS")
                #expect(answer.status == 204 && answer.headers["content-length"] == nil, "\(target)")
                #expect(answer.headers["allow"] == "GET, HEAD, OPTIONS")
                #expect(answer.headers["access-control-allow-origin"] == "*")
                #expect(answer.headers["access-control-allow-methods"] == "GET, HEAD")
                #expect(answer.headers["access-control-allow-headers"]?.contains("Range") == true)
            }
            let unknown = try await connection.get("/nothing", method: "OPTIONS")
            #expect(unknown.status == 404)
        }
    }
}
