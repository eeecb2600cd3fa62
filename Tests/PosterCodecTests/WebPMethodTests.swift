import PosterTesting
import Testing

@testable import PosterCodec

@Suite struct WebPMethodTests {
    static func method(_ bytes: [UInt8], width: Int, effort: RenderTarget.Effort = .balanced) throws -> WebPMethod {
        try RenderPlan(bytes.header(), target: RenderTarget(width: width, format: .webp, effort: effort)).webPMethod
    }

    @Test("a small poster is encoded thoroughly, one that is nearly as large as its original fast")
    func bySize() throws {
        let file = try BlockJPEG(width: 400, height: 600).bytes
        #expect(try Self.method(file, width: 40) == .thorough)
        #expect(try Self.method(file, width: 300) == .fast)
    }

    @Test("the longer the original takes to decode, the more its poster may take to encode")
    func byFormat() throws {
        let size = (width: 400, height: 600)
        let jpeg = try BlockJPEG(width: size.width, height: size.height).bytes
        let png = PNGFile(width: size.width, height: size.height).bytes
        #expect(try Self.method(jpeg, width: 90) == .fast)
        #expect(try Self.method(png, width: 90) == .thorough)
    }

    @Test("effort decides alone where it is not balanced")
    func byEffort() throws {
        let file = try BlockJPEG(width: 400, height: 600).bytes
        #expect(try Self.method(file, width: 40, effort: .fast) == .fast)
        #expect(try Self.method(file, width: 300, effort: .full) == .thorough)
    }

    @Test("qualities stay within libwebp's")
    func qualities() {
        #expect(WebPMethod.fast.quality(for: 80) == 80.5)
        #expect(WebPMethod.fast.quality(for: 100) == 100)
        #expect(WebPMethod.thorough.quality(for: 80) == 80)
    }
}
