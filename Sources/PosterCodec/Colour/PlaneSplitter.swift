/// Makes Y′CbCr planes (BT.601) of sRGB pixels, as encoders want them.
struct PlaneSplitter {
    /// Whether luma is to run from 16 to 235 and chroma from 16 to 240.
    let isLimitedRange: Bool
    /// Whether chroma is to have half the size: 4:2:0, sited between pixels.
    let halvesChroma: Bool

    /// - Returns: Luma, alone for gray pixels; else blue and red chroma; then alpha where there is one.
    func planes(_ pixels: PixelBuffer) -> [Plane] {
        let (width, height, channels) = (pixels.width, pixels.height, pixels.channels)
        var luma = Plane(width: width, height: height)
        let lumaGain = self.isLimitedRange ? 219 / 255.0 : 1
        let base = Int((self.isLimitedRange ? 16.5 : 0.5) * 65536)
        // 16 fractional bits; the three add up exactly to the gain, so that white is white.
        let whole = Int((65536 * lumaGain).rounded())
        let fromRed = Int((65536 * lumaGain * 0.299).rounded())
        let fromBlue = Int((65536 * lumaGain * 0.114).rounded())
        let fromGreen = whole - fromRed - fromBlue
        pixels.samples.withUnsafeBufferPointer { from in
            luma.samples.withUnsafeMutableBufferPointer { to in
                for y in 0..<height {
                    var at = y * width * channels
                    for x in 0..<width {
                        let sum =
                            channels == 1
                            ? whole * Int(from[at])
                            : fromRed * Int(from[at]) + fromGreen * Int(from[at + 1]) + fromBlue * Int(from[at + 2])
                        to[y * luma.stride + x] = UInt8((sum + base) >> 16)
                        at += channels
                    }
                }
            }
        }
        guard channels > 1 else { return [luma] }
        var planes = [luma] + self.chroma(pixels)
        if channels == 4 {
            var alpha = Plane(width: width, height: height)
            for y in 0..<height {
                for x in 0..<width { alpha.samples[y * alpha.stride + x] = pixels.samples[(y * width + x) * 4 + 3] }
            }
            planes.append(alpha)
        }
        return planes
    }

    private func chroma(_ pixels: PixelBuffer) -> [Plane] {
        let side = self.halvesChroma ? 2 : 1
        let (width, height) = ((pixels.width + side - 1) / side, (pixels.height + side - 1) / side)
        var blue = Plane(width: width, height: height)
        var red = Plane(width: width, height: height)
        let gain = self.isLimitedRange ? 224 / 255.0 : 1
        let unit = 65536 * gain
        let (blueFromRed, blueFromGreen) = (Int((unit * -0.168736).rounded()), Int((unit * -0.331264).rounded()))
        let blueFromBlue = -blueFromRed - blueFromGreen
        let (redFromBlue, redFromGreen) = (Int((unit * -0.081312).rounded()), Int((unit * -0.418688).rounded()))
        let redFromRed = -redFromBlue - redFromGreen
        for y in 0..<height {
            for x in 0..<width {
                let (r, g, b) = self.mean(pixels, left: x * side, top: y * side)
                let (u, v) = (
                    blueFromRed * r + blueFromGreen * g + blueFromBlue * b,
                    redFromRed * r + redFromGreen * g + redFromBlue * b
                )
                blue.samples[y * blue.stride + x] = Self.centred(u)
                red.samples[y * red.stride + x] = Self.centred(v)
            }
        }
        return [blue, red]
    }

    /// From sixteenths of a level with 16 more fractional bits to a sample around 128.
    private static func centred(_ value: Int) -> UInt8 {
        UInt8(min(255, max(0, 128 + (value + 1 << 19) >> 20)))
    }

    /// The mean colour of the pixels that share a chroma sample, in sixteenths; weighted by alpha, so that colours that
    /// cannot be seen do not count.
    private func mean(_ pixels: PixelBuffer, left: Int, top: Int) -> (Int, Int, Int) {
        let channels = pixels.channels
        return pixels.samples.withUnsafeBufferPointer { from in
            guard self.halvesChroma else {
                let at = (top * pixels.width + left) * channels
                return (16 * Int(from[at]), 16 * Int(from[at + 1]), 16 * Int(from[at + 2]))
            }
            let right = min(left + 1, pixels.width - 1)
            let bottom = min(top + 1, pixels.height - 1)
            let corners = (
                (top * pixels.width + left) * channels, (top * pixels.width + right) * channels,
                (bottom * pixels.width + left) * channels, (bottom * pixels.width + right) * channels
            )
            if channels == 3 {
                func sum(_ channel: Int) -> Int {
                    4
                        * (Int(from[corners.0 + channel]) + Int(from[corners.1 + channel])
                            + Int(from[corners.2 + channel]) + Int(from[corners.3 + channel]))
                }
                return (sum(0), sum(1), sum(2))
            }
            let alphas = (
                Int(from[corners.0 + 3]), Int(from[corners.1 + 3]), Int(from[corners.2 + 3]), Int(from[corners.3 + 3])
            )
            let total = alphas.0 + alphas.1 + alphas.2 + alphas.3
            guard total > 0 else { return (0, 0, 0) }
            func sum(_ channel: Int) -> Int {
                let weighted =
                    Int(from[corners.0 + channel]) * alphas.0 + Int(from[corners.1 + channel]) * alphas.1
                    + Int(from[corners.2 + channel]) * alphas.2 + Int(from[corners.3 + channel]) * alphas.3
                return (16 * weighted + total / 2) / total
            }
            return (sum(0), sum(1), sum(2))
        }
    }
}
