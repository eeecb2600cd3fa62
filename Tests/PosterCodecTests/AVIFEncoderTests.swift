import CCodecTesting
import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct AVIFEncoderTests {
    static func encode(
        _ planes: [Plane], quality: Int = 80, speed: AVIFSpeed = .eight, watch: RenderWatch? = nil
    ) throws(CodecError) -> [UInt8] {
        let watch = watch ?? RenderWatch(.init(), limits: .init())
        return try AVIFEncoder(quality: quality, speed: speed).encode(planes, watch: watch).array
    }

    static let sides = [1, 2, 3, 7, 8, 15, 16, 17, 33, 63, 64, 65, 130]

    @Test("a picture of any size comes back nearly as it was, in full range and sRGB", arguments: sides)
    func survives(width: Int) throws {
        for height in Self.sides {
            let planes = FormulaPicture.gradient(width: width, height: height).planes
            let decoded = try #require(DecodedAVIF(try Self.encode(planes, quality: 90)))
            let header = decoded.header
            #expect((header.width, header.height) == (UInt32(width), UInt32(height)))
            #expect(header.depth == 8 && header.chroma_side == 2 && header.has_alpha == 0 && header.is_full_range == 1)
            #expect((header.primaries, header.transfer, header.matrix) == (1, 13, 6))
            #expect(header.metadata_count == 0)
            for (plane, samples) in zip(planes, decoded.planes) {
                #expect(Self.meanDistance(plane, samples) < 4, "\(width)×\(height)")
            }
        }
    }

    @Test("flat colours are exact to a level or two", arguments: [(0, 128, 128), (255, 128, 128), (150, 100, 160)])
    func keepsColours(luma: Int, blue: Int, red: Int) throws {
        let colour = FormulaPicture.Colour(luma: Double(luma), blue: Double(blue), red: Double(red))
        let planes = FormulaPicture.plain(width: 40, height: 60, colour: colour).planes
        let decoded = try #require(DecodedAVIF(try Self.encode(planes)))
        for (value, samples) in zip([luma, blue, red], decoded.planes) {
            #expect(samples.allSatisfy { abs(Int($0) - value) <= 2 })
        }
    }

    @Test("a gray picture has no chroma", arguments: [(1, 1), (21, 13), (64, 96)])
    func encodesGray(size: (Int, Int)) throws {
        let plane = FormulaPicture.gradient(width: size.0, height: size.1).planes[0]
        let decoded = try #require(DecodedAVIF(try Self.encode([plane], quality: 90)))
        #expect(decoded.header.chroma_side == 0 && decoded.planes.count == 1)
        #expect(Self.meanDistance(plane, decoded.planes[0]) < 4)
    }

    @Test("alpha survives nearly as it was, not multiplied into the colours", arguments: [(1, 1), (33, 47), (64, 40)])
    func keepsAlpha(size: (Int, Int)) throws {
        let (width, height) = size
        let colour = FormulaPicture.Colour(luma: 150, blue: 100, red: 160)
        let picture = FormulaPicture.plain(width: width, height: height, colour: colour)
        let alpha = WebPEncoderTests.alpha(width, height)
        let decoded = try #require(DecodedAVIF(try Self.encode(picture.planes + [alpha], quality: 95)))
        #expect(decoded.header.has_alpha == 1 && decoded.header.is_premultiplied == 0)
        #expect(Self.meanDistance(alpha, try #require(decoded.planes.last)) < 3)
        #expect(decoded.planes[0].allSatisfy { abs(Int($0) - 150) <= 3 })
    }

    @Test("alpha that is opaque everywhere is left out")
    func leavesOpaqueAlphaOut() throws {
        let planes = FormulaPicture.gradient(width: 40, height: 40).planes
        // The rows' padding is ignored.
        var opaque = Plane(width: 40, height: 40)
        for y in 0..<40 { for x in 0..<40 { opaque.samples[y * opaque.stride + x] = 255 } }
        #expect(try Self.encode(planes + [opaque]) == Self.encode(planes))
    }

    @Test("a render with alpha keeps it")
    func rendersAlpha() throws {
        let file = WebPFile(
            .lossless(60, 80, hasAlpha: true) { x, y in (200, UInt8(2 * x), UInt8(3 * y), x < 30 ? 0 : 255) }
        ).bytes
        let decoded = try #require(DecodedAVIF(try file.rendered(width: 20, format: .avif).bytes))
        let alpha = try #require(decoded.planes.last)
        #expect(decoded.header.has_alpha == 1)
        #expect(alpha[2] < 10 && alpha[17] > 245)
    }

    @Test("a better quality has a finer quantiser, and every quality has one")
    func quantizers() {
        for speed in AVIFSpeed.allCases {
            let all = (1...100).map { AVIFQuantizer(quality: $0, speed: speed).rawValue }
            #expect(zip(all, all.dropFirst()).allSatisfy { $0 >= $1 })
            #expect(all[0] >= 58 && all[0] <= 63 && all[99] > 0)
        }
        for anchor in AVIFQuantizer.calibration {
            let quantizer = AVIFQuantizer(quality: anchor.quality, speed: .six)
            #expect(quantizer.rawValue == UInt32(anchor.quantizer.rounded()))
        }
    }

    @Test("a faster speed has a finer quantiser, so that its pictures are as good")
    func quantizersOfSpeeds() {
        let all = AVIFSpeed.allCases.map { AVIFQuantizer(quality: 80, speed: $0).rawValue }
        #expect(all == [26, 23, 23, 21])
    }

    @Test("values out of range are refused, not clamped")
    func refusesMisuse() {
        let plane = Plane(width: 16385, height: 1)
        #expect(throws: CodecError.internalError(reason: "a picture that libavif cannot encode")) {
            try Self.encode([plane])
        }
    }

    @Test("nothing is encoded after the job was stopped, or when its CPU time is used up")
    func ends() {
        let planes = FormulaPicture.gradient(width: 80, height: 80).planes
        let stop = StopFlag()
        stop.raise()
        #expect(throws: CodecError.stopped) {
            try Self.encode(planes, watch: RenderWatch(RenderControl(stop: stop), limits: .init()))
        }
        let ticks = Ticks()
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 0
        #expect(throws: CodecError.overLimit(.cpuTime, value: 0, limit: 0)) {
            try Self.encode(planes, watch: RenderWatch(RenderControl(cpuTime: { ticks.next() }), limits: limits))
        }
    }

    static func meanDistance(_ plane: Plane, _ samples: [UInt8]) -> Double {
        let sum = zip(plane.rows.joined(), samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(samples.count)
    }
}
