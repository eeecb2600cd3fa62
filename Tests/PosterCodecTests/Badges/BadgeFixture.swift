import Glibc

@testable import PosterCodec

/// Badges and overlays for tests.
enum BadgeFixture {
    static let yellow = RenderTarget.Colour(red: 0xF5, green: 0xC5, blue: 0x18)

    static func badges(
        _ texts: [String], _ position: Badges.Position = .bottom, _ style: Badges.Style = .pill
    ) -> Badges {
        let all = texts.enumerated().map { index, text in
            let colour = RenderTarget.Colour(
                red: UInt8(index * 40 & 255), green: UInt8(200 - index * 30), blue: UInt8(index * 90 & 255))
            return Badges.Badge(text: text, colour: colour)
        }
        return Badges(all, position: position, style: style)!
    }

    static let scores = ["IMDb 8.7", "RT 88 %", "MC 73"]
    static let six = scores + ["TMDB 8.4", "4K", "New"]
    static let long = "The widest of all titles"
    static let wide = String(repeating: "Ŵ", count: Badges.Badge.maxTextLength)
    /// A character with many marks.
    static let stacked = "Z" + String(repeating: "\u{301}\u{323}", count: 400)

    /// Fonts with DejaVu, for Hebrew and Arabic; `nil` where the system does not have it.
    static let dejaVu = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
    static var hasDejaVu: Bool { access(Self.dejaVu, R_OK) == 0 }
}

extension PictureOverlay {
    var boxes: [Box] {
        self.pieces.compactMap { piece in if case .box(let box) = piece { box } else { nil } }
    }

    var glyphs: [Glyphs] {
        self.pieces.compactMap { piece in if case .glyphs(let glyphs) = piece { glyphs } else { nil } }
    }

    /// The rows of a text's ink as text, for messages of failed tests.
    static func rows(of glyphs: Glyphs) -> [[UInt8]] {
        (0..<glyphs.height).map { Array(glyphs.coverage[$0 * glyphs.width..<($0 + 1) * glyphs.width]) }
    }

    /// The bytes of all coverage.
    var coverageBytes: Int { self.glyphs.reduce(0) { $0 + $1.coverage.count } }
}

extension PixelArea {
    init(_ box: PictureOverlay.Box) {
        self.init(x: box.x, y: box.y, width: box.width, height: box.height)
    }

    init(_ glyphs: PictureOverlay.Glyphs) {
        self.init(x: glyphs.x, y: glyphs.y, width: glyphs.width, height: glyphs.height)
    }

    func contains(_ other: PixelArea) -> Bool { self.intersection(other) == other }
}
