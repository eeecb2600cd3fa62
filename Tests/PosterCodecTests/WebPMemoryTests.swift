import CodecTesting
import Testing

@testable import PosterCodec

/// Memory that libwebp may allocate for prefix codes is part of the estimate that limits are checked with.
@Suite struct WebPMemoryTests {
    static func header(
        _ width: Int, _ height: Int, groups: Int?, cacheBits: Int = 0, isLossless: Bool = true, hasAlpha: Bool = false
    ) throws -> ImageHeader {
        let bytes = WebPFile(.init("VP8L", VP8LPicture(width: width, height: height).bytes)).bytes
        var header = try bytes.header()
        (header.isLossless, header.hasAlpha) = (isLossless, hasAlpha)
        header.prefixCodes = groups.map { .init(groupCount: $0, colourCacheBits: cacheBits) }
        return header
    }

    static func estimate(_ header: ImageHeader) -> Int {
        WebPMemoryEstimate(source: header, maxPrefixCodeGroups: 4096).bytes
    }

    /// libwebp 1.2.4: 552 bytes and five tables of at least 256 entries, of four bytes each, for a group.
    @Test("each group counts at least its smallest tables, and with a colour cache much more")
    func countsGroups() throws {
        let one = Self.estimate(try Self.header(1024, 1024, groups: 1))
        let many = Self.estimate(try Self.header(1024, 1024, groups: 4096))
        let least = 552 + 5 * 1024
        #expect((4095 * least...4095 * 16_000).contains(many - one))
        let cached = Self.estimate(try Self.header(1024, 1024, groups: 4096, cacheBits: 11))
        let leastCached = 552 + 4 * 2560
        #expect((4095 * leastCached...4095 * 24_000).contains(cached - one))
    }

    @Test("unknown groups count as if all that are allowed were there, with the largest colour cache")
    func assumesMost() throws {
        for (isLossless, hasAlpha) in [(true, false), (true, true), (false, true)] {
            func estimate(_ groups: Int?) throws -> Int {
                Self.estimate(
                    try Self.header(
                        640, 480, groups: groups, cacheBits: 11, isLossless: isLossless, hasAlpha: hasAlpha))
            }
            #expect(try estimate(nil) == estimate(4096))
            #expect(try estimate(1) < estimate(nil))
        }
        #expect(
            try Self.estimate(Self.header(640, 480, groups: nil, isLossless: false))
                == Self.estimate(Self.header(640, 480, groups: 1, isLossless: false)))
    }

    @Test("a picture of one row counts the seventeen that libwebp holds", arguments: [(16383, 1), (1, 16383), (1, 1)])
    func countsNarrowPictures(size: (Int, Int)) throws {
        let (width, height) = size
        #expect(Self.estimate(try Self.header(width, height, groups: 1)) >= 4 * (width * height + 17 * width))
    }

    @Test("alpha without compression has no tables")
    func countsPlainAlpha() throws {
        let none = Self.estimate(try Self.header(640, 480, groups: 0, isLossless: false, hasAlpha: true))
        let one = Self.estimate(try Self.header(640, 480, groups: 1, isLossless: false, hasAlpha: true))
        #expect(one - none >= 4 * 640 * 480)
    }

    @Test("groups that fit their limit are refused when their tables are over that of memory")
    func holdsMemoryLimit() throws {
        var picture = VP8LPicture(width: 300, height: 300, groupCount: 4096)
        picture.cacheBits = 11
        let bytes = WebPFile(.init("VP8L", picture.bytes)).bytes
        var limits = CodecLimits()
        limits.maxWorkingBytes = 64 << 20
        let error = #expect(throws: CodecError.self) { try bytes.plan(width: 10, limits: limits) }
        guard case .overLimit(.workingMemory, let value, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(value > 4096 * 20_000)
        #expect(try bytes.plan(width: 10).workingBytes == value)
    }
}
