import CodecTesting
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct InspectionTests {
    static let picture = FormulaPicture.gradient(width: 33, height: 21)

    @Test("bytes after the picture are allowed", arguments: [1, 2, 1000])
    func allowsTrailingBytes(byteCount: Int) throws {
        let file = try Self.picture.jpeg()
        let longer = file + [UInt8](repeating: 0xFF, count: byteCount)
        #expect(try longer.header() == file.header())
        #expect(try longer.rendered(width: 20).bytes == file.rendered(width: 20).bytes)
        let twice = file + file
        #expect(try twice.rendered(width: 20).bytes == file.rendered(width: 20).bytes, "another after the first")
    }

    @Test("without all of its data a picture is truncated", arguments: [false, true])
    func missesData(isProgressive: Bool) throws {
        let file = try Self.picture.jpeg(isProgressive: isProgressive)
        #expect(file.suffix(2) == [0xFF, 0xD9])
        for missing in 3...40 {
            #expect(throws: CodecError.truncated) { try Array(file.dropLast(missing)).header() }
        }
    }

    @Test("restart markers and stuffed zeros belong to a scan's data", arguments: [0, 1, 2, 3, 9, 1000])
    func walksOverRestarts(interval: Int) throws {
        var blocks = BlockJPEG(width: 200, height: 120)
        // Means that differ by 255 yield 0xFF bytes, which are stuffed, unless restarts are too frequent.
        blocks.value = { component, x, y in (x + y + component) % 2 == 0 ? 0 : 255 }
        let plain = blocks.bytes
        blocks.restartInterval = interval
        let file = blocks.bytes
        let stuffed = zip(file, file.dropFirst()).count { $0 == (0xFF, 0x00) }
        let restarts = zip(file, file.dropFirst()).count { $0.0 == 0xFF && (0xD0...0xD7).contains($0.1) }
        #expect(stuffed > 0 || (1...2).contains(interval))
        #expect(restarts == (interval == 0 ? 0 : (13 * 8 - 1) / interval))
        #expect(try file.header().width == 200)
        #expect(try file.planes(width: 50).map(\.samples) == plain.planes(width: 50).map(\.samples))
    }

    /// A valid frame header of an unsupported kind.
    struct Foreign: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: BlockJPEG

        init(_ name: String, factors: [(Int, Int)] = [(1, 1)], _ change: (inout BlockJPEG) -> Void = { _ in }) {
            var file = BlockJPEG(width: 16, height: 16, factors: factors)
            change(&file)
            self.testDescription = name
            self.file = file
        }
    }

    @Test(
        "what is not decoded is refused by its name",
        arguments: [
            Foreign("12-bit JPEG") { ($0.precision, $0.frameMarker) = (12, 0xC1) },
            Foreign("16-bit JPEG") { $0.precision = 16 },
            Foreign("lossless JPEG") { $0.frameMarker = 0xC3 },
            Foreign("lossless JPEG") { $0.frameMarker = 0xCB },
            Foreign("hierarchical JPEG") { $0.frameMarker = 0xC5 },
            Foreign("hierarchical JPEG") { $0.frameMarker = 0xCF },
            Foreign("JPEG with its height after the picture (DNL)") { $0.height = 0 },
            Foreign("JPEG of 2 components", factors: [(1, 1), (1, 1)]),
            Foreign("JPEG of 5 components", factors: [(1, 1), (1, 1), (1, 1), (1, 1), (1, 1)]),
        ]
    )
    func refuses(_ foreign: Foreign) throws {
        var file = foreign.file
        let height = file.height
        file.height = 16
        var bytes = file.bytes
        if height == 0 {
            let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == file.frameMarker })
            bytes.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
        }
        #expect(throws: CodecError.unsupported(foreign.testDescription)) { try bytes.probed() }
        #expect(throws: CodecError.unsupported(foreign.testDescription)) { try bytes.header() }
    }

    @Test(
        "the refusal of a kind does not name its format among those that are decoded",
        arguments: [
            ("12-bit JPEG", "PNG, WebP, AVIF, GIF and JPEG XL"),
            ("PNG of an iOS app (CgBI)", "JPEG, WebP, AVIF, GIF and JPEG XL"),
            ("AVIF with linear samples", "JPEG, PNG, WebP, GIF and JPEG XL"),
            ("GIF", "JPEG, PNG, WebP, AVIF and JPEG XL"), ("HEIC", "JPEG, PNG, WebP, AVIF, GIF and JPEG XL"),
            ("JPEG XL in CMYK", "JPEG, PNG, WebP, AVIF and GIF"),
        ])
    func namesOtherFormats(kind: String, others: String) {
        #expect(CodecError.unsupported(kind).description == "\(kind), which is not decoded; \(others) are")
    }

    @Test("more pixels than the limit are refused, exactly as many are not")
    func limitsPixels() throws {
        let file = try Self.picture.jpeg()
        var limits = CodecLimits()
        limits.maxPixels = 33 * 21
        #expect(try file.header(limits: limits).width == 33)
        limits.maxPixels = 33 * 21 - 1
        let error = CodecError.overLimit(.pixels, value: 693, limit: 692)
        #expect(throws: error) { try file.header(limits: limits) }
        let header = try file.header()
        #expect(throws: error) { try RenderPlan(header, target: RenderTarget(width: 5, format: .jpeg), limits: limits) }
    }

    @Test("a bomb is refused by its header")
    func refusesBombs() throws {
        var file = BlockJPEG(width: 8, height: 8).bytes
        let frame = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(throws: CodecError.overLimit(.pixels, value: 65500 * 65500, limit: 100_000_000)) { try file.header() }
    }

    @Test("more scans than the limit are refused, exactly as many are not", arguments: [1, 3, 10])
    func limitsScans(limit: Int) throws {
        let file = try Self.picture.jpeg(isProgressive: true)
        let scans = 10
        var limits = CodecLimits()
        limits.maxScans = limit
        guard limit < scans else {
            #expect(try file.rendered(width: 20, limits: limits).size.width == 20)
            return
        }
        #expect(throws: CodecError.overLimit(.scans, value: scans, limit: limit)) { try file.header(limits: limits) }
        let plan = try file.plan(width: 20)
        #expect(throws: CodecError.overLimit(.scans, value: limit + 1, limit: limit), "also without an inspection") {
            try file.rendered(as: plan, limits: limits)
        }
    }

    @Test("a picture that needs more memory than the limit is refused", arguments: OutputFormat.allCases)
    func limitsMemory(format: OutputFormat) throws {
        let header = try Self.picture.jpeg(isProgressive: true).header()
        let target = RenderTarget(width: 20, format: format)
        var limits = CodecLimits()
        limits.maxWorkingBytes = try RenderPlan(header, target: target).workingBytes
        let needed = limits.maxWorkingBytes
        _ = try RenderPlan(header, target: target, limits: limits)
        limits.maxWorkingBytes -= 1
        #expect(throws: CodecError.overLimit(.workingMemory, value: needed, limit: needed - 1)) {
            try RenderPlan(header, target: target, limits: limits)
        }
    }
}
