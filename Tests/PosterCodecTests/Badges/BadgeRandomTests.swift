import CodecTesting
import Testing

@testable import PosterCodec

/// Arbitrary texts: they are drawn inside the picture, in bounded memory and time.
@Suite(.computingThread) struct BadgeRandomTests {
    /// Parts of texts that are difficult to lay out.
    private static let parts: [String] = [
        "a", "W", " ", "8.7", "88 %", "…", "\u{0}", "\u{1B}", "\u{7F}", "\n", "\u{301}", "\u{323}\u{301}\u{334}",
        "\u{489}", "א", "ב\u{5B0}", "عر", "٨", "\u{200F}", "\u{200E}", "\u{202E}", "\u{2067}", "\u{2069}", "\u{200D}",
        "\u{FE0F}", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪", "⭐", "映", "画", "한", "ไทย", "क्षि", "ﷺ", "Ǆ", "ß", "\u{FFFD}",
        "\u{FFFF}", "\u{10FFFF}", "\u{E000}", "\u{2028}", "\u{AD}", "\u{3164}", "Новинка", "Νέα", "fi", "𝔘",
        "\u{1F3FB}",
    ]

    private static func text(_ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return String(repeating: "漢", count: Badges.Badge.maxTextLength)
        case 1: return "Z" + String(repeating: "\u{301}", count: .random(in: 0...600, using: &random))
        case 2:
            let count = Int.random(in: 0...96, using: &random)
            return String(decoding: (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }, as: UTF8.self)
        case 3:
            // Surrogates are replaced, as by the decoding of URLs.
            let units = (0..<24).map { _ in UInt16.random(in: 0xD700...0xE0FF, using: &random) }
            return String(decoding: units, as: UTF16.self)
        default:
            let count = Int.random(in: 1...Badges.Badge.maxTextLength, using: &random)
            return (0..<count).map { _ in Self.parts.randomElement(using: &random)! }.joined()
        }
    }

    private static func badges(_ random: inout SeededRandom) -> Badges {
        let all = (0..<Int.random(in: 1...Badges.limit, using: &random)).map { _ in
            let level = UInt32.random(in: 0...0xFF_FFFF, using: &random)
            let colour = RenderTarget.Colour(
                red: UInt8(level >> 16), green: UInt8(level >> 8 & 255), blue: UInt8(level & 255))
            return Badges.Badge(text: Self.text(&random), colour: colour)
        }
        return Badges(
            all, position: Badges.Position.allCases.randomElement(using: &random)!,
            style: Badges.Style.allCases.randomElement(using: &random)!)!
    }

    @Test("random texts are drawn inside of pictures of any size", arguments: [1, 2, 3])
    func drawsRandomTexts(seed: UInt64) throws {
        let installed = try BadgeFonts(files: BadgeFonts.installedDebianFiles())
        var random = SeededRandom(seed: seed)
        for index in 0..<150 {
            let badges = Self.badges(&random)
            let (width, height) = (Int.random(in: 1...800, using: &random), Int.random(in: 1...1200, using: &random))
            let fonts = index % 2 == 0 ? BadgeFonts.shared : installed
            let overlay = try BadgePainter.overlay(for: badges, width: width, height: height, fonts: fonts)
            let size = try OutputSize(width: width, height: height)
            let comment: Comment = "seed \(seed), \(index): \(badges.description.debugDescription), \(width)×\(height)"
            let isInside = overlay.pieces.allSatisfy { $0.isValid(in: size) }
            #expect(isInside, comment)
            #expect(overlay.pieces.count <= 2 * Badges.limit + 1, comment)
            #expect(overlay.coverageBytes <= BadgePainter.byteCount(of: badges, width: width, height: height), comment)
            let again = try BadgePainter.overlay(for: badges, width: width, height: height, fonts: fonts)
            #expect(again.glyphs.map(\.coverage) == overlay.glyphs.map(\.coverage), "the cache changes nothing")
        }
    }
}
