import CCodecTesting
import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct JXLEncoderTests {
    static func encode(
        _ pixels: PixelBuffer, distance: Float = 1, effort: JXLEffort = .four, watch: RenderWatch? = nil
    ) throws(CodecError) -> [UInt8] {
        let watch = watch ?? RenderWatch(.init(), limits: .init())
        return try JXLEncoder(distance: JXLDistance(rawValue: distance), effort: effort)
            .encode(pixels, watch: watch).array
    }

    static func gradient(_ width: Int, _ height: Int, channels: Int) -> PixelBuffer {
        var pixels = PixelBuffer(width: width, height: height, channels: channels)
        pixels.samples = .gradient(width, height, channels: channels)
        return pixels
    }

    @Test("a picture of any size comes back nearly as it was, in sRGB without a profile", arguments: [1, 3])
    func survives(channels: Int) throws {
        for (width, height) in [(1, 1), (2, 3), (7, 65), (33, 8), (130, 257), (1, 300)] {
            for effort in JXLEffort.allCases {
                let pixels = Self.gradient(width, height, channels: channels)
                let decoded = try #require(DecodedJXL(try Self.encode(pixels, effort: effort)))
                let header = decoded.header
                #expect((Int(header.width), Int(header.height)) == (width, height))
                #expect(Int(header.channels) == channels && header.is_srgb == 1)
                #expect(header.frame_count == 1 && header.box_count == 0)
                let limit = width * height < 64 ? 12.0 : 4
                #expect(decoded.meanDistance(to: pixels, rows: 0..<height) < limit, "\(width)×\(height)")
            }
        }
    }

    @Test("a large picture is a stack of frames, and nothing shows where they meet", arguments: [1, 3])
    func stacksFrames(channels: Int) throws {
        let (width, height) = (1000, 1100)
        let pixels = Self.gradient(width, height, channels: channels)
        for effort in JXLEffort.allCases {
            let layers = JXLLayers(width: width, height: height)
            #expect(layers.rowsPerFrame < height && layers.rowsPerFrame.isMultiple(of: 8))
            let decoded = try #require(DecodedJXL(try Self.encode(pixels, effort: effort)))
            let count = (height + layers.rowsPerFrame - 1) / layers.rowsPerFrame
            #expect(Int(decoded.header.frame_count) == count)
            #expect((Int(decoded.header.width), Int(decoded.header.height)) == (width, height))
            #expect(decoded.meanDistance(to: pixels, rows: 0..<height) < 2)
            for seam in stride(from: layers.rowsPerFrame, to: height, by: layers.rowsPerFrame) {
                #expect(decoded.meanDistance(to: pixels, rows: seam - 2..<seam + 2) < 2, "row \(seam)")
            }
        }
    }

    @Test("a coarse large picture has the same bytes each time, and no damaged frames", arguments: JXLEffort.allCases)
    func stacksCoarseFrames(effort: JXLEffort) throws {
        let pixels = Self.gradient(1000, 1100, channels: 3)
        let file = try Self.encode(pixels, distance: 8, effort: effort)
        #expect(try Self.encode(pixels, distance: 8, effort: effort) == file)
        let decoded = try #require(DecodedJXL(file))
        for top in stride(from: 0, to: 1100, by: 100) {
            #expect(decoded.meanDistance(to: pixels, rows: top..<top + 100) < 4, "row \(top)")
        }
    }

    @Test("frames have at most about a million pixels")
    func divides() {
        for (width, height) in [(1, 1), (342, 513), (780, 1170), (4096, 4096), (8192, 3), (3, 8192), (5656, 5656)] {
            let rows = JXLLayers(width: width, height: height).rowsPerFrame
            #expect((1...height).contains(rows))
            #expect(rows * width <= JXLLayers.maxPixels + 8 * width)
        }
        #expect(JXLLayers(width: 780, height: 1170).rowsPerFrame == 1170)
    }

    @Test("small first encodings and re-encodings take more effort")
    func efforts() throws {
        let (small, large) = (try OutputSize(width: 154, height: 231), try OutputSize(width: 342, height: 513))
        #expect(JXLEffort(for: small, encoding: .first) == .five && JXLEffort(for: large, encoding: .first) == .four)
        #expect(JXLEffort(for: small, encoding: .refined) == .seven)
    }

    @Test("alpha survives to a few levels, not multiplied into the colours", arguments: [(1, 1), (33, 47), (600, 700)])
    func keepsAlpha(size: (Int, Int)) throws {
        var pixels = Self.gradient(size.0, size.1, channels: 4)
        for index in stride(from: 3, to: pixels.samples.count, by: 4) {
            pixels.samples[index] = UInt8(100 + index / 4 % size.0 % 150)
        }
        let decoded = try #require(DecodedJXL(try Self.encode(pixels)))
        #expect(decoded.header.channels == 4)
        #expect(
            stride(from: 3, to: pixels.samples.count, by: 4).allSatisfy {
                abs(Int(decoded.pixels.samples[$0]) - Int(pixels.samples[$0])) <= 6
            })
        #expect(decoded.meanDistance(to: pixels, rows: 0..<size.1) < 6)
    }

    @Test("alpha that is opaque everywhere is left out")
    func leavesOpaqueAlphaOut() throws {
        let pixels = Self.gradient(40, 30, channels: 4)
        #expect(try Self.encode(pixels) == Self.encode(pixels.withoutAlpha()))
    }

    @Test("the greater the quality, the more bytes and the less distance")
    func qualities() throws {
        var last: Float = .infinity
        for quality in 1...100 {
            let distance = JXLDistance(quality: quality).rawValue
            #expect(distance < last && (0.01...15).contains(distance))
            last = distance
        }
        let file = try EncodingEffortTests.original()
        let sizes = try [20, 50, 80, 95].map {
            try render(
                file.span.bytes,
                plan: RenderPlan(file.header(), target: RenderTarget(width: 100, format: .jxl, quality: $0))
            ).bytes.count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
    }

    @Test("a distance out of range is an internal error", arguments: [0, 16] as [Float])
    func refusesDistances(distance: Float) {
        #expect(throws: CodecError.internalError(reason: "a picture that libjxl cannot encode")) {
            try Self.encode(Self.gradient(8, 8, channels: 3), distance: distance)
        }
    }

    @Test("a stop between frames ends the encoding")
    func stops() throws {
        let pixels = Self.gradient(1000, 2100, channels: 3)
        for moment in [1, 2, 3] as [UInt64] {
            let clock = Ticks(raisingAt: moment)
            let watch = RenderWatch(
                RenderControl(stop: clock.stop, cpuTime: clock.control.now), limits: .init())
            #expect(throws: CodecError.stopped) { try Self.encode(pixels, watch: watch) }
        }
    }

    @Test("a transparent original is rendered with alpha, a gray one without colours")
    func renders() throws {
        let transparent = PNGFile(width: 60, height: 80, colourType: 6).bytes
        let decoded = try #require(DecodedJXL(try transparent.rendered(width: 20, format: .jxl).bytes))
        #expect(decoded.header.channels == 4 && decoded.header.width == 20)
        let gray = try FormulaPicture.gradient(width: 60, height: 80, subsampling: .gray).jpeg()
        #expect(try #require(DecodedJXL(try gray.rendered(width: 20, format: .jxl).bytes)).header.channels == 1)
    }
}
