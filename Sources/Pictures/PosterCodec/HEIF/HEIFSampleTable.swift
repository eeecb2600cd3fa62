/// Maps samples of a HEIF's bit depth to 8 bits, rounded.
struct HEIFSampleTable {
    /// The conversion of the range.
    enum Kind {
        /// Keeps the range.
        case luma, chroma
        /// Expands limited range: 16...235 becomes 0...255.
        case expanded
    }

    private let bitDepth: Int
    /// Empty if samples stay unchanged.
    private let samples: [UInt8]

    init(_ kind: Kind, bitDepth: Int, isFullRange: Bool) {
        self.bitDepth = bitDepth
        if bitDepth == 8, kind != .expanded || isFullRange {
            self.samples = []
            return
        }
        let last = Double(1 << bitDepth - 1)
        let step = Double(1 << (bitDepth - 8))
        self.samples = (0..<1 << bitDepth).map { value in
            let value = Double(value)
            let sample =
                switch (kind, isFullRange) {
                case (.luma, true), (.expanded, true): value * 255 / last
                // The middle value is preserved.
                case (.chroma, true): (value - 128 * step) * 255 / last + 128
                case (.luma, false), (.chroma, false): value / step
                case (.expanded, false): (value / step - 16) * 255 / 219
                }
            return UInt8(min(255, max(0, sample.rounded())))
        }
    }

    /// Converts a row of samples; samples of more than 8 bits take two bytes each.
    func convert(_ row: UnsafeRawPointer, count: Int, into target: UnsafeMutablePointer<UInt8>) {
        guard !self.samples.isEmpty else {
            UnsafeMutableRawPointer(target).copyMemory(from: row, byteCount: count)
            return
        }
        self.samples.withUnsafeBufferPointer { samples in
            if self.bitDepth == 8 {
                let row = row.assumingMemoryBound(to: UInt8.self)
                for x in 0..<count { target[x] = samples[Int(row[x])] }
            } else {
                let row = row.assumingMemoryBound(to: UInt16.self)
                // Decoders write no larger samples; the mask costs less than a check.
                let mask = UInt16(samples.count - 1)
                for x in 0..<count { target[x] = samples[Int(row[x] & mask)] }
            }
        }
    }
}
