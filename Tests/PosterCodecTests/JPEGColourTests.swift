import CodecTesting
import Testing

@testable import PosterCodec

/// JPEGs that are neither gray nor Y′CbCr.
@Suite(.computingThread) struct JPEGColourTests {
    static let widths = [1, 5, 9, 18, 30, 37]

    /// A file of one colour, with Adobe's segment unless `transform` is `nil`.
    static func plain(_ samples: [UInt8], factors: [(Int, Int)], transform: UInt8?) -> BlockJPEG {
        var file = BlockJPEG(width: 37, height: 53, factors: factors)
        file.value = { component, _, _ in samples[component] }
        if let transform { file.segments = [.adobe(transform: transform)] }
        return file
    }

    static func expectPlain(_ file: BlockJPEG, _ colour: [UInt8], tolerance: Int = 1) throws {
        for width in Self.widths {
            let pixels = try file.bytes.pixels(RenderTarget(width: width, format: .png))
            #expect(pixels.distance(to: colour) <= tolerance, "width \(width)")
        }
        // After encoding, with chroma at half size and in 8 bits.
        let encoded = try file.bytes.rendered(width: 30).bytes.pixels()
        #expect(encoded.distance(to: colour) <= 4)
    }

    @Test("RGB by Adobe's segment or by its components' names stays RGB", arguments: [true, false])
    func decodesRGB(isByAdobe: Bool) throws {
        for colour in [[200, 30, 90], [0, 0, 255], [255, 255, 255], [1, 2, 3]] as [[UInt8]] {
            for factors in [[(1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1)]] {
                var file = Self.plain(colour, factors: factors, transform: isByAdobe ? 0 : nil)
                if !isByAdobe {
                    for (index, name) in "RGB".utf8.enumerated() { file.components[index].id = name }
                }
                #expect(try file.bytes.header().colourModel == .rgb)
                try Self.expectPlain(file, colour)
            }
        }
    }

    static let inkFactors: [[(Int, Int)]] = [
        [(1, 1), (1, 1), (1, 1), (1, 1)], [(2, 2), (1, 1), (1, 1), (2, 2)], [(2, 1), (1, 1), (1, 1), (2, 1)],
        [(1, 2), (1, 1), (1, 1), (1, 2)],
    ]

    /// Samples as they are stored: 255 is no ink.
    static let inks: [[UInt8]] = [
        [255, 255, 255, 255], [0, 255, 255, 255], [255, 255, 255, 0], [255, 255, 255, 128], [200, 100, 50, 220],
        [0, 0, 0, 0],
    ]

    @Test("CMYK looks as in browsers, with Adobe's segment and without", arguments: inkFactors, [0, nil] as [UInt8?])
    func decodesCMYK(factors: [(Int, Int)], transform: UInt8?) throws {
        for inks in Self.inks {
            let file = Self.plain(inks, factors: factors, transform: transform)
            #expect(try file.bytes.header().colourModel == .cmyk)
            try Self.expectPlain(file, inks.prefix(3).map { UInt8((Int($0) * Int(inks[3]) + 127) / 255) })
        }
    }

    @Test("YCCK looks as in browsers", arguments: inkFactors)
    func decodesYCCK(factors: [(Int, Int)]) throws {
        for inks in Self.inks {
            // The complement is coded.
            let coded = YCbCrConverterTests.exact(inks.prefix(3).map { 255 - Double($0) }, isLimitedRange: false)
            let samples = coded.map { UInt8(min(255, $0.rounded())) } + [inks[3]]
            let file = Self.plain(samples, factors: factors, transform: 2)
            #expect(try file.bytes.header().colourModel == .ycck)
            let colour = inks.prefix(3).map { UInt8((Int($0) * Int(inks[3]) + 127) / 255) }
            // The coded samples are rounded before they are decoded.
            try Self.expectPlain(file, colour, tolerance: 2)
        }
    }

    @Test(
        "black has all of its detail where the inks are subsampled",
        arguments: [[0, 0, 0], [0, 128, 128]] as [[UInt8]])
    func keepsBlackSharp(inks: [UInt8]) throws {
        // No ink is 255 in all components of CMYK; YCCK codes it as black.
        let isYCCK = inks[1] == 128
        let light: @Sendable (Int, Int) -> UInt8 = { x, y in UInt8(40 + (x * 61 + y * 37) % 200) }
        var file = BlockJPEG(width: 96, height: 64, factors: [(2, 2), (1, 1), (1, 1), (2, 2)])
        file.segments = [.adobe(transform: isYCCK ? 2 : 0)]
        file.value = { component, x, y in component == 3 ? light(x, y) : isYCCK ? inks[component] : 255 }
        var gray = BlockJPEG(width: 96, height: 64, factors: [(1, 1)])
        gray.value = { _, x, y in light(x, y) }
        for width in [96, 50, 48, 24, 11] {
            let target = RenderTarget(width: width, format: .png)
            let (pixels, expected) = (try file.bytes.pixels(target), try gray.bytes.pixels(target))
            #expect((pixels.channels, expected.channels) == (3, 1))
            for y in 0..<expected.height {
                for x in 0..<expected.width {
                    let level = expected[x, y][0]
                    #expect(pixels[x, y].allSatisfy { abs(Int($0) - Int(level)) <= 1 })
                }
            }
        }
    }

    @Test("gradients of inks are those of light", arguments: [(1, 1), (2, 2)])
    func followsGradients(factor: (Int, Int)) throws {
        // RGB and CMYK without black are the same numbers.
        let value: @Sendable (Int, Int, Int) -> UInt8 = { component, x, y in
            let level = 20 + component * 30 + 6 * x + 5 * y
            return component == 3 ? 255 : UInt8(level)
        }
        var inks = BlockJPEG(width: 96, height: 96, factors: [factor, (1, 1), (1, 1), factor])
        inks.value = value
        var light = BlockJPEG(width: 96, height: 96, factors: [factor, (1, 1), (1, 1)])
        light.segments = [.adobe(transform: 0)]
        light.value = value
        for width in [96, 70, 48, 30, 12] {
            let target = RenderTarget(width: width, format: .png)
            #expect(try inks.bytes.pixels(target).samples == light.bytes.pixels(target).samples, "width \(width)")
        }
    }
}
