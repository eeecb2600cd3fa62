/// Turns rows of Y′CbCr into rows of RGB (ITU-R BT.601; ITU-T T.871).
struct YCbCrDecoder {
    // 16 fractional bits; limited range is stretched on the way.
    private let luma, redFromRed, greenFromBlue, greenFromRed, blueFromBlue: Int32
    /// What is added to luma: its black, and half a level for rounding.
    private let base: Int32

    init(isLimitedRange: Bool) {
        func fixed(_ value: Double) -> Int32 { Int32((65536 * value).rounded()) }
        let chroma = isLimitedRange ? 255 / 224.0 : 1
        self.luma = fixed(isLimitedRange ? 255 / 219.0 : 1)
        self.base = (isLimitedRange ? -16 * self.luma : 0) + 32768
        self.redFromRed = fixed(chroma * 1.402)
        self.greenFromBlue = fixed(chroma * 0.344136)
        self.greenFromRed = fixed(chroma * 0.714136)
        self.blueFromBlue = fixed(chroma * 1.772)
    }

    /// Luma becomes red, blue chroma green, red chroma blue.
    func decode(
        _ first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
        _ third: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        for x in 0..<width {
            let y = Int32(first[x]) &* self.luma &+ self.base
            let blue = Int32(second[x]) &- 128
            let red = Int32(third[x]) &- 128
            first[x] = Self.sample(y &+ self.redFromRed &* red)
            second[x] = Self.sample(y &- self.greenFromBlue &* blue &- self.greenFromRed &* red)
            third[x] = Self.sample(y &+ self.blueFromBlue &* blue)
        }
    }

    /// Stretches the limited range of luma that stands alone.
    func decodeGray(_ row: UnsafeMutablePointer<UInt8>, width: Int) {
        for x in 0..<width { row[x] = Self.sample(Int32(row[x]) &* self.luma &+ self.base) }
    }

    private static func sample(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: min(255, max(0, value &>> 16)))
    }
}
