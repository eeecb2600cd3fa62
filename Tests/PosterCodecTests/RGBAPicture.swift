import Testing

@testable import PosterCodec

/// A picture made by an integer formula, which other programs can reproduce.
struct RGBAPicture: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let width: Int
    let height: Int
    let rgba: [UInt8]

    private init(_ name: String, _ width: Int, _ height: Int, pixel: (_ x: Int, _ y: Int) -> [Int]) {
        self.testDescription = "\(name), \(width) × \(height)"
        (self.width, self.height) = (width, height)
        self.rgba = (0..<height).flatMap { y in (0..<width).flatMap { x in pixel(x, y).map(UInt8.init) } }
    }

    /// Red grows to the right, green to the bottom, blue to both.
    static func gradient(_ width: Int, _ height: Int) -> Self {
        Self("gradient", width, height) { x, y in
            [x * 255 / width, y * 255 / height, x * y * 255 / (width * height), 255]
        }
    }

    static func waves(_ width: Int, _ height: Int) -> Self {
        Self("waves", width, height) { x, y in
            [(x * x * 3 + y * 5) % 256, (x * 7 + y * y) % 256, (x * y * 3 + 40) % 256, 255]
        }
    }

    /// Opaque in the middle, transparent in the corners.
    static func disc(_ width: Int, _ height: Int) -> Self {
        Self("disc", width, height) { x, y in
            let across = 2 * x - width
            let down = 2 * y - height
            let alpha = 255 - 300 * (across * across + down * down) / (width * width + height * height)
            return [200 - x, 40 + y, 90, max(0, alpha)]
        }
    }

    /// The high bytes of a linear congruential generator.
    static func noise(_ width: Int, _ height: Int, isOpaque: Bool = true) -> Self {
        var state: UInt32 = 1
        return Self(isOpaque ? "noise" : "noise with alpha", width, height) { _, _ in
            (0..<4).map { channel in
                state = state &* 1_664_525 &+ 1_013_904_223
                return channel == 3 && isOpaque ? 255 : Int(state >> 24)
            }
        }
    }

    static func flat(_ width: Int, _ height: Int, _ colour: [Int]) -> Self {
        Self("flat \(colour)", width, height) { _, _ in colour }
    }

    /// Horizontal bands of colour.
    static func bands(_ width: Int, _ bands: [(rows: Int, colour: [Int])]) -> Self {
        let rows = bands.flatMap { band in Array(repeating: band.colour, count: band.rows) }
        return Self("bands", width, rows.count) { _, y in rows[y] }
    }

    var thumbHash: String { Base64.encode(ThumbHash.encode(rgba: self.rgba, width: self.width, height: self.height)) }

    var dominantColour: String { DominantColour.encode(rgba: self.rgba) }

    func blurHash(_ xComponents: Int, _ yComponents: Int) -> String {
        BlurHash.encode(
            rgba: self.rgba, width: self.width, height: self.height, xComponents: xComponents, yComponents: yComponents)
    }
}
