import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct WebPHeaderTests {
    typealias Chunk = WebPFile.Chunk

    static func lossy(_ width: Int, _ height: Int) throws -> Chunk {
        try .lossy(.gradient(width: width, height: height))
    }

    static func lossless(_ width: Int, _ height: Int, hasAlpha: Bool = false) -> Chunk {
        .lossless(width, height, hasAlpha: hasAlpha) { x, y in (UInt8(x), UInt8(y), 90, 200) }
    }

    @Test("a lossy file is 8-bit Y′CbCr 4:2:0", arguments: [(1, 1), (33, 47), (16, 16)])
    func readsLossy(size: (Int, Int)) throws {
        let header = try WebPFile(Self.lossy(size.0, size.1)).bytes.header()
        #expect(header.format == .webp)
        #expect((header.width, header.height) == size)
        #expect((header.colourModel, header.subsampling, header.bitDepth) == (.yCbCr, "4:2:0", 8))
        #expect(!header.isLossless && !header.hasAlpha && !header.hasICCProfile && !header.isProgressive)
        #expect((header.frameCount, header.orientation) == (1, .upright))
    }

    @Test("a lossless file is RGB, and says itself whether it has alpha", arguments: [true, false])
    func readsLossless(hasAlpha: Bool) throws {
        let header = try WebPFile(Self.lossless(9, 5, hasAlpha: hasAlpha)).bytes.header()
        #expect((header.width, header.height, header.colourModel) == (9, 5, .rgb))
        #expect(header.isLossless && header.sampling.isEmpty && header.hasAlpha == hasAlpha)
    }

    @Test("a few bytes are enough for the header of a simple file, and too few ask for more")
    func readsPrefixes() throws {
        for chunk in [try Self.lossy(40, 30), Self.lossless(40, 30)] {
            let file = WebPFile(chunk).bytes
            let whole = try file.probed()
            let needed = chunk.tag == "VP8L" ? 25 : 30
            for count in 12..<file.count {
                let answer = try Array(file.prefix(count)).probed()
                if count >= needed {
                    #expect(answer == whole)
                } else if case .needsMoreBytes(let least) = answer {
                    #expect(least > count && least <= needed)
                } else {
                    Issue.record("\(count) bytes are no header")
                }
            }
        }
    }

    @Test("the orientation comes after the picture, with JPEG's signature or without", arguments: [true, false])
    func findsOrientation(hasSignature: Bool) throws {
        let file = WebPFile(
            .canvas(.exif, 20, 30), try Self.lossy(20, 30), Chunk("XMP ", [1, 2, 3]),
            .exif(orientation: 6, hasSignature: hasSignature), Chunk("more")
        ).bytes
        #expect(try file.header().orientation == .turnedLeft)
        for count in 12..<file.count - 9 {
            guard case .needsMoreBytes(let least) = try Array(file.prefix(count)).probed() else {
                Issue.record("\(count) bytes are enough")
                continue
            }
            #expect(least > count && least <= file.count)
        }
        #expect(try Array(file.prefix(file.count - 8)).probed() == file.probed())
    }

    @Test("what the canvas does not promise is ignored")
    func ignoresWhatWasNotPromised() throws {
        let picture = try Self.lossy(20, 30)
        let file = WebPFile(
            .canvas([], 20, 30), Chunk("ICCP", [1, 2]), .alpha([UInt8](repeating: 7, count: 600)), picture,
            .exif(orientation: 6))
        let header = try file.bytes.header()
        #expect(!header.hasICCProfile && !header.hasAlpha && header.orientation == .upright)
        guard case .planes = try file.bytes.downsampled(width: nil) else {
            Issue.record("alpha was decoded")
            return
        }
    }

    @Test("chunks that VP8X announces and the file lacks are ignored")
    func toleratesMissingChunks() throws {
        let file = WebPFile(.canvas([.exif, .profile, .alpha], 20, 30), try Self.lossy(20, 30))
        let header = try file.bytes.header()
        #expect(!header.hasICCProfile && !header.hasAlpha && header.orientation == .upright)
    }

    @Test("a profile is found and handed out whole")
    func findsProfile() throws {
        let profile = (0..<77).map { UInt8($0) }
        let file = WebPFile(.canvas(.profile, 20, 30), Chunk("ICCP", profile), try Self.lossy(20, 30)).bytes
        #expect(try file.header().hasICCProfile)
        let plan = try file.plan(width: 10)
        var limits = CodecLimits()
        let tag = try Self.tag(of: file, plan: plan, limits: limits)
        #expect(tag == .profile(profile))
        limits.maxProfileBytes = 76
        #expect(throws: CodecError.overLimit(.profileBytes, value: 77, limit: 76)) {
            try Self.tag(of: file, plan: plan, limits: limits)
        }
    }

    static func tag(of file: [UInt8], plan: RenderPlan, limits: CodecLimits) throws(CodecError) -> ColourTag {
        try file.span.bytes.withUnsafeBytes { (buffer) throws(CodecError) -> ColourTag in
            let watch = RenderWatch(.init(), limits: limits)
            let reader = try WebPDecoder(buffer, plan.decoding, watch: watch)
            return reader.colourTag
        }
    }

    @Test("an animation's frames are counted; it has alpha when its first frame has, or does not fill the canvas")
    func readsAnimations() throws {
        let control = Chunk("ANIM", [0, 0, 0, 0, 0, 0])
        let small = Chunk.frame(x: 4, y: 6, 10, 12, try Self.lossy(10, 12))
        let large = Chunk.frame(20, 30, Chunk("????", [1]), try Self.lossy(20, 30))
        let lossless = Chunk.frame(20, 30, Self.lossless(20, 30, hasAlpha: true))
        let mixed = Chunk.frame(20, 30, .alpha([UInt8](repeating: 7, count: 600)), try Self.lossy(20, 30))
        let cases: [([Chunk], Bool, Bool)] = [
            ([small, large], true, false), ([large, small, small], false, false), ([lossless], true, true),
            ([mixed, large], true, false),
        ]
        for (frames, hasAlpha, isLossless) in cases {
            var file = WebPFile(.canvas([.animation, .alpha], 20, 30), control)
            file.chunks += frames
            let header = try file.bytes.header()
            #expect((header.width, header.height, header.frameCount) == (20, 30, frames.count))
            #expect((header.hasAlpha, header.isLossless) == (hasAlpha, isLossless))
        }
    }

    @Test("bytes after the file are allowed, missing ones of the picture are not")
    func toleratesTrailingBytes() throws {
        let file = WebPFile(try Self.lossy(20, 30)).bytes
        #expect(try (file + Array("<html>".utf8)).header() == file.header())
        #expect(throws: CodecError.truncated) { try Array(file.dropLast(2)).header() }
    }

    @Test("limits hold before anything is decoded")
    func holdsLimits() throws {
        let vast = Chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F, 0, 0])
        #expect(throws: CodecError.overLimit(.pixels, value: 16383 * 16383, limit: 100_000_000)) {
            try WebPFile(vast).bytes.header()
        }
        #expect(throws: CodecError.overLimit(.width, value: 1 << 20, limit: 65_500)) {
            try WebPFile(.canvas(.animation, 1 << 20, 16), .frame(16, 16, Self.lossy(16, 16))).bytes.header()
        }
        let one = Chunk.frame(1, 1, Self.lossless(1, 1))
        var film = WebPFile(.canvas(.animation, 1, 1))
        film.chunks += [Chunk](repeating: one, count: 10_001)
        let filmBytes = film.bytes
        #expect(throws: CodecError.overLimit(.frames, value: 10_001, limit: 10_000)) { try filmBytes.header() }
        var file = WebPFile(try Self.lossy(4, 4))
        file.chunks += [Chunk](repeating: Chunk("junk"), count: 100)
        let bytes = file.bytes
        var limits = CodecLimits()
        limits.maxChunks = 100
        #expect(throws: CodecError.overLimit(.chunks, value: 101, limit: 100)) { try bytes.header(limits: limits) }
        limits.maxChunks = 101
        #expect(try bytes.header(limits: limits).width == 4)
    }

    static let contradictions: [(String, [Chunk])] = [
        ("no chunk", []),
        ("an unknown first chunk", [Chunk("JUNK", [1, 2, 3, 4])]),
        ("a canvas alone", [.canvas([], 4, 4)]),
        ("a short canvas", [Chunk("VP8X", [0, 0, 0, 0, 3, 0, 0, 3, 0])]),
        ("a canvas that is too large", [.canvas([], 1 << 24, 1 << 24), Self.lossless(4, 4)]),
        ("a canvas of another size", [.canvas([], 4, 5), Self.lossless(4, 4)]),
        ("an animation without frames", [.canvas(.animation, 4, 4), Self.lossless(4, 4)]),
        ("a frame beyond its canvas", [.canvas(.animation, 4, 4), .frame(x: 2, 4, 4, Self.lossless(4, 4))]),
        ("a frame of another size", [.canvas(.animation, 4, 4), .frame(4, 4, Self.lossless(4, 3))]),
        ("a frame without a picture", [.canvas(.animation, 4, 4), .frame(4, 4, Chunk("????"))]),
        ("a frame without a header", [.canvas(.animation, 4, 4), Chunk("ANMF", [0, 0])]),
        ("a picture without a header", [Chunk("VP8L", [0x2F, 0, 0])]),
        ("a wrong signature", [Chunk("VP8L", [0x2E, 0, 0, 0, 0, 0])]),
        ("a frame that is no key frame", [Chunk("VP8 ", [0x11, 0, 0, 0x9D, 0x01, 0x2A, 4, 0, 4, 0])]),
        ("a frame that is not shown", [Chunk("VP8 ", [0x00, 0, 0, 0x9D, 0x01, 0x2A, 4, 0, 4, 0])]),
        ("no start code", [Chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2B, 4, 0, 4, 0])]),
        ("no width", [Chunk("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0, 0, 4, 0])]),
        ("a partition beyond its chunk", [Chunk("VP8 ", [0x50, 1, 0, 0x9D, 0x01, 0x2A, 4, 0, 4, 0])]),
    ]

    @Test("a file that contradicts itself is damaged", arguments: contradictions.indices)
    func refusesContradictions(index: Int) throws {
        let (name, chunks) = Self.contradictions[index]
        var file = WebPFile()
        file.chunks = chunks
        let bytes = file.bytes
        let error = #expect(throws: CodecError.self) { try bytes.header() }
        guard case .damaged = error else {
            Issue.record("\(name): \(String(describing: error))")
            return
        }
    }

    @Test("a chunk that reaches beyond the file's own size is damage")
    func refusesLongChunks() throws {
        var bytes = WebPFile(try Self.lossy(20, 30)).bytes
        bytes[16] &+= 2
        #expect(throws: CodecError.damaged(reason: "a WebP chunk reaches beyond its container")) { try bytes.header() }
    }

    @Test("unknown versions are not supported")
    func refusesUnknownVersions() {
        let lossless = WebPFile(Chunk("VP8L", [0x2F, 0, 0, 0, 0x20, 0])).bytes
        #expect(throws: CodecError.unsupported("lossless WebP of an unknown version")) { try lossless.header() }
        let lossy = WebPFile(Chunk("VP8 ", [0x18, 0, 0, 0x9D, 0x01, 0x2A, 4, 0, 4, 0])).bytes
        #expect(throws: CodecError.unsupported("WebP of an unknown VP8 version")) { try lossy.header() }
    }
}
