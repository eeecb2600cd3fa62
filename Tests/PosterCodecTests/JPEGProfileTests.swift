import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct JPEGProfileTests {
    static let picture = FormulaPicture.gradient(width: 64, height: 48)

    static func rgb(_ colour: [UInt8], _ profile: ICCProfile?) -> [UInt8] {
        var file = JPEGColourTests.plain(colour, factors: [(1, 1), (1, 1), (1, 1)], transform: 0)
        if let profile { file.segments += JPEGSegment.profile(profile.bytes) }
        return file.bytes
    }

    @Test("an RGB profile is applied", arguments: zip(ColourTransformTests.colours, ColourTransformTests.displayP3))
    func appliesRGB(colour: [UInt8], expected: [UInt8]) throws {
        for width in [37, 11] {
            let pixels = try Self.rgb(colour, .displayP3()).pixels(RenderTarget(width: width, format: .png))
            #expect(pixels.distance(to: expected) <= 1)
        }
        let encoded = try Self.rgb(colour, .displayP3()).rendered(width: 30).bytes
        #expect(try encoded.pixels().distance(to: expected) <= 4)
        #expect(try !encoded.header().hasICCProfile, "what was converted is tagged no more")
    }

    @Test("a profile is applied to Y′CbCr, too")
    func appliesToYCbCr() throws {
        // (200, 100, 50) as Y′CbCr.
        var file = BlockJPEG(width: 37, height: 53)
        file.value = { component, _, _ in [124, 86, 182][component] }
        file.segments = [.jfif] + JPEGSegment.profile(ICCProfile.displayP3().bytes)
        let pixels = try file.bytes.pixels(RenderTarget(width: 20, format: .png))
        #expect(pixels.distance(to: [215, 93, 31]) <= 2)
    }

    @Test("a profile of inks is applied", arguments: zip(ColourTransformTests.inks, ColourTransformTests.printed))
    func appliesCMYK(inks: [UInt8], expected: [UInt8]) throws {
        for factors in JPEGColourTests.inkFactors {
            var file = JPEGColourTests.plain(inks.map { 255 - $0 }, factors: factors, transform: 0)
            file.segments += JPEGSegment.profile(ICCProfile.cmyk().bytes, parts: 3)
            let pixels = try file.bytes.pixels(RenderTarget(width: 20, format: .png))
            #expect(pixels.distance(to: expected) <= 2)
        }
    }

    @Test("a gray profile is applied, and gray stays gray", arguments: [(0, 0), (64, 81), (128, 146), (255, 255)])
    func appliesGray(level: UInt8, expected: UInt8) throws {
        var file = JPEGColourTests.plain([level], factors: [(1, 1)], transform: nil)
        file.segments = JPEGSegment.profile(ICCProfile.gray(.gamma(1.8)).bytes)
        let pixels = try file.bytes.pixels(RenderTarget(width: 20, format: .png))
        #expect(pixels.channels == 1)
        #expect(pixels.distance(to: [expected]) <= 1)
        #expect(try file.bytes.rendered(width: 20).bytes.header().colourModel == .gray)
    }

    @Test("tagged sRGB is rendered as if it were not tagged", arguments: [2, 4] as [UInt8], OutputFormat.lossy)
    func dropsSRGB(version: UInt8, format: OutputFormat) throws {
        let file = try Self.picture.jpeg()
        let tagged = file.splicing(JPEGSegment.profile(ICCProfile.sRGB(version: version).bytes))
        #expect(try tagged.header().hasICCProfile)
        #expect(try tagged.rendered(width: 30, format: format).bytes == file.rendered(width: 30, format: format).bytes)
    }

    @Test("a profile in several segments is put together in whatever order they come")
    func assemblesSegments() throws {
        let file = Self.rgb([200, 100, 50], nil)
        let whole = try file.splicing(JPEGSegment.profile(ICCProfile.displayP3().bytes)).pixels()
        #expect(whole.distance(to: [215, 93, 31]) <= 1)
        for count in [2, 3, 40] {
            let parts = JPEGSegment.profile(ICCProfile.displayP3().bytes, parts: count)
            for order in [parts, parts.reversed(), Array(parts.dropFirst()) + parts.prefix(1)] {
                #expect(try file.splicing(order).pixels().samples == whole.samples)
            }
        }
    }

    @Test("segments that make no whole profile are as good as none")
    func ignoresPieces() throws {
        let file = Self.rgb([200, 100, 50], nil)
        let plain = try file.pixels()
        let parts = JPEGSegment.profile(ICCProfile.displayP3().bytes, parts: 3)
        var miscounted = parts
        miscounted[1].payload[13] = 4
        var zeroth = parts
        zeroth[0].payload[12] = 0
        let broken = [
            Array(parts.dropLast()), Array(parts.dropFirst()), parts + parts.prefix(1), [parts[0], parts[0], parts[2]],
            miscounted, zeroth, JPEGSegment.profile([], parts: 1), JPEGSegment.profile([1, 2, 3], parts: 1),
        ]
        for (index, segments) in broken.enumerated() {
            #expect(try file.splicing(segments).pixels().samples == plain.samples, "case \(index)")
        }
    }

    @Test("a profile of other pixels is as good as none")
    func ignoresOtherSpaces() throws {
        let file = Self.rgb([200, 100, 50], nil)
        for profile in [ICCProfile.gray(.gamma(1.8)), .cmyk()] {
            let tagged = file.splicing(JPEGSegment.profile(profile.bytes, parts: 2))
            #expect(try tagged.pixels().samples == file.pixels().samples)
        }
    }

    @Test("a profile over the limit is refused, one at the limit is not")
    func limitsProfiles() throws {
        let profile = ICCProfile.displayP3().bytes
        let file = try Self.picture.jpeg().splicing(JPEGSegment.profile(profile, parts: 2))
        var limits = CodecLimits()
        limits.maxProfileBytes = profile.count
        #expect(throws: Never.self) { try file.rendered(width: 20, limits: limits) }
        limits.maxProfileBytes -= 1
        #expect(throws: CodecError.overLimit(.profileBytes, value: profile.count, limit: profile.count - 1)) {
            try file.rendered(width: 20, limits: limits)
        }
    }
}

extension OutputFormat {
    /// The formats that encode planes.
    static var lossy: [OutputFormat] { [.jpeg, .webp] }
}
