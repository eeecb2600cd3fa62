/// The power of a plane's low, middle and high frequencies over sampled blocks.
struct BandStatistics {
    /// Keeps logarithms of powers finite.
    private static let floor: Float = 0.1
    /// The number of frequencies in each band.
    private static let sizes: InlineArray<3, Float> = [3, 12, 48]

    private var sums: InlineArray<3, Float> = [0, 0, 0]
    private var logarithms: InlineArray<3, Float> = [0, 0, 0]
    private var count: Float = 0

    /// - Parameters: The power of the lowest 2 × 2 and 4 × 4 frequencies, and of all.
    mutating func add(inner: Float, middle: Float, all: Float) {
        let bands: InlineArray<3, Float> = [inner, middle - inner, all - middle]
        self.count += 1
        for index in 0..<3 {
            let power = max(0, bands[index]) / Self.sizes[index]
            self.sums[index] += power
            self.logarithms[index] += (power + Self.floor).portableLogarithm
        }
    }

    /// The logarithms of the means of the three bands, then the means of their logarithms.
    var values: [Float] {
        let count = max(1, self.count)
        let flat = Self.floor.portableLogarithm
        return (0..<3).map { (self.sums[$0] / count + Self.floor).portableLogarithm }
            + (0..<3).map { self.count > 0 ? self.logarithms[$0] / count : flat }
    }
}

extension BlockSpectrum {
    typealias Mask = SIMDMask<SIMD8<Int32>>

    private static let lowestTwo = Mask([true, true, false, false, false, false, false, false])
    static let lowestFour = Mask([true, true, true, true, false, false, false, false])

    /// The power of the lowest 2 × 2 and 4 × 4 frequencies, and of all.
    var bands: (inner: Float, middle: Float, all: Float) {
        let inner = (self.rows[0] + self.rows[1]).replacing(with: 0, where: .!Self.lowestTwo)
        let upper = self.rows[0] + self.rows[1] + self.rows[2] + self.rows[3]
        let lower = self.rows[4] + self.rows[5] + self.rows[6] + self.rows[7]
        let middle = upper.replacing(with: 0, where: .!Self.lowestFour)
        return (inner.sum(), middle.sum(), (upper + lower).sum())
    }
}

extension Float {
    /// The natural logarithm of a positive normal number, with an error of about the last digit. The C library's result
    /// depends on the CPU, and other results would be other bytes under the same entity tag.
    var portableLogarithm: Float {
        // The exponent that leaves a fraction from √½ to √2.
        let exponent = Int32(bitPattern: self.bitPattern &- 0x3F35_04F3) >> 23
        let fraction = Float(bitPattern: self.bitPattern &- UInt32(bitPattern: exponent << 23))
        // The logarithm is twice the inverse hyperbolic tangent of this ratio.
        let ratio = (fraction - 1) / (fraction + 1)
        let square = ratio * ratio
        let series = 1 + square * (0.333333333 + square * (0.2 + square * 0.142857143))
        return Float(exponent) * 0.693147181 + 2 * ratio * series
    }
}
