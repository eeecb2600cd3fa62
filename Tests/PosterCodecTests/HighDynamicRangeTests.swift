import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

/// PQ and HLG of BT.2100, and other curves than sRGB's.
@Suite(.computingThread) struct HighDynamicRangeTests {
    static let bt2020 = ColourPrimaries([0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046])

    static func converted(_ pixel: [UInt8], _ curve: TransferCurve, _ primaries: ColourPrimaries = .sRGB) throws
        -> [UInt8]
    {
        let transform = try #require(CurveTransform(curve, primaries))
        var rgb = [UInt8](repeating: 0, count: 3)
        transform.apply(pixel, channels: pixel.count, to: &rgb, count: 1)
        return rgb
    }

    /// Resulting luminances by peak, for source luminances of 0, 1, 26, 100, 203, 500 and 1000 cd/m².
    static let tones: [(peak: Double, results: [Double])] = [
        (1000, [0, 0.0049, 0.1281, 0.4895, 0.7835, 0.9796, 1]),
        (4000, [0, 0.0049, 0.1281, 0.4232, 0.6302, 0.8534, 0.9542]),
        (203, [0, 0.0049, 0.1281, 0.4926, 1, 1, 1]),
    ]

    @Test("PQ has the luminances of BT.2100")
    func followsPQ() {
        for (luminance, signal) in [(100.0, 0.508078), (203.0, 0.580689), (1000.0, 0.751827), (10_000.0, 1.0)] {
            #expect(abs(ToneCurve.pq(luminance) - signal) < 1e-5)
            #expect(abs(ToneCurve.luminance(pq: signal) / luminance - 1) < 1e-3)
        }
    }

    @Test(
        "tones follow the EETF of BT.2390: black and what is below the knee stay, the peak becomes white",
        arguments: tones)
    func mapsTones(peak: Double, expected: [Double]) {
        let tone = ToneCurve(peak: peak)
        for (luminance, value) in zip([0, 1, 26, 100, 203, 500, 1000.0], expected) {
            #expect(abs(tone(luminance) - value) < 1e-4, "\(luminance) cd/m²")
        }
        let steps = stride(from: 0.0, through: 10_000, by: 7).map { tone($0) }
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 + 1e-12 } && steps.allSatisfy((0...1).contains))
    }

    @Test(
        "gray stays gray, with the tones of its curve",
        arguments: [
            (TransferCurve.pq(peak: 1000), [0: 0, 64: 45, 100: 107, 128: 181, 148: 229, 192: 255, 255: 255]),
            (.pq(peak: 10_000), [0: 0, 64: 45, 128: 162, 148: 195, 192: 242, 255: 255]),
            (.hlg, [0: 0, 64: 62, 128: 138, 191: 229, 255: 255]),
            (.gamma(2.8), [0: 0, 64: 40, 128: 106, 200: 189, 255: 255]),
            (.linear, [0: 0, 64: 137, 128: 188, 200: 229, 255: 255]),
        ])
    func convertsGray(curve: TransferCurve, expected: [UInt8: Int]) throws {
        for (level, value) in expected {
            for pixel in [[level], [level, level, level]] {
                let rgb = try Self.converted(pixel, curve, Self.bt2020)
                #expect(rgb.allSatisfy { abs(Int($0) - value) <= 1 }, "level \(level): \(rgb)")
            }
        }
        let tag = ColourTag.curved(curve, Self.bt2020)
        let transform = try #require(ColourTransformCache().transform(for: tag, input: .gray))
        #expect(transform.grayLevels?.count == 256)
        #expect(ColourTransformCache().transform(for: tag, input: .cmyk) == nil)
    }

    @Test("hues stay, and colours beyond sRGB are clipped")
    func keepsHues() throws {
        let orange = try Self.converted([200, 180, 100], .pq(peak: 1000))
        let darker = try Self.converted([160, 140, 60], .pq(peak: 1000))
        for pixel in [orange, darker] { #expect(pixel[0] > pixel[1] && pixel[1] > pixel[2]) }
        #expect(try Self.converted([255, 0, 0], .pq(peak: 1000), Self.bt2020) == [255, 0, 0])
        #expect(try Self.converted([0, 255, 0], .hlg, Self.bt2020) == [0, 255, 0])
        #expect(CurveTransform(.hlg, ColourPrimaries([Double](repeating: 0.3, count: 8))) == nil)
    }

    @Test("primaries are converted as by Little CMS, those of another white, too")
    func convertsPrimaries() throws {
        let cinema = ColourPrimaries([0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060])
        // Compares in linear light the matrix alone with Little CMS's conversion of sRGB-coded levels.
        for primaries in [ColourPrimaries.displayP3, Self.bt2020, cinema] {
            let library = try #require(ColourTransform(.chromaticities(primaries), input: .rgb))
            for pixel: [UInt8] in [[200, 190, 180], [90, 120, 100], [255, 255, 255]] {
                var expected = [UInt8](repeating: 0, count: 3)
                library.apply(pixel, to: &expected, count: 1)
                let light = primaries.toSRGB * SIMD3(pixel.map { Self.light(Double($0) / 255) })
                let rgb = (0..<3).map { Self.light(Double(expected[$0]) / 255) - light[$0] }
                #expect(rgb.allSatisfy { abs($0) < 0.015 }, "\(pixel): \(rgb)")
            }
        }
    }

    private static func light(_ signal: Double) -> Double {
        signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }

    @Test(
        "AVIFs of PQ and HLG are shown with tones for a display of standard range", arguments: [8, 10],
        [EncodedAVIF.Chroma.gray, .s420, .s444])
    func showsAVIF(depth: Int, chroma: EncodedAVIF.Chroma) throws {
        for (transfer, level, expected) in [(16, 148, 229), (18, 191, 229), (5, 128, 106), (8, 128, 188)] {
            let file = EncodedAVIF(
                depth: depth, chroma: chroma, colours: (9, transfer, 9), pixel: { _, _ in [level, level, level, 255] })
            let header = try file.bytes.header()
            #expect(header.coding?.isPlain == false)
            for format in OutputFormat.quick {
                let pixels = try file.bytes.rendered(width: 20, format: format).bytes.pixels()
                #expect(pixels[9, 9].prefix(3).allSatisfy { abs(Int($0) - expected) <= 6 }, "\(transfer) as \(format)")
            }
        }
    }

    @Test("the brightest pixel of an AVIF is its clli, else the peak of its mdcv, else 1000 cd/m²")
    func readsPeaks() throws {
        let cell = try AVIFFile.Cell(
            EncodedAVIF(depth: 10, chroma: .s444, colours: (9, 16, 9), pixel: { _, _ in [148, 148, 148, 255] }))
        func gray(_ properties: [[UInt8]]) throws -> Int {
            Int(try AVIFFile(cell, adding: properties).bytes.pixels()[9, 9][0])
        }
        func light(_ level: Int) -> [UInt8] { AVIFFile.box("clli", AVIFFile.short(level) + [0, 9]) }
        func display(_ peak: Int) -> [UInt8] {
            AVIFFile.box("mdcv", [UInt8](repeating: 1, count: 16) + PNGFile.number(10_000 * peak) + [0, 0, 0, 1])
        }
        #expect(abs(try gray([]) - 229) <= 4)
        #expect(try gray([light(203)]) >= 250)
        #expect(try gray([light(5), display(4000)]) >= 250, "no less than white")
        #expect(abs(try gray([light(0), display(10_000)]) - 195) <= 4)
        #expect(abs(try gray([display(0)]) - 229) <= 4)
        #expect(abs(try gray([AVIFFile.box("clli", [1])]) - 229) <= 4, "what is too short counts as absent")
    }

    @Test("curves go with planes that another process gets")
    func handsOver() throws {
        for colours in [(9, 16, 9), (12, 18, 6), (1, 5, 8), (9, 8, 12)] {
            let bytes = EncodedAVIF(width: 64, height: 64, chroma: .s444, colours: colours).bytes
            let job = try #require(try RetainedPlanesTests.job(of: bytes, scale: .none, servedWidth: 32))
            let planes = try RetainedPlanesTests.planes(bytes, job)
            var data: [UInt8] = []
            let record = try PlanesRecord(exporting: planes) { (part) throws(CodecError) in
                defer { data += part }
                return data.count
            }
            #expect(record.isConsistent(size: data.count, limits: .init()))
            data.withUnsafeBytes { buffer in
                let arrived = RetainedPlanes(record, of: job, reading: buffer)
                #expect(arrived.colourTag == planes.colourTag && arrived.layout.model == planes.layout.model)
            }
            var broken = record
            broken.chromaticities = []
            #expect(!broken.isConsistent(size: data.count, limits: .init()))
        }
    }
}
