import CodecTesting
import Testing

@testable import PosterCodec

/// Pictures with badges that were looked at, in `Goldens`. After a change that draws other pixels: run this suite with
/// `ONESHEET_GOLDENS=write`, and look at the files.
@Suite(.computingThread) struct BadgeGoldenTests {
    /// Versions of FreeType differ slightly in their anti-aliasing.
    private static let maxMean = 2.0
    /// Maximum share of pixels with a level more than `largeDifference` away.
    private static let maxShare = 0.01
    private static let largeDifference = 48

    @Test("a picture with badges is the one that was looked at", arguments: BadgeGolden.all)
    func picturesAreUnchanged(golden: BadgeGolden) throws {
        let drawn = try golden.crop(of: golden.rendered())
        if BadgeGolden.areWritten { try golden.write(drawn) }
        let expected = try golden.read()
        #expect([drawn.width, drawn.height] == [expected.width, expected.height])
        guard [drawn.width, drawn.height] == [expected.width, expected.height] else { return }
        let difference = Self.difference(drawn, expected)
        #expect(difference.mean <= Self.maxMean && difference.share <= Self.maxShare, "\(difference)")
        // The comparison notices a pixel.
        for (x, y) in [(1, 0), (0, 1)] {
            let difference = Self.difference(drawn, expected, x: x, y: y)
            #expect(difference.mean > Self.maxMean || difference.share > Self.maxShare, "\(x), \(y): \(difference)")
        }
    }

    /// The mean difference of levels, and the share of pixels with a large one.
    ///
    /// - Parameters x, y: The second picture's offset.
    private static func difference(
        _ one: PixelBuffer, _ other: PixelBuffer, x: Int = 0, y: Int = 0
    ) -> (mean: Double, share: Double) {
        let (first, second) = (one.rgba(), other.rgba())
        let (width, height) = (first.width - x, first.height - y)
        var (sum, large) = (0, 0)
        for row in 0..<height {
            for column in 0..<width {
                let start = 4 * (row * first.width + column)
                let shifted = 4 * ((row + y) * first.width + column + x)
                var largest = 0
                for channel in 0..<4 {
                    let level = Int(first.samples[start + channel]) - Int(second.samples[shifted + channel])
                    sum += abs(level)
                    largest = max(largest, abs(level))
                }
                if largest > Self.largeDifference { large += 1 }
            }
        }
        let count = Double(width * height)
        return (Double(sum) / (4 * count), Double(large) / count)
    }

    @Test("texts are legible in the pixels of the picture", arguments: BadgeGolden.all)
    func contrastInPixels(golden: BadgeGolden) throws {
        let picture = try golden.rendered()
        let texts = try golden.overlay().glyphs
        #expect(texts.count == (golden.width < BadgeMetrics.widthForSeveral ? 1 : golden.texts.count))
        for text in texts {
            // The inside of strokes, and the box around them.
            let inside = Self.colours(of: picture, in: text) { $0 >= 250 }
            let around = Self.colours(of: picture, in: text) { $0 == 0 }
            #expect(inside.count >= 10 && around.count >= 10)
            for colour in Set(around) {
                let contrast = inside.map { BadgeColours.contrast($0, colour) }.reduce(0, +) / Double(inside.count)
                #expect(contrast >= BadgeColours.minContrast)
            }
        }
    }

    private static func colours(
        of picture: PixelBuffer, in text: PictureOverlay.Glyphs, where isIncluded: (UInt8) -> Bool
    ) -> [RenderTarget.Colour] {
        text.coverage.indices.filter { isIncluded(text.coverage[$0]) }.map { index in
            let pixel = picture[text.x + index % text.width, text.y + index / text.width]
            return RenderTarget.Colour(red: pixel[0], green: pixel[1], blue: pixel[2])
        }
    }
}
