import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PNGLimitTests {
    /// A complete file with a header that declares a larger picture.
    static func promising(width: Int, height: Int, colourType: Int = 2, bitDepth: Int = 8, isInterlaced: Bool = false)
        -> [UInt8]
    {
        var file = PNGFile(width: 1, height: 1, colourType: colourType, bitDepth: bitDepth)
        file.isInterlaced = isInterlaced
        var bytes = file.bytes
        var payload = Array(bytes[16..<29])
        payload.replaceSubrange(0..<8, with: PNGFile.number(width) + PNGFile.number(height))
        bytes.replaceSubrange(8..<33, with: PNGFile.Chunk("IHDR", payload).bytes)
        return bytes
    }

    @Test("sizes over the limits are refused by the header")
    func limitsSizes() throws {
        #expect(throws: CodecError.overLimit(.width, value: 65_536, limit: 65_500)) {
            try Self.promising(width: 65_536, height: 1).header()
        }
        #expect(throws: CodecError.overLimit(.height, value: 2_147_483_647, limit: 65_500)) {
            try Self.promising(width: 1, height: 2_147_483_647).header()
        }
        #expect(throws: CodecError.overLimit(.pixels, value: 400_000_000, limit: 100_000_000)) {
            try Self.promising(width: 20_000, height: 20_000).header()
        }
    }

    @Test("a picture of wide rows is refused when it is planned")
    func limitsMemory() throws {
        let bytes = Self.promising(width: 65_500, height: 1000, colourType: 6, isInterlaced: true)
        var limits = CodecLimits()
        limits.maxWorkingBytes = 8 << 20
        let error = #expect(throws: CodecError.self) { try bytes.plan(width: 100, limits: limits) }
        guard case .overLimit(.workingMemory, _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a large picture with little data is damaged")
    func refusesLittleData() throws {
        for isInterlaced in [false, true] {
            let bytes = Self.promising(width: 4000, height: 4000, isInterlaced: isInterlaced)
            let error = #expect(throws: CodecError.self) { try bytes.rendered(width: 100) }
            guard case .damaged = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("chunks are counted")
    func limitsChunkCount() throws {
        var file = PNGFile(width: 2, height: 2)
        var limits = CodecLimits()
        limits.maxChunks = 100
        file.beforeData = [PNGFile.Chunk](repeating: .init("tEXt", Array("a\0b".utf8)), count: 97)
        #expect(throws: Never.self) { try file.bytes.rendered(width: 1, limits: limits) }
        file.afterData = [.init("tEXt", Array("a\0b".utf8))]
        #expect(throws: CodecError.overLimit(.chunks, value: 101, limit: 100)) { try file.bytes.header(limits: limits) }
        limits.maxChunks = 100_000
        file.beforeData = [PNGFile.Chunk](repeating: .init("tEXt", Array("a\0b".utf8)), count: 99_000)
        #expect(throws: Never.self) { try file.bytes.rendered(width: 1, limits: limits) }
    }

    @Test("chunks beside the picture are limited, wherever they are", arguments: [false, true])
    func limitsChunkBytes(isLate: Bool) throws {
        var file = PNGFile(width: 60, height: 60)
        file.dataChunkLength = 20_000
        var limits = CodecLimits()
        limits.maxChunkBytes = 500
        func put(_ count: Int) {
            let chunk = PNGFile.Chunk("zTXt", [UInt8](repeating: 65, count: count))
            if isLate { file.afterData = [chunk] } else { file.beforeData = [chunk] }
        }
        put(500)
        #expect(throws: Never.self) { try file.bytes.rendered(width: 10, limits: limits) }
        put(501)
        #expect(throws: CodecError.overLimit(.chunkBytes, value: 501, limit: 500)) {
            try file.bytes.header(limits: limits)
        }
    }

    @Test("frames are limited, but frame data may be large")
    func limitsFrames() throws {
        var file = PNGFile(width: 2, height: 2)
        var limits = CodecLimits()
        limits.maxChunkBytes = 500
        limits.maxFrames = 10
        file.beforeData = [.init("acTL", PNGFile.number(10) + PNGFile.number(0))]
        file.afterData = [.init("fdAT", [UInt8](repeating: 1, count: 501))]
        #expect(throws: Never.self) { try file.bytes.rendered(width: 1, limits: limits) }
        file.beforeData = [.init("acTL", PNGFile.number(11) + PNGFile.number(0))]
        #expect(throws: CodecError.overLimit(.frames, value: 11, limit: 10)) { try file.bytes.header(limits: limits) }
    }

    @Test("texts are not inflated")
    func ignoresTexts() throws {
        var file = PNGFile(width: 2, height: 2)
        let bomb = [UInt8](repeating: 0, count: 1 << 20)
        file.beforeData = [
            .init("zTXt", Array("a\0\0".utf8) + PNGFile.deflated(bomb)),
            .init("iTXt", Array("a\0\u{1}\0\0\0".utf8) + PNGFile.deflated(bomb)),
        ]
        file.afterData = file.beforeData
        #expect(throws: Never.self) { try file.bytes.rendered(width: 1) }
    }

    @Test("a stop is noticed at any moment", arguments: [false, true])
    func stops(isInterlaced: Bool) throws {
        var file = PNGFile(width: 40, height: 100, colourType: 6)
        file.isInterlaced = isInterlaced
        let bytes = file.bytes
        let whole = Ticks()
        _ = try bytes.rendered(width: 30, format: .png, control: whole.control)
        for moment in 1..<whole.count {
            let clock = Ticks(raisingAt: moment)
            #expect(throws: CodecError.stopped) { try bytes.rendered(width: 30, format: .png, control: clock.control) }
            #expect(clock.count <= moment + 5 || moment + 12 >= whole.count, "raised at \(moment)")
        }
    }

    @Test("CPU time is limited in the middle of an interlaced picture, too", arguments: [false, true])
    func limitsCPUTime(isInterlaced: Bool) throws {
        var file = PNGFile(width: 4, height: 400)
        file.isInterlaced = isInterlaced
        let bytes = file.bytes
        let all = Ticks()
        _ = try bytes.rendered(width: 2, control: RenderControl(cpuTime: { all.next() * 1_000_000 }))
        #expect(all.count > 50, "asked every 8 rows")
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 20_000_000
        let clock = Ticks()
        #expect(throws: CodecError.overLimit(.cpuTime, value: 21, limit: 20)) {
            try bytes.rendered(width: 2, limits: limits, control: RenderControl(cpuTime: { clock.next() * 1_000_000 }))
        }
        #expect(clock.count == 22)
    }
}
