import CodecTesting
import Testing

@testable import PosterCodec

@Suite struct DownsampledPictureTests {
    static let background = RenderTarget.Background(red: 10, green: 200, blue: 60)

    static func plan(_ format: OutputFormat, quality: Int = 80) throws -> RenderPlan {
        let header = try BlockJPEG(width: 37, height: 21).bytes.header()
        return try RenderPlan(
            header, target: RenderTarget(format: format, quality: .fixed(quality), background: Self.background))
    }

    @Test("transparency is laid on the background where the format has none")
    func flattensForJPEG() throws {
        for quality in [80, 95] {
            let pixels = YCbCrConverterTests.random((37, 21), channels: 4)
            let planes = DownsampledPicture.pixels(pixels).planes(for: try Self.plan(.jpeg, quality: quality))
            let splitter = YCbCrConverter(isLimitedRange: false, halvesChroma: quality < 90)
            var expected = splitter.planes(pixels.flattened(on: Self.background))
            for index in expected.indices { expected[index].padRight() }
            #expect(planes.map(\.samples) == expected.map(\.samples))
            #expect(planes.count == 3)
        }
    }

    @Test("transparency stays where the format has it")
    func keepsAlphaForWebP() throws {
        let pixels = YCbCrConverterTests.random((37, 21), channels: 4)
        let planes = DownsampledPicture.pixels(pixels).planes(for: try Self.plan(.webp, quality: 95))
        #expect(planes.count == 4)
        #expect(planes.map(\.width) == [37, 19, 19, 37], "WebP knows half the chroma only")
        for y in 0..<21 {
            for x in 0..<37 { #expect(planes[3][x, y] == pixels[x, y][3]) }
        }
        #expect(DownsampledPicture.pixels(pixels).pixels().samples == pixels.samples, "and for PNG all stays as it is")
    }

    @Test("a plane of gray is pixels of one channel")
    func isGray() {
        let plane = Plane(width: 37, height: 21) { x, y in UInt8(x * 3 + y * 5) }
        let pixels = DownsampledPicture.planes([plane]).pixels()
        #expect((pixels.width, pixels.height, pixels.channels) == (37, 21, 1))
        #expect(pixels.samples == plane.rows.flatMap(\.self))
    }
}
