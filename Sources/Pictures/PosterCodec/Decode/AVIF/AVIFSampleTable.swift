/// The 8-bit sample for each one of an AVIF's depth, rounded.
struct AVIFSampleTable {
    /// What is done beside rounding.
    enum Kind {
        /// The range stays.
        case luma, chroma
        /// Limited range, of which 16...235 becomes 0...255.
        case expanded
    }

    private let bitDepth: Int
    /// Empty where samples stay as they are.
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
                // The middle stays the middle.
                case (.chroma, true): (value - 128 * step) * 255 / last + 128
                case (.luma, false), (.chroma, false): value / step
                case (.expanded, false): (value / step - 16) * 255 / 219
                }
            return UInt8(min(255, max(0, sample.rounded())))
        }
    }

    /// Converts a row of samples, of two bytes each when they have more than 8 bits.
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
                // A decoder writes none that is larger; the mask costs less than a check.
                let mask = UInt16(samples.count - 1)
                for x in 0..<count { target[x] = samples[Int(row[x] & mask)] }
            }
        }
    }
}
