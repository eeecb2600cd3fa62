import Testing

@testable import PosterCodec

@Suite struct DeinterleaverTests {
    @Test("colours are multiplied by alpha and rounded, for every pair of values")
    func premultiplies() {
        for alpha in 0...255 {
            var pixels: [UInt8] = []
            for value in 0...255 { pixels += [UInt8(value), UInt8(255 - value), UInt8(value ^ 0x55), UInt8(alpha)] }
            let targets = (0..<4).map { _ in UnsafeMutablePointer<UInt8>.allocate(capacity: 256) }
            defer { for target in targets { target.deallocate() } }
            Deinterleaver(channels: 4).split(pixels, width: 256, into: targets, strides: [0, 0, 0, 0], y: 0)
            var wrong = 0
            for x in 0...255 {
                for channel in 0..<3 {
                    let expected = (2 * Int(pixels[4 * x + channel]) * alpha + 255) / 510
                    if Int(targets[channel][x]) != expected { wrong += 1 }
                }
                if Int(targets[3][x]) != alpha { wrong += 1 }
            }
            #expect(wrong == 0, "alpha \(alpha)")
        }
    }
}
