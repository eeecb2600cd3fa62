import PosterCodec
import PosterPipeline
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

struct PictureRequestParserTests {
    private let parser = PictureRequestParser()

    @Test(
        "is no picture's path",
        arguments: [
            "/", "/poster", "/poster/", "/poster/x/", "//poster/x", "/poster//x", "/poster/x/info",
            "/Poster/x", "/t/p/w342", "/t/p/w342/", "/t/p//a.jpg", "/t/p//w342/", "/_next/image/", "/_next/images",
            "/proxy/", "/proxy/x", "//proxy", "*", "",
        ])
    func isNoPicture(target: String) throws {
        #expect(try self.parser.parse(target) == nil)
    }

    @Test(
        "empty segments of The Movie Database's paths are ignored",
        arguments: [
            "/t/p//w342/a.jpg", "/t/p/w342//a.jpg", "/t/p/w342/a.jpg/", "//t/p/w342/a.jpg", "///t//p///w342//a.jpg//",
        ])
    func emptySegments(target: String) throws {
        let plain = try #require(try self.parser.parse("/t/p/w342/a.jpg"))
        #expect(try self.parser.parse(target) == plain)
    }

    @Test func anEncodedSlashDoesNotSeparateSegments() throws {
        for target in ["/t/p/w342/%2Fa.jpg", "/t/p/w342/a%2F%2Fb.jpg"] {
            #expect(self.parser.problem(target)?.kind == .invalidID, "\(target)")
        }
    }

    @Test(
        "a version does not change the pixels",
        arguments: [
            ("/poster/x?v=0123456789abcdef", "0123456789abcdef"), ("/poster/x?v=01234567", "01234567"),
            ("/poster/x?v=" + String(repeating: "f", count: 64), String(repeating: "f", count: 64)), ("/poster/x", nil),
        ] as [(String, String?)])
    func versions(target: String, version: String?) throws {
        let query = try #require(try self.parser.parse(target))
        #expect(query.version == version && query.wanted == nil && query.vary == [])
        let variant = try #require(try self.parser.parse(target + (version == nil ? "?w=92" : "&w=92")))
        #expect(variant.version == version && variant.wanted?.width == 92)
    }

    @Test func aCardDoesNotChangeThePixels() throws {
        let original = try #require(try self.parser.parse("/poster/x?card=ko"))
        #expect(original.card == "ko" && original.wanted == nil)
        let variant = try #require(try self.parser.parse("/poster/x?w=92&card=ja-JP"))
        let plain = try #require(try self.parser.parse("/poster/x?w=92"))
        #expect(variant.card == "ja" && variant.request == plain.request)
        #expect(self.parser.problem("/poster/x?w=92&card=/x")?.kind == .invalidParameter)
        #expect(self.parser.problem("/proxy?url=http://x/y.jpg&card=ko") != nil)
    }

    @Test(
        "refuses versions that are no digest's beginning",
        arguments: ["", "0123456", "0123456G", "0123456F", "+1234567", String(repeating: "a", count: 65)])
    func refusesVersions(version: String) {
        let problem = self.parser.problem("/poster/x?v=\(version)")
        #expect(problem?.kind == .invalidParameter)
        #expect(problem?.detail == "v must be 8 to 64 lower-case hexadecimal digits")
    }

    @Test(
        "a number has one spelling",
        arguments: [
            "/poster/x?w=0368", "/poster/x?h=092", "/poster/x?w=92&q=075", "/poster/x?w=92&dpr=02",
            "/t/p/w0342/a.jpg", "/t/p/w00342/a.jpg", "/t/p/h0632/a.jpg", "/_next/image?url=/poster/x&w=064",
        ])
    func refusesLeadingZeros(target: String) {
        #expect(self.parser.problem(target)?.kind == .invalidParameter)
    }

    @Test(
        "sources with URLs of their own are not asked for by id",
        arguments: ["url:https%3A%2F%2Fa.test%2Fb", "tmdb-image:a.jpg", "%75rl:x", "tmdb%2Dimage:a.jpg"])
    func refusesWebSources(id: String) throws {
        let parser = try PictureRequestParser { $0.allowedURLs = [try URLPrefix("https://a.test")] }
        for target in ["/poster/\(id)?w=92", "/_next/image?w=92&url=/poster/\(PercentEncoding.encode(id.utf8))"] {
            #expect(parser.problem(target)?.kind == .unknownPoster, "\(target)")
        }
    }

    @Test(
        "reads TMDB's paths",
        arguments: [
            ("/t/p/w342/abc-_9.jpg", "abc-_9.jpg", RenderTarget(width: 342, format: .jpeg)),
            ("/t/p/h632/abc.webp", "abc.webp", RenderTarget(height: 632, format: .jpeg)),
            ("/t/p/w45/abc.png", "abc.png", RenderTarget(width: 45, format: .png)),
            ("/t/p/w500/abc.svg", "abc.svg", RenderTarget(width: 500, format: .png)),
            ("/t/p/w16/a.jpg", "a.jpg", RenderTarget(width: 16, format: .jpeg)),
            ("/t/p/original/a.jpg", "a.jpg", nil), ("/t/p/original/a.jpg?language=ko", "a.jpg", nil),
            ("/t/p/w342/a.jpg?w=92&v=1&x", "a.jpg", RenderTarget(width: 342, format: .jpeg)),
            ("/t/p/w342/a.jpg?s=x", "a.jpg", RenderTarget(width: 342, format: .jpeg)),
        ] as [(String, String, RenderTarget?)])
    func tmdb(target: String, key: String, wanted: RenderTarget?) throws {
        let query = try #require(try self.parser.parse(target))
        #expect(query.request.id.description == "tmdb-image:\(key)")
        #expect(query.wanted == wanted)
        #expect(query.vary == (wanted == nil ? [] : .accept))
        let modern = try #require(try self.parser.parse(target, accept: "image/webp"))
        #expect(modern.wanted?.format == (wanted == nil ? nil : .webp))
    }

    @Test(
        "refuses what TMDB's paths never are",
        arguments: [
            ("/t/p/w15/a.jpg", "the size must be"), ("/t/p/w4097/a.jpg", "the size must be"),
            ("/t/p/342/a.jpg", "the size must be"), ("/t/p/w/a.jpg", "the size must be"),
            ("/t/p/w+92/a.jpg", "the size must be"), ("/t/p/W92/a.jpg", "the size must be"),
            ("/t/p/Original/a.jpg", "the size must be"), ("/t/p/w342/a", "the file must be"),
            ("/t/p/w342/a.gif", "the file must be"), ("/t/p/w342/a.b.jpg", "the file must be"),
            ("/t/p/w342/.jpg", "the file must be"), ("/t/p/w342/..", "the file must be"),
            ("/t/p/w342/%2e%2e.jpg", "the file must be"), ("/t/p/w342/a%2Fb.jpg", "the file must be"),
            ("/t/p/w342/a.JPG", "the file must be"), ("/t/p/w342/\u{E9}.jpg", "the file must be"),
            ("/t/p/w342/\(String(repeating: "a", count: 65)).jpg", "the file must be"),
        ])
    func refusesTMDB(target: String, words: String) {
        let problem = self.parser.problem(target)
        #expect(problem?.kind.status == 400 && problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }

    @Test func readsWhatTheLoaderOfNextAsksFor() throws {
        let parser = try PictureRequestParser { $0.allowedURLs = [try URLPrefix("https://a.test/posters?")] }
        let remote = "/_next/image?url=https%3A%2F%2FA.test%2Fposters%2Fx.jpg%3Fa%3Db&w=640"
        let query = try #require(try parser.parse(remote + "&q=75", accept: "image/avif,image/webp,*/*"))
        #expect(query.request.id.description == "url:https://a.test/posters/x.jpg?a=b")
        #expect(query.wanted == RenderTarget(width: 640, format: .webp, quality: 75) && query.vary.contains(.accept))
        let usual = try #require(try parser.parse(remote))
        #expect(usual.wanted == RenderTarget(width: 640, format: .jpeg))
        let local = try #require(try parser.parse("/_next/image?url=%2Fposter%2Fmine%3Aa%252Fb&w=640"))
        #expect(local.request.id.description == "mine:a/b")
    }

    @Test(
        "refuses what the loader of Next never asks for",
        arguments: [
            ("w=640", "url is missing"), ("url=https://a.test/x", "w is missing"),
            ("url=https://a.test/x&w=8", "w must be"), ("url=https://a.test/x&w=640&q=0", "q must be"),
            ("url=https://a.test/x&w=640&w=640", "more than once"), ("url=https://a.test/x&w=640&h=9", "'h' is no"),
            ("url=//a.test/x&w=640", "or /poster/{id}"), ("url=/poster/x%3Fw=9&w=640", "without a query"),
            ("url=/poster/x%23a&w=640", "without a query"), ("url=/poster/&w=640", "or /poster/{id}"),
            ("url=/t/p/w92/a.jpg&w=640", "or /poster/{id}"), ("url=/poster/../x&w=640", "or /poster/{id}"),
            ("url=poster/x&w=640", "does not begin with"), ("url=&w=640", "does not begin with"),
            ("url=/_next/image&w=640", "or /poster/{id}"),
        ])
    func refusesNext(query: String, words: String) throws {
        let parser = try PictureRequestParser { $0.allowedURLs = [try URLPrefix("https://a.test")] }
        let problem = parser.problem("/_next/image?" + query)
        #expect(problem?.kind == .invalidParameter)
        #expect(problem?.detail.contains(words) == true, "\(problem?.detail ?? "")")
    }

    @Test func onlyWhereTheOperatorSaysSoHaveURLsAQuery() throws {
        let target = "/proxy?w=92&url=https://a.test/x.jpg%3Fn=1"
        let keys = try SigningKeys("a key that nobody knows")
        let parser = try PictureRequestParser {
            $0.allowedURLs = [try URLPrefix("https://a.test")]
            $0.signingKeys = keys
        }
        let problem = parser.problem(target)
        #expect(problem?.kind == .urlNotAllowed && problem?.detail.contains("query") == true)
        #expect(try parser.parse(try keys.sign(target: target)) != nil)
    }

    @Test func withoutTMDBsImagesTheirPathsAreNone() throws {
        let parser = PictureRequestParser { $0.servesTMDBImages = false }
        for target in ["/t/p/w342/a.jpg", "/t/p/original/a.jpg", "/t/p/x/a"] {
            let problem = parser.problem(target)
            #expect(problem?.kind == .notFound && problem?.detail.contains("The Movie Database") == true, "\(target)")
        }
        #expect(try parser.parse("/poster/x?w=92") != nil)
    }

    @Test func aProxiedPictureTakesAllThatAPosterDoes() throws {
        let parser = try PictureRequestParser { $0.allowedURLs = [try URLPrefix("https://a.test")] }
        let query = try #require(
            try parser.parse("/proxy?w=100&h=150&fit=cover&url=https://a.test/x%2520y.jpg&format=png&v=0123abcd"))
        #expect(query.request.id.description == "url:https://a.test/x%20y.jpg")
        #expect(query.wanted == RenderTarget(width: 100, height: 150, fit: .cover, format: .png))
        #expect(query.version == "0123abcd" && query.vary == [])
        let original = try #require(try parser.parse("/proxy?url=https://a.test/x.jpg"))
        #expect(original.wanted == nil)
        #expect(parser.problem("/proxy?w=92")?.detail.contains("url is missing") == true)
        #expect(parser.problem("/proxy?url=https://a.test/x&url=https://a.test/x")?.kind == .invalidParameter)
        #expect(parser.problem("/proxy?url=https://a.test/x&width=9")?.detail.contains("it takes url, w") == true)
        #expect(parser.problem("/proxy?url=https://b.test/x&w=92")?.kind == .urlNotAllowed)
        #expect(PictureRequestParser().problem("/proxy?url=https://a.test/x&w=92")?.kind == .urlNotAllowed)
    }
}
