import HTTPSemantics
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

struct PictureSignatureTests {
    private static let key = "the first key of all"
    private static let next = "the next key that signs"

    private func parser(requires: Bool = false, keys: String = Self.key) throws -> PictureRequestParser {
        try PictureRequestParser {
            $0.signingKeys = try SigningKeys(keys)
            $0.requiresSignatures = requires
        }
    }

    private func sign(_ target: String, expires: Int64? = nil, key: String = Self.key) throws -> String {
        try SigningKeys(key).sign(target: target, expires: expires)
    }

    @Test(
        "a signature opens what nothing else does",
        arguments: [
            "/proxy?url=https%3A%2F%2Fa.test%2Fx.jpg&w=92", "/_next/image?url=https%3A%2F%2Fa.test%2Fx.jpg&w=640&q=75",
            "/proxy?url=https%3A%2F%2Fa.test%2Fx.jpg",
        ])
    func opens(target: String) throws {
        let parser = try self.parser()
        #expect(parser.problem(target)?.kind == .urlNotAllowed)
        let query = try #require(try parser.parse(try self.sign(target)))
        #expect(query.request.id.description == "url:https://a.test/x.jpg" && query.expires == nil)
        #expect(parser.problem(try self.sign(target, key: Self.next))?.kind == .invalidSignature)
        #expect(parser.problem(try self.sign(target) + "&format=png")?.kind == .invalidSignature)
        #expect(parser.problem(try self.sign(target).replacing("a.test", with: "b.test"))?.kind == .invalidSignature)
    }

    @Test func theOrderAndTheEncodingDoNotMatter() throws {
        let parser = try self.parser(requires: true)
        let signed = try self.sign("/poster/mine:a?w=92&h=100")
        let signature = try #require(signed.split(separator: "s=").last)
        for target in [
            signed, "/poster/mine%3Aa?h=100&s=\(signature)&w=92", "/poster/mine:a?%68=1%300&w=92&&%73=\(signature)",
            "https://elsewhere.test/poster/mine:a?w=92&h=100&s=\(signature)",
        ] {
            #expect(try parser.parse(target)?.wanted?.height == 100, "\(target)")
        }
        for target in [
            "/poster/mine:a?w=92&h=100&h=100&s=\(signature)", "/poster/mine:a?w=92&h=100&q=&s=\(signature)",
            "/poster/mine:a/?w=92&h=100&s=\(signature)", "/poster/mine:b?w=92&h=100&s=\(signature)",
            "/poster/mine:a?w=92&h=100&s=\(signature.dropLast())", "/poster/mine:a?w=92&h=100&s=\(signature)A",
            "/poster/mine:a?w=92&h=100&s=\(signature)=", "/poster/mine:a?w=92&h=100&s=",
            "/poster/mine:a?w=92&h=100&S=\(signature)", "/poster/mine:a?w=92&h=100",
        ] {
            let problem = parser.problem(target)
            let query = problem == nil ? try parser.parse(target) : nil
            #expect(problem?.kind == .invalidSignature || problem == nil && query == nil, "\(target)")
        }
        #expect(parser.problem(signed + "&s=\(signature)")?.detail == "s is given more than once")
    }

    @Test(
        "all pictures, where all need one",
        arguments: [
            "/poster/x", "/poster/x?w=92", "/t/p/w92/a.jpg", "/t/p/original/a.jpg", "/_next/image?url=/poster/x&w=92",
        ])
    func required(target: String) throws {
        #expect(try self.parser(requires: true).problem(target)?.kind == .invalidSignature)
        #expect(try self.parser().problem(target) == nil)
        for parser in [try self.parser(requires: true), try self.parser()] {
            let unsigned = try #require(try self.parser().parse(target))
            #expect(try parser.parse(try self.sign(target)) == unsigned)
        }
        let allowed = try PictureRequestParser {
            $0.signingKeys = try SigningKeys(Self.key)
            $0.requiresSignatures = true
            $0.allowedURLs = [try URLPrefix("https://a.test")]
        }
        #expect(allowed.problem("/proxy?url=https://a.test/x")?.kind == .invalidSignature)
    }

    @Test func aSignatureEnds() throws {
        let parser = try self.parser(requires: true)
        let signed = try self.sign("/poster/x?w=92", expires: 1000)
        #expect(try parser.parse(signed, now: 999)?.expires == 1000)
        #expect(parser.problem(signed, now: 1000)?.kind == .expiredSignature)
        #expect(parser.problem(signed.replacing("exp=1000", with: "exp=9000"), now: 1000)?.kind == .invalidSignature)
        #expect(parser.problem(try self.sign("/poster/x?exp=soon"))?.detail.contains("seconds since 1970") == true)
        #expect(parser.problem(try self.sign("/poster/x?exp=1&exp=2"))?.detail == "exp is given more than once")
        #expect(try self.parser().problem("/poster/x?exp=9")?.detail.contains("the parameter s is missing") == true)
    }

    @Test func keysTakeEachOthersPlace() throws {
        let parser = try self.parser(requires: true, keys: Self.next + "\n" + Self.key)
        for key in [Self.key, Self.next] {
            #expect(try parser.parse(try self.sign("/poster/x", key: key)) != nil)
        }
        let signed = try SigningKeys(Self.next + "\n" + Self.key).sign(target: "/poster/x")
        let other = try self.sign("/poster/x", key: Self.next)
        #expect(signed == other)
    }

    @Test func withoutKeysThereAreNoSuchParameters() throws {
        for target in ["/poster/x?s=a", "/poster/x?exp=1", "/proxy?url=https://a.test/&s=x", "/_next/image?s=x"] {
            #expect(PictureRequestParser().problem(target)?.detail.contains("is not a parameter") == true)
        }
    }
}
