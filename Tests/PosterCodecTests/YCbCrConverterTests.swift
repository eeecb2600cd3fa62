import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct YCbCrConverterTests {
    static let sizes = [(1, 1), (2, 1), (1, 2), (3, 3), (16, 8), (37, 21), (64, 64), (65, 2)]

    /// Y′CbCr of a colour by the formulas, in double precision.
    static func exact(_ rgb: [Double], isLimitedRange: Bool) -> [Double] {
        let luma = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]
        let (blue, red) = ((rgb[2] - luma) / 1.772, (rgb[0] - luma) / 1.402)
        return isLimitedRange
            ? [16 + luma * 219 / 255, 128 + blue * 224 / 255, 128 + red * 224 / 255] : [luma, 128 + blue, 128 + red]
    }

    static func random(_ size: (Int, Int), channels: Int, seed: UInt64 = 1) -> PixelBuffer {
        var random = SeededRandom(seed: seed)
        return PixelBuffer(width: size.0, height: size.1, channels: channels) { _, _ in
            (0..<channels).map { channel in
                channel == 3
                    ? [0, 0, 1, 30, 128, 255, 255].randomElement(using: &random)! : .random(in: 0...255, using: &random)
            }
        }
    }

    @Test("grays are exact, and have no colour", arguments: [false, true], [false, true])
    func keepsGrays(isLimitedRange: Bool, halvesChroma: Bool) {
        let splitter = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: halvesChroma)
        for channels in [1, 3, 4] {
            let gray = PixelBuffer(width: 256, height: 3, channels: channels) { x, _ in
                [UInt8](repeating: UInt8(x), count: min(channels, 3)) + (channels == 4 ? [255] : [])
            }
            let planes = splitter.planes(gray)
            #expect(planes.count == channels)
            for x in 0...255 {
                let exact = isLimitedRange ? 16 + Double(x) * 219 / 255 : Double(x)
                #expect(Double(planes[0][x, 1]) == exact.rounded())
            }
            for plane in planes.dropFirst().prefix(2) { #expect(plane.range == 128...128) }
            if channels == 4 { #expect(planes[3].range == 255...255) }
        }
    }

    @Test("planes are what the formulas say", arguments: [false, true], sizes)
    func followsTheFormulas(isLimitedRange: Bool, size: (Int, Int)) {
        for channels in [3, 4] {
            let pixels = Self.random(size, channels: channels)
            let planes = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: false).planes(pixels)
            #expect(planes.count == channels)
            for y in 0..<size.1 {
                for x in 0..<size.0 {
                    let exact = Self.exact(pixels[x, y].map(Double.init), isLimitedRange: isLimitedRange)
                    for (plane, value) in zip(planes, exact) {
                        #expect(abs(Double(plane[x, y]) - min(255, value)) <= 0.51)
                    }
                    if channels == 4 { #expect(planes[3][x, y] == pixels[x, y][3]) }
                }
            }
        }
    }

    @Test("halved chroma is that of four pixels' mean, weighted by how visible they are", arguments: [3, 4], sizes)
    func halvesChroma(channels: Int, size: (Int, Int)) {
        for isLimitedRange in [false, true] {
            let pixels = Self.random(size, channels: channels, seed: 8)
            let planes = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: true).planes(pixels)
            for plane in planes[1...2] { #expect((plane.width, plane.height) == ((size.0 + 1) / 2, (size.1 + 1) / 2)) }
            for y in 0..<planes[1].height {
                for x in 0..<planes[1].width {
                    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map { dx, dy in
                        pixels[min(2 * x + dx, size.0 - 1), min(2 * y + dy, size.1 - 1)].map(Double.init)
                    }
                    let weights = corners.map { channels == 4 ? $0[3] : 1 }
                    let total = weights.reduce(0, +)
                    let mean = (0..<3).map { channel in
                        total == 0 ? 0 : zip(corners, weights).reduce(0) { $0 + $1.0[channel] * $1.1 } / total
                    }
                    let exact = Self.exact(mean, isLimitedRange: isLimitedRange)
                    for plane in 1...2 {
                        #expect(abs(Double(planes[plane][x, y]) - min(255, exact[plane])) <= 0.55)
                    }
                }
            }
        }
    }

    @Test("primaries stay in range", arguments: [false, true])
    func keepsPrimaries(isLimitedRange: Bool) {
        for bits in 0..<8 {
            let colour = (0..<3).map { UInt8(bits >> $0 & 1) * 255 }
            let pixels = PixelBuffer(width: 4, height: 4, channels: 3) { _, _ in colour }
            let planes = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: true).planes(pixels)
            let exact = Self.exact(colour.map(Double.init), isLimitedRange: isLimitedRange)
            for (plane, value) in zip(planes, exact) {
                #expect(plane.range.lowerBound == plane.range.upperBound)
                #expect(abs(Double(plane.range.lowerBound) - min(255, value)) <= 0.51, "\(colour)")
                if isLimitedRange { #expect((16...240).contains(plane.range.lowerBound)) }
            }
        }
    }

    @Test("what was split is assembled again as it was", arguments: [false, true])
    func survivesTheWayBack(isLimitedRange: Bool) throws {
        let pixels = Self.random((61, 33), channels: 3, seed: 4)
        let planes = YCbCrConverter(isLimitedRange: isLimitedRange, halvesChroma: false).planes(pixels)
        let model = PlaneModel(colour: .yCbCr, isLimitedRange: isLimitedRange)
        let again = try SRGBConverterTests.assembled(planes, model)
        let distance = try #require(again.distance(to: pixels))
        #expect(distance <= (isLimitedRange ? 3 : 2))
    }
}
