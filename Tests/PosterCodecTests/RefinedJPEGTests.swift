import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct RefinedJPEGTests {
    private static func encoder(
        quality: Int = 82, subsampling: FormulaPicture.Subsampling = .s420, isProgressive: Bool = false
    ) -> JPEGEncoder {
        var encoder = JPEGEncoder(quality: quality)
        encoder.lumaFactors = .init(horizontal: subsampling.horizontal, vertical: subsampling.vertical)
        encoder.isProgressive = isProgressive
        encoder.isRefined = true
        return encoder
    }

    private static func noise(_ width: Int, _ height: Int, _ subsampling: FormulaPicture.Subsampling) -> [Plane] {
        var random = SeededRandom(seed: 3)
        let samples = (0..<width * height).map { _ in Double(UInt8(truncatingIfNeeded: random.next())) }
        return FormulaPicture(width: width, height: height, subsampling: subsampling) { x, y in
            let value = samples[min(Int(y), height - 1) * width + min(Int(x), width - 1)]
            return .init(luma: value, blue: 255 - value, red: value / 2)
        }.planes
    }

    @Test("a refined file of a poster's width has less than 0.9 of the first one's bytes", arguments: [92, 154, 342])
    func isSmaller(width: Int) throws {
        let bytes = try EncodingEffortTests.original()
        let first = try EncodingEffortTests.render(bytes, width: width, format: .jpeg, encoding: .first).bytes
        let refined = try EncodingEffortTests.render(bytes, width: width, format: .jpeg, encoding: .refined).bytes
        #expect(10 * refined.count < 9 * first.count)
        #expect(try refined.header().isProgressive == (width > 92))
        let original = try bytes.planes(width: width)
        let (one, other) = (try first.planes(width: nil), try refined.planes(width: nil))
        let allowed = JPEGScanPictureTests.psnr(one[0], original[0]) - 3
        #expect(JPEGScanPictureTests.psnr(other[0], original[0]) > allowed)
    }

    @Test(
        "a smooth picture of any size is close to its samples",
        arguments: FormulaPicture.Subsampling.allCases, [(1, 1), (7, 9), (17, 33), (1, 300), (161, 175)])
    func keepsPicture(subsampling: FormulaPicture.Subsampling, size: (Int, Int)) throws {
        let planes = FormulaPicture.gradient(width: size.0, height: size.1, subsampling: subsampling).planes
        for isProgressive in [false, true] {
            let encoder = Self.encoder(quality: 95, subsampling: subsampling, isProgressive: isProgressive)
            let bytes = try encoder.encode(planes)
            let header = try bytes.header()
            #expect(header.width == size.0 && header.height == size.1)
            #expect(header.isProgressive == isProgressive)
            let decoded = try bytes.planes(width: nil)
            #expect(decoded.count == planes.count)
            #expect(JPEGScanPictureTests.psnr(planes[0], decoded[0]) > 36)
            // Others are resampled.
            guard subsampling == .s420 else { continue }
            for (plane, same) in zip(planes, decoded) { #expect(JPEGScanPictureTests.psnr(plane, same) > 36) }
        }
    }

    @Test("noise is encoded at any quality, with more bytes at a higher one", arguments: [false, true])
    func encodesNoise(isProgressive: Bool) throws {
        for subsampling in [FormulaPicture.Subsampling.gray, .s444, .s420] {
            let planes = Self.noise(50, 70, subsampling)
            var last = 0
            for quality in [1, 20, 50, 89, 90, 100] {
                let encoder = Self.encoder(quality: quality, subsampling: subsampling, isProgressive: isProgressive)
                let count = try encoder.encode(planes).count
                #expect(count >= last, "\(subsampling) \(quality)")
                last = count
            }
        }
    }

    @Test("quantisers do not rise with the quality, and fit into bytes", arguments: [false, true])
    func quantisers(halvesChroma: Bool) {
        for isLuma in [true, false] {
            var last = [UInt16](repeating: 255, count: 64)
            for quality in 1...100 {
                let steps = JPEGQuantiser(isLuma: isLuma, quality: quality, halvesChroma: halvesChroma).steps
                #expect(zip(steps, last).allSatisfy { 1 <= $0 && $0 <= $1 })
                last = steps
            }
        }
    }

    @Test("the trellis quantises as rounding does if errors are expensive, and to zero if they are free")
    func trellis() throws {
        let quantiser = JPEGQuantiser(isLuma: true, quality: 80, halvesChroma: true)
        let trellis = JPEGTrellis(1...63, quantiser, costs: JPEGSymbolCounts.initialCosts)
        var random = SeededRandom(seed: 5)
        let block = (0..<64).map { _ in Int16(truncatingIfNeeded: Int(random.next() % 1000) - 500) }
        for (cost, isRounded) in [(Float(1e6), true), (0, false)] {
            var (quantised, counts) = (block, [UInt32](repeating: 0, count: 256))
            quantised.withUnsafeMutableBufferPointer { block in
                counts.withUnsafeMutableBufferPointer { counts in
                    trellis.quantise(
                        block.baseAddress!, errorCost: cost, counts: counts.baseAddress!, replaces: true)
                }
            }
            for index in 1..<64 {
                let exact = Float(block[index]) / Float(Int(quantiser.steps[index]) * JPEGTransform.scale)
                #expect(quantised[index] == (isRounded ? Int16(exact.rounded()) : 0), "\(index)")
            }
            #expect(quantised[0] == block[0], "the constant is in no band")
            #expect(counts[JPEGSymbolCounts.endOfBlock] <= 1)
        }
    }

    @Test("the transform of a cosine is one coefficient")
    func transform() {
        var samples = [UInt8](repeating: 0, count: 64)
        let cosines: [Double] = [0.9808, 0.8315, 0.5556, 0.1951, -0.1951, -0.5556, -0.8315, -0.9808]
        for y in 0..<8 { for x in 0..<8 { samples[8 * y + x] = UInt8((128 + 100 * cosines[x]).rounded()) } }
        var block = [Int16](repeating: 0, count: 64)
        block.withUnsafeMutableBufferPointer { block in
            samples.withUnsafeBufferPointer { samples in
                JPEGTransform.transform(
                    .init(0, 8, 16, 24, 32, 40, 48, 56), of: samples.baseAddress!, into: block.baseAddress!)
            }
        }
        // 100 × 4 × √2, times the scale.
        #expect(abs(Int(block[1]) - 4525) < 16)
        for index in 0..<64 where index != 1 { #expect(abs(block[index]) < 24, "\(index)") }
    }

    @Test("a watch ends it in every stage")
    func stops() throws {
        let planes = Self.noise(160, 160, .s420)
        let whole = Ticks()
        let encoder = Self.encoder(isProgressive: true)
        var control = RenderControl(stop: whole.stop, cpuTime: whole.control.now)
        _ = try encoder.encode(planes, control: control)
        // Two passes of each of two bands over 20 rows of blocks, and libjpeg's scans.
        #expect(whole.count > 100)
        for moment in stride(from: 1, to: whole.count - 1, by: 7) {
            let clock = Ticks(raisingAt: moment)
            control = RenderControl(stop: clock.stop, cpuTime: clock.control.now)
            #expect(throws: CodecError.stopped) { try encoder.encode(planes, control: control) }
            #expect(clock.count <= moment + 1)
        }
    }

    @Test("rows are refused that are not of the picture, and a picture that lacks rows")
    func refusesOtherRows() throws {
        let watch = RenderWatch(RenderControl(), limits: .init())
        func begin() throws -> JPEGWriter {
            try JPEGWriter(Self.encoder(), width: 32, height: 32, planeCount: 1, watch: watch)
        }
        #expect(throws: CodecError.internalError(reason: "rows that are not of the picture")) {
            var writer = try begin()
            try writer.write([Plane(width: 32, height: 48)])
        }
        #expect(throws: CodecError.internalError(reason: "a picture without all of its rows")) {
            var writer = try begin()
            try writer.write([Plane(width: 32, height: 16)])
            _ = try writer.finish()
        }
    }
}
