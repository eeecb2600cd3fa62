import HTTPSemantics
import PosterCodec
import PosterPipeline
import Testing

@testable import PosterAPI

struct BadgeRequestTests {
    private static let key = "the first key of all"
    private static let open = PictureRequestParser { $0.allowsBadgeTexts = true }

    @Test func aURLNamesSourcesPositionStyleColoursAndText() throws {
        let parsed = try Self.open.parse(
            "/poster/x?w=342&badges=rt,imdb&badge-position=top-left&badge-style=bar&badge-colours=source&text=4K%20HDR")
        let badges = try #require(parsed?.badges)
        #expect(badges.sources == [.rt, .imdb] && badges.text == "4K HDR")
        #expect(badges.position == .topLeft && badges.style == .bar && badges.colours == .source)
        #expect(parsed?.wanted == RenderTarget(width: 342, format: .jpeg), "scores are not known yet")
    }

    @Test func badgesAreAtTheBottomInPillsColouredByValueUnlessNamed() throws {
        let badges = try #require(try Self.open.parse("/poster/x?w=342&badges=tmdb")?.badges)
        #expect(badges.position == .bottom && badges.style == .pill && badges.colours == .value && badges.text == nil)
        #expect(try Self.open.parse("/poster/x?w=342")?.badges == nil)
    }

    @Test func badgesAloneRenderAtTheOriginalsSize() throws {
        #expect(try Self.open.parse("/poster/x?badges=imdb")?.wanted == RenderTarget(format: .jpeg))
        #expect(try Self.open.parse("/poster/x?text=New&v=01234567")?.wanted == RenderTarget(format: .jpeg))
        #expect(try Self.open.parse("/poster/x?v=01234567")?.wanted == nil)
    }

    @Test(
        "a wrong parameter is named with what is accepted",
        arguments: [
            ("badges=", "badges must be 1 to 6 of imdb, rt, "), ("badges=imdb,", "each once, separated by commas"),
            ("badges=imdb,imdb", "each once"), ("badges=IMDB", "imdb, rt, popcorn, metacritic, trakt, letterboxd"),
            ("badges=imdb,rt,popcorn,metacritic,trakt,letterboxd,mal", "1 to 6 of"), ("badges=imdb%00", "1 to 6 of"),
            ("badges=imdb,rt,popcorn,metacritic,trakt,mal&text=4K", "at most 5 sources beside text"),
            ("badges=imdb&badge-position=middle", "badge-position must be bottom, top, left, right, top-left"),
            ("badges=imdb&badge-style=round", "badge-style must be pill, square or bar"),
            ("badges=imdb&badge-colours=red", "badge-colours must be value or source"),
            ("badge-style=bar", "badge-style requires badges or text"),
            ("badge-position=top&w=92", "badge-position requires badges or text"),
            ("badges=imdb&badges=rt", "badges is given more than once"),
            ("badge=imdb", "it takes language, textless, card, badges, text, badge-position"),
        ])
    func wrongParameters(query: String, words: String) throws {
        let problem = try #require(Self.open.problem("/poster/x?" + query))
        #expect(problem.kind == .invalidParameter && problem.detail.contains(words), "\(problem.detail)")
    }

    @Test(
        "a text is visible and in one spelling",
        arguments: [
            "", "%20", "%204K", "4K%20", "4K%20%20HDR", "a%00", "a%0A", "a%E2%80%AEb", "a%E2%80%8Db", "a%C2%A0b",
            "a%E2%81%A6b", "%CC%81a", "a%20%CC%81", "%EE%80%80", "%E3%85%A4", "a%EF%B8%8F", "1234567890123456789012345",
            "a" + String(repeating: "%CC%81", count: 24),
        ])
    func refusedTexts(text: String) throws {
        let problem = try #require(Self.open.problem("/poster/x?text=" + text))
        #expect(problem.kind == .invalidParameter && problem.detail.contains("1 to 24 letters"), "\(problem.detail)")
        #expect(problem.parameter?.name == "text")
    }

    @Test(
        "texts of any script are accepted",
        arguments: ["4K", "New!", "최신 개봉", "新作", "e\u{301}", "ไทย", "جديد", "⭐ 10", "123456789012345678901234"])
    func acceptedTexts(text: String) {
        #expect(BadgeText.accepted(text) == text)
    }

    @Test func aTextTakesCharactersThatAFontHas() throws {
        let target = { "/poster/x?text=" + PercentEncoding.encode(($0 as String).utf8) }
        #expect(try Self.open.parse(target("Новое 4K"))?.badges?.text == "Новое 4K")
        // No font has Linear A here: the tests' process has the bundled font, perhaps with Debian's.
        let problem = try #require(Self.open.problem(target("4K 𐘀𐘀")))
        #expect(problem.kind == .invalidParameter && problem.detail.contains("no font of this server has: 𐘀;"))
        #expect(problem.parameter?.name == "text")
    }

    @Test func aTextNeedsASignatureOrTheOption() throws {
        let target = "/poster/x?w=92&text=4K"
        for parser in try [
            PictureRequestParser(), PictureRequestParser { $0.signingKeys = try SigningKeys(Self.key) },
        ] {
            let problem = try #require(parser.problem(target))
            #expect(problem.kind == .urlNotAllowed && problem.kind.status == 403)
            #expect(problem.detail == "text is allowed neither by --badge-text nor a signature")
            #expect(parser.problem("/poster/x?w=92&badges=imdb") == nil)
        }
        let signing = try PictureRequestParser { $0.signingKeys = try SigningKeys(Self.key) }
        let signed = try SigningKeys(Self.key).sign(target: target, expires: nil)
        #expect(try signing.parse(signed)?.badges?.text == "4K")
        #expect(signing.problem(signed.replacing("4K", with: "8K"))?.kind == .invalidSignature)
    }

    @Test func otherPicturesTakeNoBadges() throws {
        let parser = try PictureRequestParser { $0.allowedURLs = [try URLPrefix("https://a.test")] }
        let url = "url=https%3A%2F%2Fa.test%2Fx.jpg&w=92"
        for target in ["/proxy?\(url)&badges=imdb", "/_next/image?\(url)&badges=imdb", "/proxy?\(url)&text=4K"] {
            #expect(parser.problem(target)?.detail.contains("is not a parameter of this resource") == true)
        }
        // As all parameters of TMDB's paths.
        #expect(try parser.parse("/t/p/w92/a.jpg?badges=imdb")?.badges == nil)
    }
}
