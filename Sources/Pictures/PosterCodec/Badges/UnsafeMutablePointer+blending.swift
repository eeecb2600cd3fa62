/// Rows of samples under a colour. All have `count` pixels; `coverage` is 255 where the colour covers a pixel.
extension UnsafeMutablePointer<UInt8> {
    /// Blends a level into samples of one plane.
    func blend(_ level: UInt8, _ coverage: UnsafePointer<UInt8>, count: Int) {
        for x in 0..<count { self[x] = Self.blended(self[x], level, coverage[x]) }
    }

    func blendRGB(_ colour: RenderTarget.Colour, _ coverage: UnsafePointer<UInt8>, count: Int) {
        for x in 0..<count {
            let pixel = self + 3 &* x
            pixel[0] = Self.blended(pixel[0], colour.red, coverage[x])
            pixel[1] = Self.blended(pixel[1], colour.green, coverage[x])
            pixel[2] = Self.blended(pixel[2], colour.blue, coverage[x])
        }
    }

    /// Composites over pixels with colours that are not multiplied by alpha.
    func blendRGBA(_ colour: RenderTarget.Colour, _ coverage: UnsafePointer<UInt8>, count: Int) {
        let levels = SIMD4<UInt32>(UInt32(colour.red), UInt32(colour.green), UInt32(colour.blue), 0)
        for x in 0..<count where coverage[x] > 0 {
            let pixel = self + 4 &* x
            // 65025 is opaque.
            let above = 255 &* UInt32(coverage[x])
            let below = UInt32(pixel[3]) &* UInt32(255 &- coverage[x])
            let alpha = above &+ below
            let old = SIMD4<UInt32>(UInt32(pixel[0]), UInt32(pixel[1]), UInt32(pixel[2]), 0)
            let sums = levels &* above &+ old &* below &+ alpha / 2
            for channel in 0..<3 { pixel[channel] = UInt8(truncatingIfNeeded: sums[channel] / alpha) }
            pixel[3] = UInt8(truncatingIfNeeded: (alpha &+ 127) / 255)
        }
    }

    private static func blended(_ sample: UInt8, _ level: UInt8, _ coverage: UInt8) -> UInt8 {
        let sum = UInt16(sample) &* UInt16(255 &- coverage) &+ UInt16(level) &* UInt16(coverage)
        return UInt8(truncatingIfNeeded: (sum &+ 127) / 255)
    }
}
