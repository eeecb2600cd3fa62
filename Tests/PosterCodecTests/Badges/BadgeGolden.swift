import CodecTesting
import FoundationEssentials
import Glibc
import Testing

@testable import PosterCodec

/// A picture with badges, and the committed file with the part of it around them.
struct BadgeGolden: Sendable, CustomTestStringConvertible {
    enum Background: String, Sendable {
        case light, dark, busy, gray, transparent
    }

    var position: Badges.Position
    var style: Badges.Style
    /// In pixels; the picture is half as high again.
    var width: Int
    var background: Background
    var texts = BadgeFixture.scores

    /// All positions and styles, on bright, dark, colourful, gray and transparent pictures of usual widths.
    static let all = [
        Self(position: .bottom, style: .pill, width: 342, background: .light),
        Self(position: .top, style: .pill, width: 342, background: .dark),
        Self(position: .bottom, style: .square, width: 342, background: .busy),
        Self(position: .bottom, style: .bar, width: 342, background: .busy),
        Self(position: .left, style: .pill, width: 500, background: .dark),
        Self(position: .right, style: .bar, width: 342, background: .light),
        Self(position: .topLeft, style: .bar, width: 780, background: .dark),
        Self(position: .topRight, style: .square, width: 342, background: .transparent),
        Self(position: .bottomLeft, style: .pill, width: 185, background: .gray),
        Self(
            position: .bottomRight, style: .pill, width: 780, background: .busy, texts: ["Νέα ταινία", "Новинка", "4K"]),
        Self(
            position: .bottom, style: .pill, width: 500, background: .light,
            texts: BadgeFixture.scores + ["8.4", "4K", "New"]),
        Self(position: .bottom, style: .square, width: 92, background: .busy),
    ]

    var testDescription: String {
        "\(self.position.rawValue)-\(self.style.rawValue)-\(self.width)-\(self.background.rawValue)"
    }

    // MARK: Picture

    /// Colours of scores, and others at the limit of the contrast.
    private static let colours = ["14551c", "f2c230", "b01e1e", "2a722e", "1f2937", "767676"]

    var badges: Badges {
        let all = zip(self.texts, Self.colours).map { text, colour in
            Badges.Badge(text: text, colour: RenderTarget.Colour(hex: colour)!)
        }
        return Badges(all, position: self.position, style: self.style)!
    }

    var height: Int { self.width * 3 / 2 }

    /// A PNG or JPEG without badges.
    func original() throws(CodecError) -> [UInt8] {
        let (height, right) = (self.height, self.width - 1)
        switch self.background {
        case .light, .dark:
            let base = self.background == .light ? 224.0 : 8
            let picture = FormulaPicture(width: self.width, height: height) { _, y in
                .init(luma: base + 28 * y / Double(height), blue: 120, red: 134)
            }
            return try picture.jpeg()
        case .busy:
            return self.png(colourType: 2) { x, y, channel in Self.pattern(x, y) >> (8 * channel) & 255 }
        case .gray:
            return self.png(colourType: 0) { x, y, _ in Self.pattern(x, y) & 255 }
        case .transparent:
            return self.png(colourType: 6) { x, _, channel in channel == 3 ? 255 * x / right : 200 - 70 * channel }
        }
    }

    private func png(colourType: Int, _ sample: @escaping @Sendable (Int, Int, Int) -> Int) -> [UInt8] {
        var file = PNGFile(width: self.width, height: self.height, colourType: colourType)
        file.sample = sample
        return file.bytes
    }

    /// Stripes of bright and dark colours, with sharp edges in all directions.
    private static func pattern(_ x: Int, _ y: Int) -> Int {
        let colours: [Int] = [0xFFFFFF, 0x2040D0, 0x10101F, 0x30D0F0, 0x4060FF, 0xC8F0C0]
        let (rising, falling) = ((x + y) / 13, (2 * x - y + 4000) / 17)
        return colours[(rising + falling) % colours.count]
    }

    /// The PNG with badges.
    func rendered() throws(CodecError) -> PixelBuffer {
        let target = RenderTarget(width: self.width, format: .png, badges: self.badges)
        let original = try self.original()
        let plan = try RenderPlan(original.header(), target: target)
        return try original.rendered(as: plan).bytes.pixels()
    }

    func overlay() throws(CodecError) -> PictureOverlay {
        try BadgePainter.overlay(for: self.badges, width: self.width, height: self.height)
    }

    /// The badges with a margin; in a bar its texts with a margin.
    func crop(of picture: PixelBuffer) throws -> PixelBuffer {
        let pieces = try self.overlay().pieces
        let areas = pieces.dropFirst(self.style == .bar ? 1 : 0).map { piece in
            PixelArea(
                x: piece.columns.lowerBound, y: piece.rows.lowerBound, width: piece.columns.count,
                height: piece.rows.count)
        }
        let drawn = try #require(areas.first)
        var area = areas.reduce(drawn) { $0.union($1) }
        area = PixelArea(
            x: area.x - Self.margin, y: area.y - Self.margin, width: area.width + 2 * Self.margin,
            height: area.height + 2 * Self.margin)
        let whole = PixelArea(x: 0, y: 0, width: picture.width, height: picture.height)
        area = try #require(area.intersection(whole))
        return picture.cropped(to: try OutputSize(width: area.width, height: area.height), x: area.x, y: area.y)
    }

    private static let margin = 12

    // MARK: File

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Goldens"
    private var path: String { "\(Self.folder)/\(self.testDescription).png" }

    /// Whether tests write the files: with `ONESHEET_GOLDENS=write` in the environment.
    static var areWritten: Bool { getenv("ONESHEET_GOLDENS").map { String(cString: $0) } == "write" }

    func write(_ picture: PixelBuffer) throws {
        let bytes = try PNGEncoder().encode(picture, watch: RenderWatch(RenderControl(), limits: .init())).array
        try Data(bytes).write(to: URL(filePath: self.path))
    }

    func read() throws -> PixelBuffer {
        try [UInt8](Data(contentsOf: URL(filePath: self.path))).pixels()
    }
}
