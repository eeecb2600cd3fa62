import Glibc

/// Converts samples of another gamma for a display exponent of 2.2. Alpha stays unchanged.
///
/// The levels are the same as libpng 1.6's, so that its renders stay valid.
struct PNGGamma {
    /// A wide sample is looked up by its upper 11 bits.
    private static let droppedBits = 5

    private let isWide: Bool
    /// The 8-bit level of each 8-bit sample, or of each step of wide ones.
    private let levels: [UInt8]

    /// - Parameters:
    ///   - gamma: The exponent that the samples were encoded with, times 100,000; above 0.
    ///   - isWide: Whether samples have 16 bits.
    init(_ gamma: Int32, isWide: Bool) {
        self.isWide = isWide
        let product = (Double(gamma) * 2.2).rounded()
        guard isWide else {
            let exponent = (1e10 / (Double(gamma) * 2.2)).rounded() * 1e-5
            self.levels = (0...255).map { UInt8(255 * pow(Double($0) / 255, exponent) + 0.5) }
            return
        }
        let last = 0xFFFF >> Self.droppedBits
        var levels: [UInt8] = []
        for level in 0..<255 {
            // The largest sample that is nearer to this level than to the next one.
            let bound = (65_535 * pow((257 * Double(level) + 128) / 65_535, product * 1e-5) + 0.5).rounded(.down)
            let end = (Int(bound) * last + 0x8000) / 65_535 + 1
            levels += [UInt8](repeating: UInt8(level), count: max(0, end - levels.count))
        }
        self.levels = levels + [UInt8](repeating: 255, count: max(0, last + 1 - levels.count))
    }

    /// A colour of a palette, red in the lowest byte, alpha in the highest.
    func converted(_ colour: UInt32) -> UInt32 {
        (0..<3).reduce(colour & 0xFF00_0000) { $0 | UInt32(self.levels[Int(colour >> (8 * $1) & 0xFF)]) << (8 * $1) }
    }

    /// Writes the colours of a row; the pixels' alpha, if any, comes last.
    ///
    /// - Parameters:
    ///   - row: Pixels of `channels` samples: 1 gray, 2 gray and alpha, 3 RGB, 4 RGB and alpha.
    ///   - targetChannels: The samples of a pixel of `target`, at least `channels`.
    func convert(
        _ row: UnsafePointer<UInt8>, channels: Int, width: Int, into target: UnsafeMutablePointer<UInt8>,
        targetChannels: Int
    ) {
        for x in 0..<width {
            for colour in 0..<(channels < 3 ? 1 : 3) {
                let index = x &* channels &+ colour
                let sample =
                    self.isWide
                    ? (Int(row[2 &* index]) << 8 | Int(row[2 &* index &+ 1])) >> Self.droppedBits : Int(row[index])
                target[x &* targetChannels &+ colour] = self.levels[sample]
            }
        }
    }
}
