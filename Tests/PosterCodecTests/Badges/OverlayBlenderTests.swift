import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct OverlayBlenderTests {
    private static let (width, height) = PictureOverlay.size

    /// Composites in double precision; `pixel` has alpha as its fourth value, if any.
    private static func composited(_ pixel: [UInt8], _ layers: [(rgb: [Double], coverage: Double)]) -> [Double] {
        var colour = pixel.prefix(3).map(Double.init)
        var alpha = pixel.count == 4 ? Double(pixel[3]) / 255 : 1
        for layer in layers {
            let total = layer.coverage + alpha * (1 - layer.coverage)
            if total > 0 {
                colour = colour.indices.map { channel in
                    (layer.rgb[channel] * layer.coverage + colour[channel] * alpha * (1 - layer.coverage)) / total
                }
            }
            alpha = total
        }
        return colour + (pixel.count == 4 ? [255 * alpha] : [])
    }

    @Test(arguments: [1, 3, 4])
    func pixelsAreComposited(channels: Int) throws {
        let overlay = channels == 1 ? PictureOverlay.gray : .mixed
        let pixels = YCbCrConverterTests.random(PictureOverlay.size, channels: channels)
        let blended = try OverlayBlender(overlay).blended(pixels)
        #expect(blended.channels == channels)
        let coverages = overlay.pieces.map { $0.coverage(width: Self.width, height: Self.height) }
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let layers = zip(overlay.pieces, coverages).map { (rgb: $0.rgb, coverage: $1[y][x]) }
                let exact = Self.composited(pixels[x, y], layers)
                for (value, exact) in zip(blended[x, y], exact) {
                    // Colours of nearly transparent pixels are rounded with their alpha.
                    #expect(abs(Double(value) - exact) <= (exact < 255 && channels == 4 ? 3 : 1.6), "\(x), \(y)")
                }
                if layers.allSatisfy({ $0.coverage == 0 }) { #expect(blended[x, y] == pixels[x, y]) }
            }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func planesAreBlendedByTheMeanCoverageOfTheirSamples(isLimitedRange: Bool, halvesChroma: Bool) throws {
        let overlay = PictureOverlay.mixed
        let pixels = YCbCrConverterTests.random(PictureOverlay.size, channels: 3)
        let converter = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: halvesChroma)
        let planes = converter.planes(pixels)
        let blended = try OverlayBlender(overlay, isLimitedRange: isLimitedRange, halvesChroma: halvesChroma)
            .blended(planes)
        let coverages = overlay.pieces.map { $0.coverage(width: Self.width, height: Self.height) }
        let levels = overlay.pieces.map { YCbCrConverterTests.exact($0.rgb, isLimitedRange: isLimitedRange) }
        for (index, plane) in blended.enumerated() {
            let side = halvesChroma && index > 0 ? 2 : 1
            for y in 0..<plane.height {
                for x in 0..<plane.width {
                    var exact = Double(planes[index][x, y])
                    for (coverage, level) in zip(coverages, levels) {
                        let sum = [(0, 0), (1, 0), (0, 1), (1, 1)].reduce(0.0) { sum, corner in
                            let (dx, dy) = (corner.0 * (side - 1), corner.1 * (side - 1))
                            return sum
                                + coverage[min(side * y + dy, Self.height - 1)][min(side * x + dx, Self.width - 1)]
                        }
                        exact += (level[index] - exact) * sum / 4
                    }
                    #expect(abs(Double(plane[x, y]) - exact) <= 2, "\(index): \(x), \(y)")
                }
            }
            var padded = plane
            padded.padRight()
            #expect(padded.samples == plane.samples)
        }
    }

    @Test(arguments: [false, true], [false, true])
    func planesHaveTheColoursOfPixels(isLimitedRange: Bool, halvesChroma: Bool) throws {
        let converter = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: halvesChroma)
        let blender = try OverlayBlender(.mixed, isLimitedRange: isLimitedRange, halvesChroma: halvesChroma)
        let noise = YCbCrConverterTests.random(PictureOverlay.size, channels: 3)
        let plain = PixelBuffer(width: Self.width, height: Self.height, channels: 3) { _, _ in [70, 160, 120] }
        // Halved chroma of noise depends on where the coverage is within a sample.
        let pixels = halvesChroma ? plain : noise
        let expected = converter.planes(blender.blended(pixels))
        for (plane, expected) in zip(blender.blended(converter.planes(pixels)), expected) {
            let distance = try #require(plane.distance(to: expected))
            #expect(distance <= 3)
        }
    }

    @Test func bandsAreTheWholePicture() throws {
        let blender = try OverlayBlender(.mixed, halvesChroma: true)
        for channels in [1, 3, 4] {
            let pixels = YCbCrConverterTests.random(PictureOverlay.size, channels: channels)
            let whole = blender.blended(pixels)
            for count in [1, 4, 16] {
                var samples: [UInt8] = []
                for top in stride(from: 0, to: Self.height, by: count) {
                    var band = PixelBuffer(width: Self.width, height: min(count, Self.height - top), channels: channels)
                    let start = top * Self.width * channels
                    band.samples = Array(pixels.samples[start..<start + band.samples.count])
                    blender.blend(into: &band, top: top)
                    samples += band.samples
                }
                #expect(samples == whole.samples)
            }
        }
        for isGray in [false, true] {
            let pixels = YCbCrConverterTests.random(PictureOverlay.size, channels: 3)
            var planes = YCbCrConverter(isLimitedRange: false, halvesChroma: true).planes(pixels)
            if isGray { planes = [planes[0]] }
            let whole = blender.blended(planes)
            for count in [2, 16] {
                var all: [Plane] = []
                for top in stride(from: 0, to: Self.height, by: count) {
                    var band = planes.enumerated().map {
                        $1.rows(from: $0 > 0 ? top / 2 : top, $0 > 0 ? count / 2 : count)
                    }
                    blender.blend(into: &band, top: top)
                    try all.append(band: band, height: Self.height)
                }
                #expect(all.map(\.rows) == whole.map(\.rows))
            }
        }
    }

    @Test(arguments: [false, true])
    func grayBecomesColouredUnderColouredBadgesOnly(halvesChroma: Bool) throws {
        let pixels = YCbCrConverterTests.random(PictureOverlay.size, channels: 1)
        let coloured = try OverlayBlender(.mixed, halvesChroma: halvesChroma)
        let gray = try OverlayBlender(.gray, halvesChroma: halvesChroma)
        let luma = YCbCrConverter(isLimitedRange: false, halvesChroma: halvesChroma).planes(pixels)
        #expect(gray.blended(pixels).channels == 1)
        #expect(gray.blended(luma).count == 1)
        let rgb = coloured.blended(pixels)
        #expect(rgb.channels == 3)
        #expect(rgb[25, 1] == [UInt8](repeating: pixels[25, 1][0], count: 3))
        let planes = coloured.blended(luma)
        let side = halvesChroma ? 19 : 37
        #expect(planes.map(\.width) == [37, side, side])
        #expect(planes[1][halvesChroma ? 12 : 25, 0] == 128)
        let converted = YCbCrConverter(isLimitedRange: false, halvesChroma: halvesChroma).planes(rgb)
        for (plane, expected) in zip(planes, converted) { #expect(try #require(plane.distance(to: expected)) <= 3) }
    }

    @Test func aBoxIsOpaqueOnATransparentPicture() throws {
        let pixels = PixelBuffer(width: Self.width, height: Self.height, channels: 4)
        let blended = try OverlayBlender(.mixed).blended(pixels)
        #expect(blended[15, 6] == [20, 40, 250, 255])
        #expect(blended[20, 16] == [220, 30, 60, 200])
        #expect(blended[25, 1] == [0, 0, 0, 0])
    }
}

extension Plane {
    /// Up to `count` rows.
    fileprivate func rows(from top: Int, _ count: Int) -> Plane {
        let count = min(count, self.height - top)
        return Plane(
            width: self.width, height: count,
            samples: Array(self.samples[top * self.stride..<(top + count) * self.stride]))
    }
}
