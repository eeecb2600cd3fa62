/// Makes Y′CbCr planes (BT.601) of sRGB pixels, as encoders want them.
struct PlaneSplitter {
    /// Whether luma is to run from 16 to 235 and chroma from 16 to 240.
    let isLimitedRange: Bool
    /// Whether chroma is to have half the size: 4:2:0, sited between pixels.
    let halvesChroma: Bool

    /// - Returns: Luma, alone for gray pixels; else blue and red chroma; then alpha where there is one.
    func planes(_ pixels: PixelBuffer) -> [Plane] {
        let side = self.halvesChroma ? 2 : 1
        let encoder = YCbCrEncoder(isLimitedRange: self.isLimitedRange)
        var luma = Plane(width: pixels.width, height: pixels.height)
        var alpha = pixels.channels == 4 ? luma : nil
        guard pixels.channels > 1 else {
            for y in 0..<luma.height {
                pixels.withRow(y) { row in luma.withMutableRow(y) { encoder.luma(row, into: $0, width: pixels.width) } }
            }
            return [luma]
        }
        var blue = Plane(width: (pixels.width + side - 1) / side, height: (pixels.height + side - 1) / side)
        var red = blue
        // The rows that share a row of chroma; of an odd height, the last one counts twice.
        let upper = ChannelRows(width: pixels.width)
        let lower = ChannelRows(width: pixels.width)
        let means = ChromaMeans(width: blue.width)
        func read(_ y: Int, into rows: borrowing ChannelRows) {
            pixels.withRow(y) { rows.unpack($0, channels: pixels.channels) }
            luma.withMutableRow(y) { encoder.luma(rows, into: $0) }
            alpha?.withMutableRow(y) { $0.update(from: rows.alpha, count: rows.width) }
        }
        for y in 0..<blue.height {
            read(y * side, into: upper)
            if self.halvesChroma {
                read(min(y * side + 1, pixels.height - 1), into: lower)
                means.average(upper, lower, isWeighted: alpha != nil)
            } else {
                means.copy(upper)
            }
            blue.withMutableRow(y) { encoder.blueChroma(means, into: $0) }
            red.withMutableRow(y) { encoder.redChroma(means, into: $0) }
        }
        return [luma, blue, red] + (alpha.map { [$0] } ?? [])
    }
}

extension PixelBuffer {
    fileprivate func withRow(_ y: Int, _ body: (UnsafePointer<UInt8>) -> Void) {
        self.samples.withUnsafeBufferPointer { body($0.baseAddress! + y * self.width * self.channels) }
    }
}

extension Plane {
    fileprivate mutating func withMutableRow(_ y: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        let start = y * self.stride
        self.samples.withUnsafeMutableBufferPointer { body($0.baseAddress! + start) }
    }
}
