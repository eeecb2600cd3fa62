import CodecTesting
import Testing

@testable import PosterCodec

/// Prefix-code groups are counted before libwebp gets a file, as it builds tables for each.
@Suite(.computingThread) struct WebPPrefixCodeTests {
    typealias Chunk = WebPFile.Chunk
    typealias Codes = ImageHeader.PrefixCodes

    static func file(_ picture: VP8LPicture) -> [UInt8] {
        WebPFile(Chunk("VP8L", picture.bytes)).bytes
    }

    /// A lossy picture with this alpha; optionally the first frame of an animation.
    static func alphaFile(_ picture: VP8LPicture, isAnimated: Bool = false) throws -> [UInt8] {
        let (width, height) = (picture.width, picture.height)
        let parts = [
            Chunk("ALPH", picture.alphaBytes),
            try .lossy(.plain(width: width, height: height, colour: .init(luma: 90))),
        ]
        guard isAnimated else { return WebPFile(.canvas(.alpha, width, height), parts[0], parts[1]).bytes }
        return WebPFile(
            .canvas([.alpha, .animation], width, height), Chunk("ANIM", [0, 0, 0, 0, 0, 0]),
            .frame(width, height, parts[0], parts[1])
        ).bytes
    }

    static func changed(_ picture: VP8LPicture, _ change: (inout VP8LPicture) -> Void) -> VP8LPicture {
        var picture = picture
        change(&picture)
        return picture
    }

    /// Variants of the data before the entropy image, and of its coding.
    static let variants: [(String, VP8LPicture)] = {
        let plain = VP8LPicture(width: 61, height: 47, groupCount: 150)
        return [
            ("plain", plain), ("one group", Self.changed(plain) { $0.groupCount = 1 }),
            ("sparse", Self.changed(plain) { ($0.isSparse, $0.groupCount) = (true, 900) }),
            ("large blocks", Self.changed(plain) { ($0.blockBits, $0.groupCount) = (4, 12) }),
            ("a colour cache", Self.changed(plain) { $0.cacheBits = 11 }),
            ("the images' own colour caches", Self.changed(plain) { $0.inheritedCacheBits = 3 }),
            ("green subtracted", Self.changed(plain) { $0.transforms = [.subtractGreen] }),
            (
                "three transforms",
                Self.changed(plain) {
                    $0.transforms = [.predictor(blockBits: 3), .subtractGreen, .colour(blockBits: 2)]
                }
            ), ("a large palette", Self.changed(plain) { $0.transforms = [.palette(colours: 255)] }),
            (
                "pixels that share a byte, and then a predictor",
                Self.changed(plain) {
                    $0.transforms = [.palette(colours: 3), .predictor(blockBits: 2)]
                    $0.groupCount = 40
                }
            ),
        ]
    }()

    @Test("groups are counted whatever comes before them", arguments: variants.indices)
    func counts(index: Int) throws {
        let (name, picture) = Self.variants[index]
        let expected = Codes(groupCount: picture.groupCount, colourCacheBits: picture.cacheBits)
        let lossless = Self.file(picture)
        #expect(try lossless.header().prefixCodes == expected, "\(name)")
        // libwebp finds the same codes: the picture is whole.
        #expect(throws: Never.self, "\(name)") { try lossless.rendered(width: 20) }
        for isAnimated in [false, true] {
            let alpha = try Self.alphaFile(picture, isAnimated: isAnimated)
            #expect(try alpha.header().prefixCodes == expected, "alpha, \(name)")
            #expect(throws: Never.self, "alpha, \(name)") { try alpha.rendered(width: 20) }
        }
    }

    @Test("the end of the codes is found to the byte", arguments: variants.indices, [0, 1])
    func findsEnd(index: Int, hasHeavyCodes: Int) throws {
        var (name, picture) = Self.variants[index]
        if hasHeavyCodes == 1 { picture.codes = VP8LPicture.heavyCodes(cacheBits: picture.cacheBits) }
        let bytes = picture.bytes
        try bytes.span.bytes.withUnsafeBytes { buffer in
            var header = try WebPLosslessHeader(
                buffer, in: 5..<bytes.count, width: picture.width, height: picture.height, watch: nil)
            #expect(try header.skipCodes() == bytes.count, "\(name)")
        }
    }

    @Test("other pictures have no groups")
    func countsNone() throws {
        let lossy = try Chunk.lossy(.waves(width: 12, height: 10))
        #expect(try WebPFile(lossy).bytes.header().prefixCodes == nil)
        let plain = WebPFile(.canvas(.alpha, 12, 10), .alpha([UInt8](repeating: 9, count: 120)), lossy).bytes
        #expect(try plain.header().prefixCodes == Codes(groupCount: 0, colourCacheBits: 0))
        #expect(try FormulaPicture.gradient(width: 9, height: 9).jpeg().header().prefixCodes == nil)
    }

    /// libwebp uses the last of several chunks.
    @Test("of two alpha planes the one is counted that is decoded")
    func countsLastAlpha() throws {
        let lossy = try Chunk.lossy(.waves(width: 64, height: 64))
        let bomb = Chunk("ALPH", VP8LPicture(width: 64, height: 64, groupCount: 200).alphaBytes)
        let plain = Chunk("ALPH", VP8LPicture(width: 64, height: 64).alphaBytes)
        let canvas = Chunk.canvas(.alpha, 64, 64)
        #expect(try WebPFile(canvas, plain, bomb, lossy).bytes.header().prefixCodes?.groupCount == 200)
        #expect(try WebPFile(canvas, bomb, plain, lossy).bytes.header().prefixCodes?.groupCount == 1)
    }

    @Test("more groups than allowed are refused before libwebp sees them, by inspecting, planning and rendering")
    func holdsLimit() throws {
        let picture = VP8LPicture(width: 300, height: 300, groupCount: 4097)
        let refusal = CodecError.overLimit(.prefixCodeGroups, value: 4097, limit: 4096)
        for bytes in [Self.file(picture), try Self.alphaFile(picture), try Self.alphaFile(picture, isAnimated: true)] {
            #expect(throws: refusal) { try bytes.header() }
            var limits = CodecLimits()
            limits.maxPrefixCodeGroups = 4097
            let header = try bytes.header(limits: limits)
            let target = RenderTarget(width: 10, format: .jpeg)
            #expect(throws: refusal) { try RenderPlan(header, target: target) }
            let plan = try RenderPlan(header, target: target, limits: limits)
            #expect(throws: refusal) { try bytes.rendered(as: plan) }
            #expect(throws: Never.self) { try bytes.rendered(as: plan, limits: limits) }
        }
        #expect("\(refusal)" == "over the limit of prefix-code groups: it has 4097, the maximum is 4096")
    }

    @Test("a plan made from the file's beginning expects as many groups as are allowed, and rendering counts them")
    func plansFromBeginning() throws {
        let bytes = Self.file(VP8LPicture(width: 300, height: 300, groupCount: 3000))
        guard case .header(let header) = try bytes.probed() else {
            Issue.record("no header")
            return
        }
        #expect(header.prefixCodes == nil)
        let target = RenderTarget(width: 10, format: .jpeg)
        let plan = try RenderPlan(header, target: target)
        #expect(plan.workingBytes > 4096 * 20_000)
        #expect(throws: Never.self) { try bytes.rendered(as: plan) }
        var limits = CodecLimits()
        limits.maxPrefixCodeGroups = 2999
        #expect(throws: CodecError.overLimit(.prefixCodeGroups, value: 3000, limit: 2999)) {
            try bytes.rendered(as: plan, limits: limits)
        }
    }

    @Test("another file with more groups than the planned one is refused")
    func refusesOtherGroups() throws {
        let plan = try Self.file(VP8LPicture(width: 64, height: 64, groupCount: 2)).plan(width: 8)
        let other = Self.file(VP8LPicture(width: 64, height: 64, groupCount: 256))
        #expect(throws: CodecError.damaged(reason: "the WebP is not the planned one")) { try other.rendered(as: plan) }
    }

    @Test("impossible codes are damage", arguments: [[1, 1, 1], [2, 2, 2], [0, 0, 0], [15, 15, 0], [1, 2, 0]])
    func refusesCodes(lengths: [Int]) throws {
        var picture = VP8LPicture(width: 64, height: 64, groupCount: 2)
        picture.codes = [
            .init(lengths: lengths + [Int](repeating: 0, count: 277)), .only(0), .only(0), .only(0), .distances,
        ]
        let bytes = Self.file(picture)
        let plan = try bytes.plan(width: 8)
        #expect(throws: CodecError.damaged(reason: "a lossless WebP with an impossible prefix code")) {
            try bytes.rendered(as: plan)
        }
    }
}

@Suite(.computingThread, .enabled(if: !Corpus.folders.isEmpty, "there is no corpus beside the repository"))
struct WebPPrefixCodeCorpusTests {
    @Test("real pictures and libwebp's test vectors have far fewer groups than the limit")
    func countsFew() throws {
        var largest = 0
        for folder in Corpus.folders where !folder.hasPrefix("hostile") {
            for path in Corpus.files(in: folder) {
                let bytes = try Corpus.bytes(of: path)
                guard bytes.starts(with: "RIFF".utf8), let codes = try? bytes.header().prefixCodes else { continue }
                largest = max(largest, codes.groupCount)
                #expect(codes.groupCount <= 1000, "\(path)")
            }
        }
        #expect(largest > 0)
    }
}
