import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct WebPMethodTests {
    static func method(_ bytes: [UInt8], width: Int, effort: RenderTarget.Effort = .balanced) throws -> WebPMethod {
        try RenderPlan(bytes.header(), target: RenderTarget(width: width, format: .webp, effort: effort)).webPMethod
    }

    @Test("a small poster is encoded thoroughly, one that is nearly as large as its original fast")
    func bySize() throws {
        let file = BlockJPEG(width: 400, height: 600).bytes
        #expect(try Self.method(file, width: 40) == .thorough)
        #expect(try Self.method(file, width: 300) == .fast)
    }

    @Test("the longer the original takes to decode, the more its poster may take to encode")
    func byFormat() throws {
        let size = (width: 400, height: 600)
        let jpeg = BlockJPEG(width: size.width, height: size.height).bytes
        let png = PNGFile(width: size.width, height: size.height).bytes
        #expect(try Self.method(jpeg, width: 90) == .fast)
        #expect(try Self.method(png, width: 90) == .thorough)
    }

    @Test("effort decides alone where it is not balanced")
    func byEffort() throws {
        let file = BlockJPEG(width: 400, height: 600).bytes
        #expect(try Self.method(file, width: 40, effort: .fast) == .fast)
        #expect(try Self.method(file, width: 300, effort: .full) == .thorough)
    }

    @Test("qualities stay within libwebp's")
    func qualities() {
        #expect(WebPMethod.fast.quality(for: 80) == 80.5)
        #expect(WebPMethod.fast.quality(for: 100) == 100)
        #expect(WebPMethod.thorough.quality(for: 80) == 80)
        #expect(WebPMethod.smallest.quality(for: 80) == 81)
    }

    @Test("large results are not encoded thoroughly unless requested: that takes memory")
    func bySizeOfTheResult() throws {
        // As of a PNG of 8000×8000.
        let decoding = 5.0 * 64_000_000
        let (most, more) = (try OutputSize(width: 1000, height: 1000), try OutputSize(width: 1100, height: 1100))
        #expect(WebPMethod(size: most, effort: .balanced, decodingNanoseconds: decoding) == .thorough)
        #expect(WebPMethod(size: more, effort: .balanced, decodingNanoseconds: decoding) == .fast)
        #expect(WebPMethod(size: more, effort: .full, decodingNanoseconds: decoding) == .thorough)
    }

    @Test("the estimate counts what libwebp keeps of a picture of noise when it is thorough", arguments: [80, 100])
    func estimatesTokens(quality: Int) throws {
        var file = PNGFile(width: 1024, height: 1024, colourType: 0, bitDepth: 1)
        file.dataChunkLength = 1 << 20
        let bytes = file.bytes
        func plan(_ effort: RenderTarget.Effort) throws -> RenderPlan {
            try RenderPlan(
                bytes.header(), target: RenderTarget(width: 1024, format: .webp, quality: quality, effort: effort))
        }
        let (fast, thorough) = (try plan(.fast), try plan(.full))
        #expect(thorough.workingBytes - fast.workingBytes >= 18 << 20)
    }
}
