import Testing

@testable import PosterCodec

/// PNG data in pieces of any size, with all filters.
@Suite(.computingThread) struct PNGStreamTests {
    /// Rows that cycle through the filters of the specification; see ``PNGFile/rows`` for unfiltered rows.
    static func filtered(_ file: PNGFile, first: Int = 0) -> [UInt8] {
        let bits = file.bitDepth * file.channels
        let step = max(1, bits / 8)
        var rows = file.rows
        let plain = rows
        var start = 0
        for pass in file.passes {
            let stride = 1 + (pass.columns.count * bits + 7) / 8
            for y in 0..<pass.rows.count {
                let filter = (y + first) % 5
                rows[start + y * stride] = UInt8(filter)
                for x in 1..<stride {
                    func sample(_ x: Int, _ y: Int) -> Int { x < 1 || y < 0 ? 0 : Int(plain[start + y * stride + x]) }
                    let (a, b, c) = (sample(x - step, y), sample(x, y - 1), sample(x - step, y - 1))
                    let prediction = [0, a, b, (a + b) / 2, PNGFilterTests.paeth(a, b, c)][filter]
                    rows[start + y * stride + x] = UInt8(truncatingIfNeeded: sample(x, y) - prediction)
                }
            }
            start += pass.rows.count * stride
        }
        return rows
    }

    /// The file's bytes with its data in the given pieces.
    static func bytes(of file: PNGFile, data pieces: [[UInt8]]) -> [UInt8] {
        let bytes = file.bytes
        let start = PNGDamageTests.offset(of: "IDAT", in: bytes)
        let chunks = pieces.map { PNGFile.Chunk("IDAT", $0) } + [PNGFile.Chunk("IEND", [])]
        return Array(bytes[..<start]) + chunks.flatMap(\.bytes)
    }

    @Test("all filters of all kinds of pixels are undone", arguments: PNGSamplesTests.Kind.all)
    func undoesFilters(_ kind: PNGSamplesTests.Kind) throws {
        for width in [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33] {
            let file = kind.file(width: width, height: 11)
            let stream = PNGFile.deflated(Self.filtered(file, first: width))
            let planes = try PNGPlanes(Self.bytes(of: file, data: [stream])).planes
            #expect(planes == PNGSamplesTests.planes(of: file), "\(width) pixels wide")
        }
    }

    @Test("a stream may be cut at every byte")
    func joinsPieces() throws {
        let file = PNGFile(width: 5, height: 6)
        let stream = PNGFile.deflated(Self.filtered(file))
        let planes = PNGSamplesTests.planes(of: file)
        for cut in 0...stream.count {
            let pieces = [Array(stream[..<cut]), [], Array(stream[cut...])]
            let joined = try PNGPlanes(Self.bytes(of: file, data: pieces)).planes
            #expect(joined == planes, "\(cut)")
        }
        let single = try PNGPlanes(Self.bytes(of: file, data: stream.map { [$0] })).planes
        #expect(single == planes)
    }

    @Test("a stream that is cut off is damaged, wherever; and so is a wrong checksum, in whatever pieces")
    func refusesPieces() throws {
        let file = PNGFile(width: 5, height: 6)
        let stream = PNGFile.deflated(Self.filtered(file))
        for count in 0..<stream.count {
            let bytes = Self.bytes(of: file, data: [Array(stream[..<count])])
            let error = #expect(throws: CodecError.self, "\(count)") { try PNGPlanes(bytes) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        let wrong = PNGFile.deflated(Self.filtered(file), checksumError: 1)
        for cut in 0...wrong.count {
            let bytes = Self.bytes(of: file, data: [Array(wrong[..<cut]), Array(wrong[cut...])])
            #expect(throws: CodecError.damaged(reason: "a wrong checksum in the PNG's data")) { try PNGPlanes(bytes) }
        }
    }

    @Test("a filter that does not exist is damaged in any row", arguments: 0..<6)
    func refusesFilters(row: Int) throws {
        let file = PNGFile(width: 5, height: 6)
        var rows = Self.filtered(file)
        rows[row * 16] = 5
        let bytes = Self.bytes(of: file, data: [PNGFile.deflated(rows)])
        #expect(throws: CodecError.damaged(reason: "an unknown PNG filter")) { try PNGPlanes(bytes) }
    }

    @Test("rows may be wider than what is inflated at once, or so narrow that it has thousands", arguments: [3, 6])
    func decodesAnyShape(colourType: Int) throws {
        for (width, height) in [(65_500, 3), (30_000, 6), (9000, 17), (3, 9000), (2, 16_000)] {
            let file = PNGFile(width: width, height: height, colourType: colourType)
            let bytes = Self.bytes(of: file, data: [PNGFile.deflated(Self.filtered(file))])
            let planes = try PNGPlanes(bytes, plan: bytes.plan(width: max(1, width / 65))).planes
            #expect(planes == PNGSamplesTests.planes(of: file), "\(width)×\(height)")
        }
    }

    @Test("a file may end after its data, and what follows must not change it")
    func checksTheEnd() throws {
        let file = PNGFile(width: 5, height: 6)
        let plan = try file.bytes.plan(width: nil)
        func planes(_ chunks: [PNGFile.Chunk], before: [PNGFile.Chunk] = []) throws -> [[UInt8]] {
            var changed = file
            (changed.beforeData, changed.afterData) = (before, chunks)
            return try PNGPlanes(changed.bytes, plan: plan).planes
        }
        let whole = try planes([])
        let suggestion = PNGFile.Chunk("PLTE", [1, 2, 3])
        for harmless in [[.init("tEXt", [65, 0])], [.init("IDAT", [9])], [suggestion]] as [[PNGFile.Chunk]] {
            let decoded = try planes(harmless)
            #expect(decoded == whole)
        }
        let header = PNGFile.Chunk("IHDR", [UInt8](repeating: 1, count: 13))
        #expect(throws: CodecError.self) { try planes([header]) }
        #expect(throws: CodecError.self) { try planes([.init("ABCD", [])]) }
        #expect(throws: CodecError.self) { try planes([suggestion], before: [suggestion]) }
        #expect(throws: CodecError.self) { try planes([], before: [suggestion, suggestion]) }
        #expect(try PNGPlanes(Array(file.bytes.dropLast(12)), plan: plan).planes == whole)
        #expect(throws: CodecError.truncated) { try PNGPlanes(Array(file.bytes.dropLast(21)), plan: plan) }
    }

    @Test("data after the picture may be endless, but not the time for it")
    func limitsExcess() throws {
        let file = PNGFile(width: 5, height: 6)
        let stream = PNGFile.deflated(file.rows + [UInt8](repeating: 0, count: 1 << 20))
        let bytes = Self.bytes(of: file, data: [stream])
        let plan = try bytes.plan(width: nil)
        #expect(throws: Never.self) { try PNGPlanes(bytes, plan: plan) }
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 20_000_000
        let clock = Ticks()
        #expect(throws: CodecError.overLimit(.cpuTime, value: 21, limit: 20)) {
            let control = RenderControl(cpuTime: { clock.next() * 1_000_000 })
            return try PNGPlanes(bytes, plan: plan, limits: limits, control: control)
        }
    }
}
