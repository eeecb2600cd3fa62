import NIOCore
import PosterCodec
import PosterPipeline
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

/// `language` and `textless`: which of a film's posters is served.
struct PosterLanguageTests {
    private static let languages = PosterLanguages(sources: ["tmdb"], own: "en")

    private func parser(_ change: (inout PicturePolicy) -> Void = { _ in }) -> PictureRequestParser {
        var policy = PicturePolicy()
        change(&policy)
        return PictureRequestParser(policy: policy, languages: Self.languages, generation: 0)
    }

    @Test(
        "a language selects another original where the source has several",
        arguments: [
            ("/poster/tmdb:603?w=342", "tmdb:603"), ("/poster/tmdb:603?w=342&language=en", "tmdb:603"),
            ("/poster/tmdb:603?w=342&language=en-GB", "tmdb:603"),
            ("/poster/tmdb:603?w=342&language=ja", "tmdb:603~ja"),
            ("/poster/tmdb:603?w=342&language=JA-jp", "tmdb:603~ja"), ("/poster/tmdb:603?language=ja", "tmdb:603~ja"),
            ("/poster/tmdb:603?w=342&textless=false", "tmdb:603"),
            ("/poster/tmdb:603?w=342&textless=true", "tmdb:603~textless"),
            ("/poster/tmdb:603?w=342&textless=true&language=en", "tmdb:603~textless"),
            ("/poster/tmdb:603?w=342&textless=true&language=ja", "tmdb:603~textless-ja"),
            ("/poster/tmdb:603~2?w=342&language=ja", "tmdb:603~2"),
            ("/poster/nosferatu-1922?w=342&language=ja&textless=true", "sample:nosferatu-1922"),
            ("/poster/kobis:20112207?w=342&language=ja", "kobis:20112207"),
        ])
    func selects(target: String, id: String) throws {
        let query = try #require(try self.parser().parse(target))
        #expect(query.request.id.description == id)
    }

    @Test func alternativesAreOriginalsWithoutParametersOfPixels() throws {
        let parser = self.parser()
        let whole = try #require(try parser.parse("/poster/tmdb:603?language=ja&textless=true"))
        #expect(whole.request.rendition == .original && whole.vary == [])
        let scaled = try #require(try parser.parse("/poster/tmdb:603?w=92&language=ja"))
        #expect(scaled.vary == .accept, "the URL alone selects the language")
    }

    @Test(
        "what is no language is refused by name",
        arguments: [
            ("language=", "language"), ("language=x1", "language"), ("language=j", "language"),
            ("language=japanese", "language"), ("language=ja-", "language"), ("language=ja_JP", "language"),
            ("language=ja-" + String(repeating: "x-", count: 20) + "x", "language"),
            ("language=ja&language=ko", "language"),
            ("textless=yes", "textless"), ("textless=1", "textless"), ("textless=", "textless"),
        ])
    func refuses(query: String, name: String) {
        let problem = self.parser().problem("/poster/tmdb:603?w=92&" + query)
        #expect(problem?.kind == .invalidParameter && problem?.detail.hasPrefix(name) == true, "\(query)")
    }

    @Test func otherPicturesTakeNoLanguage() {
        let parser = self.parser()
        for target in [
            "/_next/image?url=/poster/tmdb:603&w=640&language=ja",
            "/proxy?url=https://a.test/b.jpg&language=ja",
        ] {
            #expect(parser.problem(target)?.kind == .invalidParameter, "\(target)")
        }
    }

    @Test func anIDThatWouldBeTooLongIsRefused() {
        let target = "/poster/tmdb:" + String(repeating: "1", count: PosterID.maxKeyLength) + "?language=ja&w=92"
        #expect(self.parser().problem(target)?.kind == .invalidID)
    }

    @Test func theLanguageIsSigned() throws {
        let keys = try SigningKeys("a key that nobody knows")
        let parser = self.parser { ($0.signingKeys, $0.requiresSignatures) = (keys, true) }
        let signed = try keys.sign(target: "/poster/tmdb:603?w=92&language=ja", expires: nil)
        #expect(try parser.parse(signed)?.request.id.description == "tmdb:603~ja")
        #expect(parser.problem(signed.replacing("=ja", with: "=ko"))?.kind == .invalidSignature)
    }

    @Test func aReplacedPolicyHasTheSameLanguages() throws {
        let policies = ReloadablePicturePolicy(languages: Self.languages)
        policies.replace(PicturePolicy())
        #expect(try policies.parser.parse("/poster/tmdb:603?language=ja")?.request.id.description == "tmdb:603~ja")
    }

    @Test func languagesAreCachedAsTargetsOfTheirOwn() {
        let targets = ParsedTargetCache(policies: ReloadablePicturePolicy(languages: Self.languages))
        let id = { (text: String) in
            targets.target(ParsedTargetCache.Key(text: ByteBuffer(string: text), formats: FormatChoice())).query?
                .request.id
                .description
        }
        for _ in 0..<2 {
            #expect(id("/poster/tmdb:603?w=92&language=ja") == "tmdb:603~ja")
            #expect(id("/poster/tmdb:603?w=92") == "tmdb:603")
        }
        #expect(targets.usage.count == 2)
    }
}
