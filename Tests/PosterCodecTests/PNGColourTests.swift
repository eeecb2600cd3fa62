import Glibc
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGColourTests {
    /// All levels of gray.
    static func ramp(_ chunks: PNGFile.Chunk..., colourType: Int = 0) -> PNGFile {
        var file = PNGFile(width: 256, height: 1, colourType: colourType)
        file.sample = { x, _, channel in channel == 1 ? 255 - x : x }
        file.beforePalette = chunks
        return file
    }

    /// The level on a display with exponent 2.2 of a sample with `exponent`.
    static func corrected(_ level: Int, of largest: Int = 255, exponent: Double) -> Int {
        Int((255 * pow(Double(level) / Double(largest), 1 / (exponent * 2.2))).rounded())
    }

    /// A profile of zeros, except for its size and signature.
    static func profile(byteCount: Int = 200, says: Int? = nil) -> [UInt8] {
        var bytes = PNGFile.number(says ?? byteCount) + [UInt8](repeating: 0, count: byteCount - 4)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        return bytes
    }

    static let displayP3 = [0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060]

    @Test("gAMA is applied to the samples", arguments: [0.35, 0.55, 1.0, 2.5])
    func appliesGamma(exponent: Double) throws {
        let gray = try PNGPlanes(Self.ramp(.gamma(exponent)).bytes).planes[0]
        #expect(gray.map(Int.init) == (0...255).map { Self.corrected($0, exponent: exponent) })
    }

    @Test("a gAMA that is sRGB's, or nonsense, changes nothing", arguments: [0.45455, 0.44, 0.47, 0.0, 0.00001])
    func keepsSamples(exponent: Double) throws {
        let gray = try PNGPlanes(Self.ramp(.gamma(exponent)).bytes).planes[0]
        #expect(gray.elementsEqual(0...255))
    }

    @Test("gAMA means nothing beside sRGB or a profile")
    func prefersTheBetter() throws {
        let profile = Self.profile()
        for file in [
            Self.ramp(.gamma(1), .sRGB), Self.ramp(.sRGB, .gamma(1)), Self.ramp(.profile(profile), .gamma(1)),
            Self.ramp(.gamma(1), .sRGB, .profile(profile)),
        ] {
            let gray = try PNGPlanes(file.bytes).planes[0]
            #expect(gray.elementsEqual(0...255))
        }
    }

    @Test("gAMA is not applied to alpha, and before the multiplication by it")
    func sparesAlpha() throws {
        let decoded = try PNGPlanes(Self.ramp(.gamma(1), colourType: 4).bytes)
        #expect(decoded.planes[1].elementsEqual((0...255).reversed()))
        let expected = (0...255).map { index in
            let product = Self.corrected(index, exponent: 1) * (255 - index)
            return UInt8((product * 2 + 255) / 510)
        }
        #expect(decoded.planes[0] == expected)
    }

    @Test("gAMA is applied to the colours of a palette")
    func correctsPalette() throws {
        var file = PNGFile(width: 2, height: 1, colourType: 3)
        file.palette = [10, 20, 30, 200, 100, 50]
        file.sample = { x, _, _ in x }
        file.beforePalette = [.gamma(1)]
        let planes = try PNGPlanes(file.bytes).planes.map { $0.map(Int.init) }
        #expect(planes == [[10, 200], [20, 100], [30, 50]].map { $0.map { Self.corrected($0, exponent: 1) } })
    }

    @Test("gAMA is applied to all of 16 bits before they are rounded", arguments: [false, true])
    func correctsSixteenBits(isInterlaced: Bool) throws {
        var file = PNGFile(width: 256, height: 256, colourType: 0, bitDepth: 16)
        file.isInterlaced = isInterlaced
        file.sample = { x, y, _ in 256 * y + x }
        file.beforePalette = [.gamma(1)]
        let gray = try PNGPlanes(file.bytes).planes[0]
        let distances = (0..<65_536).map { level in
            abs(Int(gray[level]) - Self.corrected(level, of: 65_535, exponent: 1))
        }
        // The table has 2,048 steps, which only the darkest levels notice.
        #expect(distances.dropFirst(512).max() ?? 9 <= 1)
        #expect(distances.max() ?? 99 <= 8)
    }

    @Test("chunks that say nothing about colours give sRGB")
    func assumesSRGB() throws {
        let nearly = Self.ramp(.chromaticities([0.3127, 0.3290, 0.642, 0.333, 0.30, 0.60, 0.15, 0.06]))
        for file in [
            Self.ramp(), Self.ramp(.sRGB), nearly, Self.ramp(.chromaticities([Double](repeating: 0, count: 8))),
        ] {
            #expect(try PNGPlanes(file.bytes).tag == .sRGB)
        }
    }

    @Test("cHRM counts where neither a profile nor sRGB is")
    func readsChromaticities() throws {
        let wide = PNGFile.Chunk.chromaticities(Self.displayP3)
        #expect(try PNGPlanes(Self.ramp(wide).bytes).tag == .displayP3)
        #expect(try PNGPlanes(Self.ramp(wide, .gamma(0.45455)).bytes).tag == .displayP3)
        #expect(try PNGPlanes(Self.ramp(wide, .sRGB).bytes).tag == .sRGB)
        let profile = Self.profile()
        #expect(try PNGPlanes(Self.ramp(wide, .profile(profile)).bytes).tag == .profile(profile))
    }

    @Test("cICP goes before all others, and is read as in AVIF, unless it is unspecified or not supported")
    func readsCodePoints() throws {
        let profile = PNGFile.Chunk.profile(Self.profile())
        func tag(_ points: [UInt8], _ chunks: PNGFile.Chunk...) throws -> ColourTag {
            var file = Self.ramp(.gamma(1), .sRGB, profile, .init("cICP", points))
            file.beforePalette += chunks
            return try PNGPlanes(file.bytes).tag
        }
        let wide = HighDynamicRangeTests.bt2020
        #expect(try tag([12, 13, 0, 1]) == .displayP3)
        #expect(try tag([1, 13, 0, 1]) == .sRGB)
        #expect(try tag([1, 4, 0, 1]) == .sRGB, "gamma 2.2")
        #expect(try tag([9, 1, 0, 1]) == .chromaticities(wide))
        #expect(try tag([9, 16, 0, 1]) == .curved(.pq(peak: 1000), wide))
        #expect(try tag([9, 18, 0, 1]) == .curved(.hlg, wide))
        let light = PNGFile.Chunk("cLLI", PNGFile.number(4_000_000) + PNGFile.number(100))
        let display = PNGFile.Chunk(
            "mDCV", [UInt8](repeating: 1, count: 16) + PNGFile.number(6_000_000) + [0, 0, 0, 1])
        #expect(try tag([9, 16, 0, 1], display) == .curved(.pq(peak: 600), wide))
        #expect(try tag([9, 16, 0, 1], display, light) == .curved(.pq(peak: 400), wide))
        for points in [
            [9, 16, 9, 1], [9, 16, 0, 2], [9, 17, 0, 1], [99, 13, 0, 1], [9, 16, 0], [], [2, 2, 0, 1], [2, 13, 0, 1],
            [12, 2, 0, 1], [0, 13, 0, 1], [1, 3, 0, 1],
        ] as [[UInt8]] {
            #expect(try tag(points) == .profile(Self.profile()), "\(points)")
        }
    }

    @Test("cICP goes before gAMA and cHRM, and applies its own power to all of 16 bits")
    func prefersCodePoints() throws {
        let wide = PNGFile.Chunk.chromaticities(Self.displayP3)
        func planes(_ points: [UInt8]) throws -> PNGPlanes {
            try PNGPlanes(Self.ramp(.gamma(0.625), wide, .init("cICP", points)).bytes)
        }
        let plain = try planes([1, 4, 0, 1])
        #expect(plain.tag == .sRGB && plain.planes[0].elementsEqual(0...255))
        for (transfer, exponent) in [(UInt8(8), 1), (5, 1 / 2.8)] {
            let decoded = try planes([12, transfer, 0, 1])
            #expect(decoded.tag == .displayP3)
            let expected = (0...255).map { Self.corrected($0, exponent: exponent) }
            #expect(zip(decoded.planes[0], expected).allSatisfy { abs(Int($0) - $1) <= 1 })
        }
    }

    @Test("PQ and HLG in PNG get tones of a standard display, as gray, RGB and with alpha", arguments: [0, 2, 4, 6])
    func mapsTones(colourType: Int) throws {
        for (transfer, level, expected) in [(UInt8(16), 148, 229), (18, 191, 229)] {
            var file = PNGFile(width: 40, height: 30, colourType: colourType)
            file.sample = { _, _, channel in colourType == 4 && channel == 1 || channel == 3 ? 255 : level }
            file.beforePalette = [.init("cICP", [9, transfer, 0, 1])]
            for format in OutputFormat.quick {
                let pixels = try file.bytes.rendered(width: 20, format: format).bytes.pixels()
                #expect(pixels[9, 9].prefix(pixels.channels == 1 ? 1 : 3).allSatisfy { abs(Int($0) - expected) <= 3 })
            }
        }
    }

    @Test("a limited range of cICP becomes the whole one", arguments: [0, 2, 6])
    func expandsRange(colourType: Int) throws {
        var file = PNGFile(width: 40, height: 30, colourType: colourType)
        file.beforePalette = [.init("cICP", [1, 13, 0, 0])]
        for (level, expected) in [(16, 0), (126, 128), (235, 255)] {
            file.sample = { _, _, channel in channel == 3 ? 255 : level }
            for format in OutputFormat.quick {
                let pixels = try file.bytes.rendered(width: 20, format: format).bytes.pixels()
                #expect(pixels[9, 9].prefix(pixels.channels == 1 ? 1 : 3).allSatisfy { abs(Int($0) - expected) <= 3 })
            }
        }
    }

    @Test("a profile comes out whole, and the header has it")
    func readsProfile() throws {
        let profile = Self.profile(byteCount: 70_000)
        let file = Self.ramp(.sRGB, .profile(profile))
        #expect(try file.bytes.header().hasICCProfile)
        #expect(try PNGPlanes(file.bytes).tag == .profile(profile))
    }

    @Test("a profile that is broken is as good as none")
    func ignoresBrokenProfiles() throws {
        let good = PNGFile.Chunk.profile(Self.profile())
        var broken = [good, good, good, good, good]
        broken[0].checksumError = 1
        broken[1].payload.removeLast(80)
        broken[2].payload[6] = 0xFF
        broken[3].payload[5] = 1
        broken[4].payload = []
        broken.append(.profile(Self.profile(says: 100_000)))
        broken.append(.profile([UInt8](repeating: 7, count: 200)))
        for chunk in broken {
            #expect(try PNGPlanes(Self.ramp(chunk, .sRGB).bytes).tag == .sRGB)
            let gray = try PNGPlanes(Self.ramp(chunk, .gamma(1)).bytes).planes[0]
            #expect(gray[100] == UInt8(Self.corrected(100, exponent: 1)))
        }
    }

    @Test("a profile that says to be huge is over the limit, before all of it is inflated")
    func limitsProfiles() throws {
        var limits = CodecLimits()
        limits.maxProfileBytes = 2000
        // The bytes suffice for the profile's list of tags, but not for the rest.
        let bytes = Self.ramp(.profile(Self.profile(byteCount: 1332, says: 2001))).bytes
        #expect(throws: CodecError.overLimit(.profileBytes, value: 2001, limit: 2000)) {
            try PNGPlanes(bytes, limits: limits)
        }
        let small = Self.ramp(.profile(Self.profile(byteCount: 1000))).bytes
        #expect(throws: Never.self) { try PNGPlanes(small, limits: limits) }
    }

    @Test("an orientation counts before and after the picture", arguments: Orientation.allCases, [false, true])
    func readsOrientation(orientation: Orientation, isLate: Bool) throws {
        var file = PNGFile(width: 6, height: 4, colourType: 0)
        if isLate {
            file.afterData = [.orientation(orientation)]
        } else {
            file.beforeData = [.orientation(orientation)]
        }
        #expect(try file.bytes.header().orientation == orientation)
        let size = try file.bytes.rendered(width: nil, format: .png).size
        #expect([size.width, size.height] == (orientation.rawValue >= 5 ? [4, 6] : [6, 4]))
        guard !isLate else { return }
        guard case .header(let header) = try file.bytes.probed() else { throw CodecError.truncated }
        #expect(header.orientation == orientation)
    }

    @Test("the first orientation counts, and none with a wrong checksum")
    func ignoresOtherOrientations() throws {
        var file = PNGFile(width: 6, height: 4, colourType: 0)
        file.beforeData = [.orientation(.mirrored, checksumError: 3), .orientation(.turnedLeft)]
        file.afterData = [.orientation(.upsideDown)]
        #expect(try file.bytes.header().orientation == .turnedLeft)
    }
}
