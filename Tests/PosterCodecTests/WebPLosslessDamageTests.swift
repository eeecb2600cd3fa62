import CPosterCodecs
import CodecTesting
import Testing

@testable import PosterCodec

/// Lossless data with several groups, transforms and colour caches: truncated, changed, or stopped.
@Suite(.computingThread) struct WebPLosslessDamageTests {
    static let pictures: [VP8LPicture] = {
        var plain = VP8LPicture(width: 40, height: 24, groupCount: 7)
        plain.blockBits = 3
        plain.transforms = [.predictor(blockBits: 4), .colour(blockBits: 5), .subtractGreen]
        var cached = plain
        (cached.cacheBits, cached.inheritedCacheBits) = (2, 1)
        cached.transforms = [.palette(colours: 9)]
        cached.codes = VP8LPicture.heavyCodes(cacheBits: 2)
        (cached.groupCount, cached.blockBits) = (3, 4)
        cached.pixelBytes = 40 * 24 * 5
        return [plain, cached]
    }()

    static func files(_ index: Int) throws -> [[UInt8]] {
        let picture = Self.pictures[index]
        return [
            WebPPrefixCodeTests.file(picture), try WebPPrefixCodeTests.alphaFile(picture),
            try WebPPrefixCodeTests.alphaFile(picture, isAnimated: true),
        ]
    }

    @Test("data that ends within its header is truncated, even in a whole container", arguments: pictures.indices)
    func refusesShortData(index: Int) throws {
        let picture = Self.pictures[index]
        let whole = Array(picture.bytes.dropLast(picture.pixelBytes))
        let codesStart = try whole.span.bytes.withUnsafeBytes { buffer in
            var header = try WebPLosslessHeader(
                buffer, in: 5..<whole.count, width: picture.width, height: picture.height, watch: nil)
            return try header.skipCodes()
        }
        #expect(codesStart == whole.count)
        var counted = 0
        for count in stride(from: 5, to: whole.count, by: 1 + whole.count / 300) {
            let bytes = WebPFile(.init("VP8L", Array(whole.prefix(count)))).bytes
            do {
                // The groups are counted before their codes are read.
                #expect(try bytes.header().prefixCodes?.groupCount == picture.groupCount, "\(count) bytes")
                counted += 1
                let plan = try bytes.plan(width: 9)
                #expect(throws: CodecError.truncated, "\(count) bytes") { try bytes.rendered(as: plan) }
            } catch {
                #expect(error == .truncated, "\(count) bytes: \(error)")
            }
        }
        #expect((1..<250).contains(counted))
    }

    @Test("flipped bits throw or give a picture", arguments: pictures.indices, 0..<3)
    func survivesFlippedBits(index: Int, kind: Int) throws {
        let file = try Self.files(index)[kind]
        let plan = try file.plan(width: 9)
        var random = SeededRandom(seed: UInt64(10 * index + kind))
        var pictures = 0
        for turn in 0..<400 {
            var bytes = file
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at =
                    turn % 2 == 0
                    ? 20 + turn / 2 % (file.count - 20) : Int.random(in: 12..<file.count, using: &random)
                bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            do {
                _ = try bytes.rendered(width: 9, limits: Mutations.limits)
                pictures += 1
            } catch {
                #expect(error != .stopped && error != .outOfMemory)
            }
            _ = try? bytes.rendered(as: plan)
        }
        #expect(pictures > 0)
    }

    /// The maximum number of groups, with about 2 MB of codes.
    static let heavy: VP8LPicture = {
        var picture = VP8LPicture(width: 256, height: 256, groupCount: 4096)
        picture.cacheBits = 11
        picture.codes = VP8LPicture.heavyCodes(cacheBits: 11)
        picture.pixelBytes = 256 * 256 * 5
        return picture
    }()

    static let heavyBytes = heavy.bytes

    /// - Returns: The codes' length.
    @discardableResult
    static func readCodes(_ watch: RenderWatch) throws -> Int {
        let bytes = Self.heavyBytes
        return try bytes.span.bytes.withUnsafeBytes { buffer in
            var header = try WebPLosslessHeader(
                buffer, in: 5..<bytes.count, width: Self.heavy.width, height: Self.heavy.height, watch: watch)
            return try header.skipCodes()
        }
    }

    @Test("a render can be stopped while codes are read, between any two looks at the watch")
    func stopsWithinCodes() throws {
        let questions = Questions()
        let codesLength = try Self.readCodes(RenderWatch(questions.control, limits: .init()))
        // At least one reading per 16 KiB.
        #expect(questions.count > UInt64(codesLength) >> 14)
        for moment in stride(from: 1, to: questions.count, by: 11) {
            let last = Questions(raisingAt: moment)
            #expect(throws: CodecError.stopped) {
                try Self.readCodes(RenderWatch(last.control, limits: .init()))
            }
            #expect(last.count == moment)
        }
    }

    @Test("the CPU limit ends a render while codes are read, before libwebp has seen them")
    func endsWhenTimeIsUp() throws {
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 20_000_000
        let questions = Questions()
        let control = RenderControl(cpuTime: { questions.next() * 1_000_000 })
        let watch = RenderWatch(control, limits: limits)
        #expect(throws: CodecError.overLimit(.cpuTime, value: 21, limit: 20)) { try Self.readCodes(watch) }
        // A whole render uses the same watch.
        let bytes = WebPPrefixCodeTests.file(Self.heavy)
        let plan = try bytes.plan(width: 10)
        #expect(throws: CodecError.self) { try bytes.rendered(as: plan, limits: limits, control: control) }
    }

    /// libwebp restarts reading the codes each time that they are incomplete.
    @Test("the first piece that libwebp gets has all codes, and the first pixels")
    func feedsCodesAtOnce() throws {
        let picture = Self.heavy
        let data = WebPFile.Chunk("VP8L", picture.bytes).bytes
        try data.span.bytes.withUnsafeBytes { buffer in
            let questions = Questions()
            let watch = RenderWatch(questions.control, limits: .init())
            var header = try WebPLosslessHeader(
                buffer, in: 13..<data.count, width: picture.width, height: picture.height, watch: nil)
            let request = poster_webp_request(
                width: 256, height: 256, scaled_width: 256, scaled_height: 256, samples: .rgb)
            var decoder = try LibWebPReader(
                buffer, request: request, headerLength: header.skipCodes(), isLossless: true, watch: watch)
            _ = try decoder.rows(1)
            // One for the start, and one for the piece.
            #expect(questions.count == 2)
        }
    }
}
