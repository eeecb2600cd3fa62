import Testing

@testable import PosterCodec

@Suite struct OverlayCoverageTests {
    private static func box(_ width: Int, _ height: Int, radius: Int, opacity: UInt8 = 255) -> PictureOverlay.Piece {
        .box(
            PictureOverlay.Box(
                x: 0, y: 0, width: width, height: height, radius: radius, colour: .white, opacity: opacity))
    }

    /// The share of a pixel inside of a rounded box, by many samples.
    private static func exact(_ x: Int, _ y: Int, _ width: Int, _ height: Int, radius: Double) -> Double {
        let parts = 32
        var count = 0
        for part in 0..<parts * parts {
            let across = Double(x) + (Double(part % parts) + 0.5) / Double(parts)
            let down = Double(y) + (Double(part / parts) + 0.5) / Double(parts)
            let left = max(0, radius - min(across, Double(width) - across))
            let above = max(0, radius - min(down, Double(height) - down))
            if left * left + above * above <= radius * radius { count += 1 }
        }
        return Double(count) / Double(parts * parts)
    }

    @Test(arguments: [(40, 20, 10), (21, 21, 10), (30, 40, 3), (2, 2, 1), (5, 1, 0), (64, 9, 4)])
    func cornersAreCircles(width: Int, height: Int, radius: Int) {
        for opacity: UInt8 in [255, 128] {
            let piece = Self.box(width, height, radius: radius, opacity: opacity)
            let coverage = piece.coverage(width: width, height: height)
            for y in 0..<height {
                for x in 0..<width {
                    let exact = Self.exact(x, y, width, height, radius: Double(radius)) * Double(opacity) / 255
                    #expect(abs(coverage[y][x] - exact) <= 8.0 / 255, "\(x), \(y)")
                }
                #expect(coverage[y] == coverage[y].reversed())
                #expect(coverage[y] == coverage[height - 1 - y])
            }
        }
    }

    @Test func piecesOutsideOfThePictureAreErrors() throws {
        let size = try OutputSize(width: 20, height: 10)
        #expect(Self.box(20, 10, radius: 5).isValid(in: size))
        let short = PictureOverlay.Glyphs(x: 0, y: 0, width: 2, height: 2, colour: .white, coverage: [1, 2, 3])
        let bad =
            [Self.box(21, 10, radius: 0), Self.box(20, 11, radius: 0), Self.box(20, 10, radius: 6)] + [
                .glyphs(short), .glyphs(.noise(x: 19, y: 0, width: 2, height: 1, colour: .white)),
                .glyphs(.noise(x: -1, y: 0, width: 2, height: 1, colour: .white)),
            ]
        for piece in bad {
            #expect(throws: CodecError.internalError(reason: "a badge outside of its picture")) {
                try OverlayBlender(
                    PictureOverlay(pieces: [piece]), size: size, isLimitedRange: false, halvesChroma: false)
            }
        }
    }
}
