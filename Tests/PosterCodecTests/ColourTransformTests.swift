import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct ColourTransformTests {
    /// Colours; below, their conversions by Pillow's ImageCms (lcms 2.19; relative colorimetric, black point
    /// compensation).
    static let colours: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [128, 128, 128], [255, 0, 0], [0, 255, 0], [0, 0, 255], [200, 100, 50],
        [60, 120, 200], [20, 200, 90], [230, 220, 40],
    ]
    static let displayP3: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [128, 128, 128], [255, 0, 0], [0, 255, 0], [0, 0, 255], [215, 93, 31],
        [30, 122, 206], [0, 204, 73], [232, 220, 0],
    ]
    static let adobeRGB: [[UInt8]] = [
        [0, 0, 0], [255, 255, 255], [129, 129, 129], [255, 0, 0], [0, 255, 0], [0, 0, 255], [227, 100, 42],
        [0, 121, 204], [0, 201, 80], [234, 221, 0],
    ]
    /// 0 means no ink, as in Pillow.
    static let inks: [[UInt8]] = [
        [0, 0, 0, 0], [255, 0, 0, 0], [0, 255, 0, 0], [0, 0, 255, 0], [0, 0, 0, 255], [255, 255, 255, 255],
        [128, 64, 32, 16], [0, 200, 200, 0], [40, 30, 30, 120], [100, 100, 100, 100],
    ]
    static let printed: [[UInt8]] = [
        [255, 255, 255], [0, 151, 218], [216, 10, 122], [247, 224, 0], [37, 37, 37], [14, 14, 14], [129, 162, 194],
        [231, 95, 78], [125, 135, 140], [103, 131, 146],
    ]

    static func converted(_ pixels: [[UInt8]], by transform: ColourTransform) -> [[UInt8]] {
        var rgb = [UInt8](repeating: 0, count: 3 * pixels.count)
        transform.apply(pixels.flatMap(\.self), to: &rgb, count: pixels.count)
        return pixels.indices.map { Array(rgb[3 * $0..<3 * $0 + 3]) }
    }

    static func distance(_ one: [[UInt8]], _ other: [[UInt8]]) -> Int {
        zip(one.joined(), other.joined()).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    @Test(
        "RGB of other primaries is converted as other programs do it",
        arguments: [
            (ICCProfile.displayP3(), displayP3), (.displayP3(version: 2), displayP3), (.adobeRGB(), adobeRGB),
        ])
    func convertsRGB(profile: ICCProfile, expected: [[UInt8]]) throws {
        let transform = try #require(ColourTransformCache().transform(for: .profile(profile.bytes), input: .rgb))
        #expect(Self.distance(Self.converted(Self.colours, by: transform), expected) <= 1)
    }

    @Test("primaries by name of their chromaticities are converted as by a profile")
    func convertsChromaticities() throws {
        let tag = ColourTag.chromaticities(.displayP3)
        let transform = try #require(ColourTransformCache().transform(for: tag, input: .rgb))
        #expect(Self.distance(Self.converted(Self.colours, by: transform), Self.displayP3) <= 1)
        #expect(ColourTransformCache().transform(for: tag, input: .gray) == nil)
    }

    @Test("chromaticities that are no primaries are as good as none")
    func ignoresImpossibleChromaticities() {
        for coordinate in [0, 0.3] {
            let tag = ColourTag.chromaticities(ColourPrimaries([Double](repeating: coordinate, count: 8)))
            #expect(ColourTransformCache().transform(for: tag, input: .rgb) == nil)
        }
    }

    @Test("gray of another gamma is converted, and stays gray")
    func convertsGray() throws {
        let profile = ICCProfile.gray(.gamma(1.8))
        let transform = try #require(ColourTransformCache().transform(for: .profile(profile.bytes), input: .gray))
        let levels = try #require(transform.grayLevels)
        let expected = [0: 0, 1: 1, 10: 10, 32: 43, 64: 81, 100: 119, 128: 146, 160: 176, 200: 210, 240: 243, 255: 255]
        for (level, value) in expected { #expect(abs(Int(levels[level]) - value) <= 1, "level \(level)") }
    }

    @Test("inks are converted as other programs do it; 255 is no ink")
    func convertsCMYK() throws {
        let transform = try #require(
            ColourTransformCache().transform(for: .profile(ICCProfile.cmyk().bytes), input: .cmyk))
        let inverted = Self.inks.map { pixel in pixel.map { 255 - $0 } }
        #expect(Self.distance(Self.converted(inverted, by: transform), Self.printed) <= 2)
    }

    @Test("the darkest that a profile knows becomes black", arguments: [("prtr", [37, 14]), ("scnr", [32, 0])])
    func compensatesTheBlackPoint(deviceClass: String, levels: [UInt8]) throws {
        let profile = ICCProfile.cmyk(deviceClass: deviceClass)
        let transform = try #require(ColourTransformCache().transform(for: .profile(profile.bytes), input: .cmyk))
        let converted = Self.converted([[255, 255, 255, 0], [0, 0, 0, 0], [255, 255, 255, 255]], by: transform)
        let expected = (levels + [255]).map { [$0, $0, $0] }
        #expect(Self.distance(converted, expected) <= 1, "\(converted)")
    }

    @Test(
        "sRGB and its close cousins are recognised",
        arguments: [
            ICCProfile.sRGB(), .sRGB(version: 4), .gray(.sRGB), .gray(.sRGB, version: 4),
            .rgb(red: (0.6402, 0.3301), green: (0.2998, 0.6003), blue: (0.1501, 0.0599), curve: .sRGB),
        ])
    func recognisesSRGB(profile: ICCProfile) {
        let input: ColourTransform.Input = profile.space == "GRAY" ? .gray : .rgb
        #expect(ColourTransform(.profile(profile.bytes), input: input)?.changesNothing() == true)
        #expect(ColourTransformCache().transform(for: .profile(profile.bytes), input: input) == nil)
    }

    @Test(
        "what is visibly not sRGB is no cousin",
        arguments: [ICCProfile.sRGB(curve: .gamma(2.2)), .gray(.gamma(2.2)), .displayP3(), .cmyk()])
    func doesNotOverdoIt(profile: ICCProfile) throws {
        let input: ColourTransform.Input =
            profile.space == "GRAY" ? .gray : profile.space == "CMYK" ? .cmyk : .rgb
        let transform = try #require(ColourTransform(.profile(profile.bytes), input: input))
        #expect(!transform.changesNothing())
    }

    @Test("a profile of other pixels is as good as none", arguments: ["RGB ", "GRAY", "CMYK"])
    func ignoresOtherSpaces(space: String) {
        let profiles: [ICCProfile] = [.displayP3(), .gray(.gamma(1.8)), .cmyk()]
        let inputs: [(String, ColourTransform.Input)] = [("RGB ", .rgb), ("GRAY", .gray), ("CMYK", .cmyk)]
        for profile in profiles where profile.space != space {
            for (name, input) in inputs where name == space {
                #expect(ColourTransform(.profile(profile.bytes), input: input) == nil)
            }
        }
    }

    @Test("a broken profile is as good as none, and never a crash")
    func survivesBrokenProfiles() {
        let good = ICCProfile.displayP3().bytes
        for count in [0, 1, 127, 128, 131, 200, good.count / 2] {
            #expect(ColourTransform(.profile(Array(good.prefix(count))), input: .rgb) == nil, "\(count) bytes")
        }
        var link = ICCProfile.displayP3()
        link.deviceClass = "link"
        #expect(ColourTransform(.profile(link.bytes), input: .rgb) == nil)
        var random = SeededRandom(seed: 5)
        for profile in [ICCProfile.displayP3().bytes, ICCProfile.gray(.sRGB).bytes, ICCProfile.cmyk().bytes] {
            for _ in 0..<60 {
                var bytes = profile
                for _ in 0..<4 { bytes[Int.random(in: 0..<300, using: &random) % bytes.count] = random.next().byte }
                for input in [ColourTransform.Input.rgb, .gray, .cmyk] {
                    guard let transform = ColourTransform(.profile(bytes), input: input) else { continue }
                    _ = transform.changesNothing()
                }
            }
        }
    }
}

extension UInt64 {
    fileprivate var byte: UInt8 { UInt8(truncatingIfNeeded: self) }
}
