/// Turns rows of RGB into rows of Y′CbCr (ITU-R BT.601; ITU-T T.871).
struct YCbCrEncoder {
    /// Parts of red, green and blue, with 16 fractional bits.
    private typealias Gains = (red: Int32, green: Int32, blue: Int32)

    private let luma, blueChroma, redChroma: Gains
    /// The sum of luma's parts, exactly, so that white is white.
    private let whole: Int32
    /// Luma's black, and half a level for rounding.
    private let base: Int32

    init(isLimitedRange: Bool) {
        let gain = 65536 * (isLimitedRange ? 219 / 255.0 : 1)
        self.whole = Int32(gain.rounded())
        self.base = Int32((isLimitedRange ? 16.5 : 0.5) * 65536)
        let (red, blue) = (Int32((gain * 0.299).rounded()), Int32((gain * 0.114).rounded()))
        self.luma = (red, self.whole - red - blue, blue)

        // Each chroma's parts add up to nothing, so that gray is gray.
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

    /// Of gray alone.
    func luma(_ gray: UnsafePointer<UInt8>, into luma: UnsafeMutablePointer<UInt8>, width: Int) {
        for x in 0..<width {
            luma[x] = UInt8(truncatingIfNeeded: (self.whole &* Int32(gray[x]) &+ self.base) &>> 16)
        }
    }

    func blueChroma(_ means: borrowing ChromaMeans, into chroma: UnsafeMutablePointer<UInt8>) {
        Self.chroma(means, self.blueChroma, into: chroma)
    }

    func redChroma(_ means: borrowing ChromaMeans, into chroma: UnsafeMutablePointer<UInt8>) {
        Self.chroma(means, self.redChroma, into: chroma)
    }

    private static func chroma(
        _ means: borrowing ChromaMeans, _ gains: Gains, into chroma: UnsafeMutablePointer<UInt8>
    ) {
        let (red, green, blue) = (means[0], means[1], means[2])
        for x in 0..<means.width {
            let sum = gains.red &* Int32(red[x]) &+ gains.green &* Int32(green[x]) &+ gains.blue &* Int32(blue[x])
            // The means are sixteenths: 20 fractional bits in all.
            chroma[x] = UInt8(truncatingIfNeeded: min(255, max(0, 128 &+ (sum &+ 1 << 19) &>> 20)))
        }
    }
}
