/// Converts sRGB pixels to the Y′CbCr planes (BT.601) of an encoder.
struct YCbCrConverter {
    /// Whether the result has limited range: luma 16...235, chroma 16...240.
    let isLimitedRange: Bool
    /// Whether chroma is subsampled to 4:2:0, sited between pixels.
    let halvesChroma: Bool

    /// - Parameter memory: Kept rows, used if they have the pixels' width.
    /// - Returns: Luma; blue and red chroma unless the pixels are gray; then alpha, if any.
    func planes(_ pixels: PixelBuffer, memory: ConversionRows? = nil) -> [Plane] {
        let side = self.halvesChroma ? 2 : 1
        let encoder = RGBToYCbCr(isLimitedRange: self.isLimitedRange)
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
        // The two rows that share a row of chroma; the last one of an odd height counts twice.
        let memory = ConversionRows.rows(width: pixels.width, keeping: memory)
        memory.averages.width = blue.width
        func read(_ y: Int, into rows: borrowing ChannelRows) {
            pixels.withRow(y) { rows.unpack($0, channels: pixels.channels) }
            luma.withMutableRow(y) { encoder.luma(rows, into: $0) }
            alpha?.withMutableRow(y) { $0.update(from: rows.alpha, count: rows.width) }
        }
        for y in 0..<blue.height {
            read(y * side, into: memory.upper)
            if self.halvesChroma {
                read(min(y * side + 1, pixels.height - 1), into: memory.lower)
                memory.averages.average(memory.upper, memory.lower, isWeighted: alpha != nil)
            } else {
                memory.averages.copy(memory.upper)
            }
            blue.withMutableRow(y) { RGBToYCbCr.chroma(memory.averages, encoder.blueChroma, into: $0) }
            red.withMutableRow(y) { RGBToYCbCr.chroma(memory.averages, encoder.redChroma, into: $0) }
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

/// Converts rows of RGB to Y′CbCr (ITU-R BT.601; ITU-T T.871).
struct RGBToYCbCr {
    /// The weights of red, green and blue, with 16 fractional bits.
    typealias Gains = (red: Int32, green: Int32, blue: Int32)

    private let luma: Gains
    let blueChroma, redChroma: Gains
    /// The exact sum of luma's weights, so that white stays white.
    private let whole: Int32
    /// The offset of luma: its black level, and half a level for rounding.
    private let base: Int32

    init(isLimitedRange: Bool) {
        let gain = 65536 * (isLimitedRange ? 219 / 255.0 : 1)
        self.whole = Int32(gain.rounded())
        self.base = Int32((isLimitedRange ? 16.5 : 0.5) * 65536)
        let (red, blue) = (Int32((gain * 0.299).rounded()), Int32((gain * 0.114).rounded()))
        self.luma = (red, self.whole - red - blue, blue)

        // The sum of each chroma's weights is zero, so that gray stays gray.
        let unit = 65536 * (isLimitedRange ? 224 / 255.0 : 1)
        func minus(_ part: Double) -> Int32 { -Int32((unit * part).rounded()) }
        let (redOfBlue, greenOfBlue) = (minus(0.168736), minus(0.331264))
        let (blueOfRed, greenOfRed) = (minus(0.081312), minus(0.418688))
        self.blueChroma = (redOfBlue, greenOfBlue, -redOfBlue - greenOfBlue)
        self.redChroma = (-blueOfRed - greenOfRed, greenOfRed, blueOfRed)
    }

    func luma(_ rows: borrowing ChannelRows, into luma: UnsafeMutablePointer<UInt8>) {
        let (red, green, blue) = (rows[0], rows[1], rows[2])
        for x in 0..<rows.width {
            let sum =
                self.luma.red &* Int32(red[x]) &+ self.luma.green &* Int32(green[x]) &+ self.luma.blue &* Int32(blue[x])
            luma[x] = UInt8(truncatingIfNeeded: (sum &+ self.base) &>> 16)
        }
    }

    func luma(_ gray: UnsafePointer<UInt8>, into luma: UnsafeMutablePointer<UInt8>, width: Int) {
        for x in 0..<width {
            luma[x] = UInt8(truncatingIfNeeded: (self.whole &* Int32(gray[x]) &+ self.base) &>> 16)
        }
    }

    static func chroma(
        _ means: borrowing ChromaAverages, _ gains: Gains, into chroma: UnsafeMutablePointer<UInt8>
    ) {
        let (red, green, blue) = (means[0], means[1], means[2])
        for x in 0..<means.width {
            let sum = gains.red &* Int32(red[x]) &+ gains.green &* Int32(green[x]) &+ gains.blue &* Int32(blue[x])
            // The averages are sixteenths, which makes 20 fractional bits in all.
            chroma[x] = UInt8(truncatingIfNeeded: min(255, max(0, 128 &+ (sum &+ 1 << 19) &>> 20)))
        }
    }
}

/// A row of the average colours of pixels that share a chroma sample, in sixteenths of a level.
struct ChromaAverages: ~Copyable {
    /// The number of chroma samples, at most the initial one.
    var width: Int
    private let memory: ScratchMemory<UInt16>

    init(width: Int) {
        self.width = width
        self.memory = ScratchMemory(count: 3 * width, repeating: 0)
    }

    subscript(channel: Int) -> UnsafeMutablePointer<UInt16> { self.memory.start + channel * self.width }

    /// Sets the averages for 4:4:4, one pixel per sample.
    func copy(_ rows: borrowing ChannelRows) {
        for channel in 0..<3 {
            let (row, means) = (rows[channel], self[channel])
            for x in 0..<self.width { means[x] = UInt16(row[x]) &<< 4 }
        }
    }

    /// Sets the averages for 4:2:0, four pixels per sample, weighted by alpha so that transparent colours do not count.
    func average(_ upper: borrowing ChannelRows, _ lower: borrowing ChannelRows, isWeighted: Bool) {
        for channel in 0..<3 {
            let (above, below, means) = (upper[channel], lower[channel], self[channel])
            for x in 0..<self.width {
                let sum =
                    UInt16(above[2 &* x]) &+ UInt16(above[2 &* x &+ 1]) &+ UInt16(below[2 &* x])
                    &+ UInt16(below[2 &* x &+ 1])
                means[x] = sum &<< 2
            }
        }
        if isWeighted { self.weigh(upper, lower) }
    }

    private func weigh(_ upper: borrowing ChannelRows, _ lower: borrowing ChannelRows) {
        let (above, below) = (upper.alpha, lower.alpha)
        for x in 0..<self.width {
            let alphas = SIMD4<UInt32>(
                UInt32(above[2 &* x]), UInt32(above[2 &* x &+ 1]), UInt32(below[2 &* x]), UInt32(below[2 &* x &+ 1]))
            // With equal alphas the average stays.
            guard alphas != SIMD4(repeating: alphas[0]) || alphas[0] == 0 else { continue }
            let total = alphas.wrappedSum()
            for channel in 0..<3 {
                let (first, second) = (upper[channel] + 2 * x, lower[channel] + 2 * x)
                let colours = SIMD4<UInt32>(
                    UInt32(first[0]), UInt32(first[1]), UInt32(second[0]), UInt32(second[1]))
                let sum = 16 &* (colours &* alphas).wrappedSum() &+ total / 2
                self[channel][x] = total == 0 ? 0 : UInt16(truncatingIfNeeded: sum / total)
            }
        }
    }
}
