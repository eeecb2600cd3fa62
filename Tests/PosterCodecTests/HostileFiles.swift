import CPosterCodecs
import CodecTesting
import Testing

@testable import PosterCodec

/// Files that cost more than their size suggests, each valid in its format: for tests, for the fuzzer and for
/// `poster-bench survive`.
enum HostileFiles {
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () throws -> [UInt8]

        var testDescription: String { self.name }
    }

    /// Profiles near the limit of 4 MiB.
    static let profiles: [(name: String, make: @Sendable () -> ICCProfile)] = [
        ("table8-perceptual", { .tables([("A2B0", ICCProfile.table8(inputs: 3, outputs: 3, grid: 110))]) }),
        ("table8-colorimetric", { .tables([("A2B1", ICCProfile.table8(inputs: 3, outputs: 3, grid: 110))]) }),
        (
            "table8-shared",
            {
                let table = ICCProfile.table8(inputs: 3, outputs: 3, grid: 110)
                return .tables([("A2B0", table), ("A2B1", table), ("A2B2", table)])
            }
        ),
        (
            "table8-three",
            {
                .tables(
                    ["A2B0", "A2B1", "A2B2"].enumerated().map {
                        ($1, ICCProfile.table8(inputs: 3, outputs: 3, grid: 76, seed: UInt64($0)))
                    })
            }
        ),
        ("table16", { .tables([("A2B1", ICCProfile.table16(inputs: 3, outputs: 3, grid: 88))]) }),
        (
            "table16-curves",
            { .tables([("A2B1", ICCProfile.table16(inputs: 3, outputs: 3, grid: 80, entries: 0x7FFF))]) }
        ),
        (
            "table-a-to-b",
            {
                let table = ICCProfile.tableAToB(
                    inputs: 3, outputs: 3, grid: 108, precision: 1, curve: ICCProfile.curve(entries: 0x7FFF),
                    sharesCurves: true)
                return .tables([("A2B0", table), ("A2B1", table)], deviceClass: "prtr", version: 4)
            }
        ),
        (
            "curves",
            {
                let table = ICCProfile.tableAToB(
                    inputs: 3, outputs: 3, grid: 2, precision: 2, curve: ICCProfile.curve(entries: 0x7FFF),
                    sharesCurves: true)
                return .tables([("A2B1", table)], version: 4)
            }
        ),
        (
            "hidden",
            {
                .tables([
                    ("A2B1", ICCProfile.table8(inputs: 3, outputs: 3, grid: 110)),
                    ("D2B0", ICCProfile.padding(1, byteCount: 1000)),
                ])
            }
        ),
    ]

    /// The same for four inks, which only JPEGs support.
    static let inkProfiles: [(name: String, make: @Sendable () -> ICCProfile)] = [
        (
            "inks",
            {
                let forth = ICCProfile.table8(inputs: 4, outputs: 3, grid: 27)
                let back = ICCProfile.table8(inputs: 3, outputs: 4, grid: 73)
                return .tables([("A2B0", forth), ("A2B1", forth), ("B2A0", back)], space: "CMYK", deviceClass: "prtr")
            }
        ),
        (
            "inks-back",
            {
                let forth = ICCProfile.table8(inputs: 4, outputs: 3, grid: 5)
                let back = ICCProfile.table8(inputs: 3, outputs: 4, grid: 100)
                return .tables([("A2B0", forth), ("A2B1", forth), ("B2A0", back)], space: "CMYK", deviceClass: "prtr")
            }
        ),
    ]

    /// The beginning of a profile that declares 4 MiB.
    static let promise: [UInt8] = {
        var bytes = PNGFile.number(4 << 20) + [UInt8](repeating: 0, count: ICCTagTable.maxLength - 4)
        bytes.replaceSubrange(36..<40, with: "acsp".utf8)
        return bytes
    }()

    private static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        let covered = Array(type.utf8) + payload
        return PNGFile.number(payload.count) + covered + PNGFile.number(Int(poster_crc32(covered, covered.count)))
    }

    /// A PNG of 64×64 pixels with one more chunk, or with other data.
    private static func png(with chunk: [UInt8] = [], data: [UInt8]? = nil) -> [UInt8] {
        let file = PNGFile(width: 64, height: 64)
        let (bytes, headerEnd) = (file.bytes, PNGFile.signature.count + 25)
        guard let data else { return Array(bytes.prefix(headerEnd)) + chunk + Array(bytes.dropFirst(headerEnd)) }
        return Array(bytes.prefix(headerEnd)) + chunk + Self.chunk("IDAT", data) + Array(bytes.suffix(12))
    }

    /// - Parameter stream: The profile's zlib stream.
    static func png(profileStream stream: [UInt8]) -> [UInt8] {
        self.png(with: Self.chunk("iCCP", Array("x".utf8) + [0, 0] + stream))
    }

    /// A PNG with a profile in an unterminated stream of stored blocks.
    static func png(profile: [UInt8]) -> [UInt8] {
        self.png(profileStream: DeflateWriter.emptyBlocks(after: profile, byteCount: 0))
    }

    /// A PNG with empty blocks before its rows.
    static func png(emptyDataBytes count: Int) -> [UInt8] {
        let rows = PNGFile(width: 64, height: 64).rows
        var end = DeflateWriter(header: [])
        end.putStored(rows, isLast: true)
        let stream = DeflateWriter.emptyBlocks(after: [], byteCount: count) + end.bytes
        return self.png(data: stream + PNGFile.number(Int(DeflateWriter.adler(rows))))
    }

    static let all: [File] =
        Self.profiles.map { profile in
            File(name: "png-profile-\(profile.name)") { Self.png(profile: profile.make().bytes) }
        }
        + Self.profiles.prefix(2).map { profile in
            File(name: "jpeg-profile-\(profile.name)") {
                try FormulaPicture.gradient(width: 64, height: 64).jpeg().splicing(
                    JPEGSegment.profile(profile.make().bytes, parts: 70))
            }
        }
        + Self.inkProfiles.map { profile in
            File(name: "jpeg-profile-\(profile.name)") {
                var file = JPEGColourTests.plain(
                    [10, 20, 30, 40], factors: JPEGColourTests.inkFactors[0], transform: 0)
                file.segments += JPEGSegment.profile(profile.make().bytes, parts: 70)
                return file.bytes
            }
        }
        + [
            File(name: "png-profile-empty-blocks") {
                Self.png(profileStream: DeflateWriter.emptyBlocks(after: Self.promise, byteCount: (8 << 20) - 4096))
            },
            File(name: "png-profile-empty-blocks-first") {
                Self.png(profileStream: DeflateWriter.emptyBlocks(after: [], byteCount: (8 << 20) - 4096))
            },
            File(name: "png-data-empty-blocks") { Self.png(emptyDataBytes: 4 << 20) },
            File(name: "webp-prefix-codes") {
                WebPFile(.init("VP8L", VP8LPicture(width: 512, height: 512, groupCount: 4096).bytes)).bytes
            },
            File(name: "webp-prefix-codes-cache") {
                var picture = VP8LPicture(width: 256, height: 256, groupCount: 2048)
                picture.cacheBits = 11
                return WebPFile(.init("VP8L", picture.bytes)).bytes
            },
            File(name: "webp-alpha-prefix-codes") {
                let alpha = VP8LPicture(width: 512, height: 512, groupCount: 4096).alphaBytes
                return WebPFile(.canvas(.alpha, 512, 512), .init("ALPH", alpha), try WebPHeaderTests.lossy(512, 512))
                    .bytes
            },
        ] + Self.avif + Self.heic + Self.gif
}
