/// The power of the frequencies in a block of 8 × 8 samples.
struct BlockSpectrum {
    typealias Row = SIMD8<Float>

    static let side = 8

    /// The squared coefficients of the orthonormal cosine transform: frequencies down by index, across by lane. The
    /// mean has no power.
    private(set) var rows: InlineArray<8, Row>
    /// The mean of the samples.
    private(set) var mean: Float

    /// - Parameters:
    ///   - start: The first sample of the block.
    ///   - stride: Bytes from one row to the next.
    ///   - gain: Multiplies the samples.
    init(_ start: UnsafePointer<UInt8>, stride: Int, gain: Float) {
        self.rows = InlineArray { y in
            let bytes = UnsafeRawPointer(start + y * stride).loadUnaligned(as: SIMD8<UInt8>.self)
            return Row(bytes) * gain
        }
        self.mean = 0
        self.transformColumns()
        self.transpose()
        self.transformColumns()
        self.mean = self.rows[0][0] / 8
        self.rows[0][0] = 0
        // Columns and rows are exchanged, which no sum over squares of frequencies depends on.
        for y in 0..<8 { self.rows[y] *= self.rows[y] }
    }

    /// The cosine transform of type II of all columns, by the symmetry of its rows.
    private mutating func transformColumns() {
        let (a, b) = (self.rows[0] + self.rows[7], self.rows[1] + self.rows[6])
        let (c, d) = (self.rows[2] + self.rows[5], self.rows[3] + self.rows[4])
        let (e, f) = (self.rows[0] - self.rows[7], self.rows[1] - self.rows[6])
        let (g, h) = (self.rows[2] - self.rows[5], self.rows[3] - self.rows[4])
        // Half the cosines of multiples of π/16.
        let (k1, k2, k3, k4) = (Float(0.490392640), Float(0.461939766), Float(0.415734806), Float(0.353553391))
        let (k5, k6, k7) = (Float(0.277785117), Float(0.191341716), Float(0.097545161))
        let (sum, difference) = (a + d, a - d)
        let (inner, innerDifference) = (b + c, b - c)
        self.rows[0] = (sum + inner) * k4
        self.rows[4] = (sum - inner) * k4
        self.rows[2] = difference * k2 + innerDifference * k6
        self.rows[6] = difference * k6 - innerDifference * k2
        self.rows[1] = e * k1 + f * k3 + g * k5 + h * k7
        self.rows[3] = e * k3 - f * k7 - g * k1 - h * k5
        self.rows[5] = e * k5 - f * k1 + g * k7 + h * k3
        self.rows[7] = e * k7 - f * k5 + g * k3 - h * k1
    }

    private mutating func transpose() {
        let rows = self.rows
        self.rows = InlineArray { y in
            Row(rows[0][y], rows[1][y], rows[2][y], rows[3][y], rows[4][y], rows[5][y], rows[6][y], rows[7][y])
        }
    }
}
