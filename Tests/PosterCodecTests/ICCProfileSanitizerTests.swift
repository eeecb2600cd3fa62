import CodecTesting
import Testing

@testable import PosterCodec

struct ICCProfileSanitizerTests {
    private static func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A table with a header that declares more data than there is.
    private static func table(_ type: String, inputs: UInt8, outputs: UInt8, grid: UInt8) -> [UInt8] {
        let head = Array(type.utf8) + Self.number(0, 4) + [inputs, outputs]
        switch type {
        case "mft1": return head + [grid, 0] + [UInt8](repeating: 0, count: 36 + 600)
        case "mft2": return head + [grid, 0] + [UInt8](repeating: 0, count: 36) + [0, 2, 0, 2] + [0, 0, 255, 255]
        default:
            let offsets = [32, 0, 0, 32, 32].flatMap { Self.number($0, 4) }
            return head + [0, 0] + offsets + [UInt8](repeating: grid, count: 16) + [1, 0, 0, 0, 0, 0]
        }
    }

    @Test("honest profiles are left as they are")
    func keepsHonestProfiles() {
        let all: [(ICCProfile, Int)] = [
            (.sRGB(), 3), (.sRGB(version: 4), 3), (.displayP3(), 3), (.adobeRGB(), 3), (.gray(.sRGB), 1), (.cmyk(), 4),
        ]
        for (profile, channels) in all {
            #expect(ICCProfileSanitizer.trimmed(profile.bytes, channels: channels) == profile.bytes, "\(profile)")
        }
    }

    @Test("lists of processing elements are hidden, and the rest of the profile is used")
    func hidesElements() throws {
        var profile = ICCProfile.displayP3()
        let plain = try #require(ColourTransform(.profile(profile.bytes), input: .rgb))
        // One element, referred to 20,000 times.
        let position = Self.number(16 + 8 * 20_000, 4) + Self.number(60, 4)
        var elements = Array("mpet".utf8) + Self.number(0, 4)
        elements += Self.number(3, 2) + Self.number(3, 2) + Self.number(20_000, 4)
        for _ in 0..<20_000 { elements += position }
        elements += Array("matf".utf8) + [UInt8](repeating: 0, count: 56)
        profile.tags += ["D2B0", "D2B1", "B2D0"].map { ($0, elements) }
        let trimmed = try #require(ICCProfileSanitizer.trimmed(profile.bytes, channels: 3))
        #expect(!String(decoding: trimmed.prefix(400), as: UTF8.self).contains("D2B"))
        let transform = try #require(ColourTransform(.profile(profile.bytes), input: .rgb))
        var (one, other) = ([UInt8](repeating: 0, count: 3), [UInt8](repeating: 0, count: 3))
        plain.apply([200, 30, 90], to: &one, count: 1)
        transform.apply([200, 30, 90], to: &other, count: 1)
        #expect(one == other)
    }

    @Test(
        "a table that says to be larger than it is makes the profile as good as none",
        arguments: ["mft1", "mft2", "mAB "], [(3, 15), (3, 3), (15, 3)])
    func refusesHollowTables(type: String, sides: (Int, Int)) {
        var profile = ICCProfile.displayP3()
        let table = Self.table(type, inputs: UInt8(sides.0), outputs: UInt8(sides.1), grid: 255)
        profile.tags.append(("A2B0", table))
        #expect(ICCProfileSanitizer.trimmed(profile.bytes, channels: 3) == nil)
        #expect(ColourTransform(.profile(profile.bytes), input: .rgb) == nil)
    }

    @Test("a profile of too many tags, or cut off, is none; a tag beyond its end is hidden")
    func refusesContradictions() throws {
        var profile = ICCProfile.displayP3()
        let bytes = profile.bytes
        for count in [0, 100, 131, 140] {
            #expect(ICCProfileSanitizer.trimmed(Array(bytes.prefix(count)), channels: 3) == nil)
        }
        var beyond = bytes
        beyond.replaceSubrange(132 + 8..<132 + 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
        let trimmed = try #require(ICCProfileSanitizer.trimmed(beyond, channels: 3))
        #expect(trimmed[132..<136].elementsEqual([0x78, 0x78, 0x30, 0]))
        for index in 0..<100 { profile.tags.append(("t\(100 + index)", [0, 0, 0, 0, 0, 0, 0, 0])) }
        #expect(ICCProfileSanitizer.trimmed(profile.bytes, channels: 3) == nil)
    }

    @Test("no change of a byte makes it trap")
    func survivesChanges() {
        var random = SeededRandom(seed: 11)
        for profile in [ICCProfile.displayP3(), .cmyk(), .gray(.sRGB)] {
            let bytes = profile.bytes
            for _ in 0..<2000 {
                var changed = bytes
                for _ in 0..<4 {
                    changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                for channels in [1, 3, 4] { _ = ICCProfileSanitizer.trimmed(changed, channels: channels) }
            }
        }
    }
}
