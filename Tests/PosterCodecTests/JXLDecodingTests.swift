import Testing

@testable import PosterCodec

/// Pixels of JPEG XLs that cjxl has written.
@Suite(.computingThread) struct JXLDecodingTests {
    private static let colours = PixelBuffer(width: 12, height: 8, channels: 3) { Array(JXLFile.pixel($0, $1)[..<3]) }

    @Test(
        "lossless pictures have every pixel",
        arguments: [JXLFile.lossless, JXLFile.boxed, JXLFile.ordered, JXLFile.deep, JXLFile.profile])
    func decodesLossless(bytes: [UInt8]) throws {
        #expect(try bytes.pixels().distance(to: Self.colours) == 0)
    }

    @Test("gray stays gray")
    func decodesGray() throws {
        let gray = PixelBuffer(width: 12, height: 8, channels: 1) { [JXLFile.gray($0, $1)] }
        #expect(try JXLFile.gray.pixels().distance(to: gray) == 0)
    }

    @Test("lossy pictures and recompressed JPEGs are close to the original")
    func decodesLossy() throws {
        let lossy = try #require(try JXLFile.lossy.pixels().distance(to: Self.colours))
        #expect(lossy <= 32)
        let (recompressed, turned) = (try JXLFile.recompressed.pixels(), try JXLFile.turned.pixels())
        #expect((turned.width, turned.height) == (8, 12), "shown after a turn")
        let difference = try #require(recompressed.distance(to: turned))
        #expect(difference <= 4)
        let corner = turned[7, 0]
        #expect(zip(corner, JXLFile.pixel(0, 0)).allSatisfy { abs(Int($0) - Int($1)) <= 16 })
    }

    @Test("alpha is kept, also if colours are premultiplied", arguments: [JXLFile.alpha, JXLFile.premultiplied])
    func decodesAlpha(bytes: [UInt8]) throws {
        let pixels = try bytes.pixels()
        #expect(pixels.channels == 4)
        for y in 0..<8 {
            for x in 0..<12 {
                let (found, expected) = (pixels[x, y], JXLFile.pixel(x, y))
                #expect(found[3] == expected[3])
                let tolerance = [255: 0, 128: 1, 64: 3][Int(expected[3])] ?? 255
                #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }, "\(x), \(y)")
            }
        }
        let gray = try JXLFile.grayAlpha.pixels()
        #expect(gray[4, 0] == [80, 80, 80, 255])
    }

    @Test("the first frame of an animation is shown")
    func decodesFirstFrame() throws {
        let pixels = try JXLFile.animation.pixels()
        #expect(pixels[0, 0] == [0, 0, 0, 255] && pixels[11, 7] == JXLFile.pixel(11, 7)[..<3] + [255])
    }

    @Test("wide gamut, linear light and PQ are converted to sRGB, as declared in the header")
    func convertsColours() throws {
        let cases: [([UInt8], ColourTag, tolerance: Int)] = [
            (JXLFile.wide, .displayP3, 0), (JXLFile.linear, .curved(.linear, .sRGB), 0),
            (JXLFile.pq, .curved(.pq(peak: 1000), Self.bt2020), 0),
        ]
        for (bytes, tag, tolerance) in cases {
            let expected = try Self.converted(Self.colours.samples, from: tag)
            #expect(try #require(try bytes.pixels().distance(to: expected)) <= tolerance, "\(tag)")
        }
    }

    @Test("lossy PQ has djxl's pixels before the conversion, apart from the CPU's rounding")
    func decodesLikeDjxl() throws {
        let expected = try Self.converted(JXLFile.xybPQPixels, from: .curved(.pq(peak: 1000), Self.bt2020))
        let differences = zip(try JXLFile.xybPQ.pixels().samples, expected.samples).map { abs(Int($0) - Int($1)) }
        #expect(differences.count == 12 * 8 * 3 && differences.reduce(0, +) <= differences.count)
    }

    private static func converted(_ samples: [UInt8], from tag: ColourTag) throws -> PixelBuffer {
        let transform = try #require(ColourTransformCache.shared.transform(for: tag, input: .rgb))
        var converted = Self.colours
        transform.apply(samples, to: &converted.samples, count: 12 * 8)
        return converted
    }

    @Test("layers behind an ICC profile are found before they are decoded, and need the memory that was planned")
    func findsHiddenLayers() throws {
        var limits = CodecLimits()
        limits.maxWorkingBytes = 20 << 20
        #expect(try JXLFile.layered.pixels().width == 12)
        let planned = #expect(throws: CodecError.self) { try JXLFile.layered.plan(width: nil, limits: limits) }
        #expect(Self.isOfMemory(planned))
        // Without a decoder, they are not known.
        let plan = try JXLFile.layeredWithProfile.plan(width: nil, limits: limits)
        let found = #expect(throws: CodecError.self) {
            try JXLFile.layeredWithProfile.rendered(as: plan, limits: limits)
        }
        #expect(Self.isOfMemory(found))
        limits.maxLayers = 3
        #expect(throws: CodecError.overLimit(.layers, value: 4, limit: 3)) {
            try JXLFile.layeredWithProfile.rendered(as: plan, limits: limits)
        }
    }

    private static func isOfMemory(_ error: CodecError?) -> Bool {
        if case .overLimit(.workingMemory, _, _) = error { true } else { false }
    }

    @Test("a recompressed JPEG with an ICC profile needs no more memory than one without")
    func plansRecompressed() throws {
        let header = try JXLFile.recompressedWithProfile.header()
        #expect(header.hasICCProfile && !header.isMultiScan)
        let pixels = try JXLFile.recompressedWithProfile.pixels()
        #expect(try #require(pixels.distance(to: Self.colours)) <= 12)
    }

    private static let bt2020 = ColourPrimaries([0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046])

    @Test("a picture that lacks any byte is not rendered", arguments: JXLFile.all)
    func noticesTruncation(name: String, bytes: [UInt8]) throws {
        let plan = try bytes.plan(width: nil)
        for count in 0..<bytes.count where !["animation", "recompressed"].contains(name) {
            #expect(throws: CodecError.self, "\(count) of \(bytes.count) bytes") {
                _ = try Array(bytes[..<count]).rendered(as: plan)
            }
        }
        #expect(try bytes.rendered(as: plan).bytes.isEmpty == false)
        #expect(try (bytes + [1, 2, 3]).rendered(as: plan).bytes == bytes.rendered(as: plan).bytes)
    }

    @Test("changed bytes give a picture or an error", arguments: JXLFile.all)
    func survivesChanges(name: String, bytes: [UInt8]) throws {
        for index in bytes.indices {
            for change in [1, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] ^= change
                var limits = CodecLimits()
                limits.maxPixels = 1 << 16
                _ = try? changed.rendered(width: 10, limits: limits)
            }
        }
    }

    @Test("a raised flag stops the decoder")
    func stops() throws {
        let plan = try JXLFile.lossless.plan(width: 10)
        let stop = StopFlag()
        stop.raise()
        #expect(throws: CodecError.stopped) {
            try JXLFile.lossless.rendered(as: plan, control: RenderControl(stop: stop))
        }
    }

    @Test("a file with another header than planned is refused")
    func checksPlan() throws {
        let plan = try JXLFile.lossless.plan(width: 10)
        #expect(throws: CodecError.damaged(reason: "not the JPEG XL that the plan was made from")) {
            try JXLFile.alpha.rendered(as: plan)
        }
    }
}
