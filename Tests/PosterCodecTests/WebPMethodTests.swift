import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct WebPMethodTests {
    static func method(_ bytes: [UInt8], width: Int, effort: RenderTarget.Effort = .balanced) throws -> WebPMethod {
        WebPMethod(
            try RenderPlan(bytes.header(), target: RenderTarget(width: width, format: .webp, effort: effort))
                .encoderPlan)
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

    @Test("the fast method, which does not look for edges between blocks, filters all of them more")
    func filterStrengths() {
        #expect(WebPMethod.fast.filterStrength > WebPMethod.thorough.filterStrength)
        #expect(WebPMethod.smallest.filterStrength == WebPMethod.thorough.filterStrength)
    }

    @Test("large results are not encoded thoroughly unless requested: that takes memory")
    func bySizeOfTheResult() throws {
        func method(_ side: Int, _ effort: RenderTarget.Effort) throws -> WebPMethod {
            // The time of decoding a PNG of 8000×8000.
            WebPMethod(
                EncoderPlan(
                    size: try OutputSize(width: side, height: side), quality: 80, halvesChroma: true, effort: effort,
                    encoding: .first, hasAlpha: false, decodingNanoseconds: 5 * 64_000_000))
        }
        #expect(try method(1000, .balanced) == .thorough)
        #expect(try method(1100, .balanced) == .fast)
        #expect(try method(1100, .full) == .thorough)
    }

    @Test("the estimate counts what libwebp keeps of a picture of noise when it is thorough", arguments: [80, 100])
    func estimatesTokens(quality: Int) throws {
        var file = PNGFile(width: 1024, height: 1024, colourType: 0, bitDepth: 1)
        file.dataChunkLength = 1 << 20
        let bytes = file.bytes
        func plan(_ effort: RenderTarget.Effort) throws -> RenderPlan {
            try RenderPlan(
                bytes.header(),
                target: RenderTarget(width: 1024, format: .webp, quality: .fixed(quality), effort: effort))
        }
        let (fast, thorough) = (try plan(.fast), try plan(.full))
        #expect(thorough.workingBytes - fast.workingBytes >= 18 << 20)
    }
}
