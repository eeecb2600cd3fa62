import Testing

@testable import PosterCodec

@Suite(.computingThread) struct PixelBufferTests {
    @Test("a part is cut out where it was asked for", arguments: [1, 3, 4])
    func crops(channels: Int) throws {
        let pixels = YCbCrConverterTests.random((13, 9), channels: channels)
        for (x, y, width, height) in [(0, 0, 13, 9), (12, 8, 1, 1), (3, 2, 7, 5), (0, 8, 13, 1), (12, 0, 1, 9)] {
            let part = pixels.cropped(to: try OutputSize(width: width, height: height), x: x, y: y)
            #expect((part.width, part.height, part.channels) == (width, height, channels))
            for row in 0..<height {
                for column in 0..<width { #expect(part[column, row] == pixels[x + column, y + row]) }
            }
        }
    }

    @Test("flattening lays colours on the background, rounded")
    func flattens() {
        let background = RenderTarget.Background(red: 255, green: 0, blue: 77)
        let pixels = PixelBuffer(width: 256, height: 256, channels: 4) { x, y in
            [UInt8(x), UInt8(x), UInt8(x), UInt8(y)]
        }
        let flat = pixels.flattened(on: background)
        #expect(flat.channels == 3)
        for y in 0...255 {
            for x in 0...255 {
                let exact = [255.0, 0, 77].map { under in
                    let sum = Double(x) * Double(y) + under * Double(255 - y)
                    return UInt8((sum / 255).rounded())
                }
                guard flat[x, y] != exact else { continue }
                Issue.record("\(x) at alpha \(y): \(flat[x, y]), not \(exact)")
            }
        }
    }

    @Test("what has no alpha is flat already", arguments: [1, 3])
    func isFlatAlready(channels: Int) {
        let pixels = YCbCrConverterTests.random((5, 7), channels: channels)
        #expect(pixels.flattened(on: .white).samples == pixels.samples)
    }

    @Test("everything can be RGBA")
    func becomesRGBA() {
        let gray = PixelBuffer(width: 3, height: 1, channels: 1) { x, _ in [UInt8(100 * x)] }
        #expect(gray.rgba().samples == [0, 0, 0, 255, 100, 100, 100, 255, 200, 200, 200, 255])
        let colours = PixelBuffer(width: 2, height: 1, channels: 3) { x, _ in [UInt8(x), 20, 30] }
        #expect(colours.rgba().samples == [0, 20, 30, 255, 1, 20, 30, 255])
        let all = YCbCrConverterTests.random((5, 7), channels: 4)
        #expect(all.rgba().samples == all.samples)
    }
}
