import Glibc

/// How much of a DCT coefficient is left after decoding to smaller blocks and Lanczos-3, along one axis.
struct ShrinkGain {
    /// By frequency, 0...7: the mean square of the output when each block has ±1 there, with no order in the signs.
    let output: [Double]
    /// The same for the decoded samples, before Lanczos-3.
    let decoded: [Double]

    /// - Parameters:
    ///   - blockSide: Of a decoded block, in samples: 1, 2, 4 or 8. libjpeg's smaller inverse DCTs give means of the
    ///     samples of the largest.
    ///   - scale: Decoded samples per output sample; less than 1 counts as 1.
    init(blockSide: Int, scale: Double) {
        let scale = max(1, scale)
        let group = 8 / blockSide
        let samples = (0..<8).map { frequency in
            (0..<blockSide).map { sample in
                (sample * group..<(sample + 1) * group).reduce(0.0) { sum, x in
                    sum + cos(Double((2 * x + 1) * frequency) * .pi / 16)
                } / Double(group) * (frequency == 0 ? 0.125.squareRoot() : 0.5)
            }
        }
        self.decoded = samples.map { row in
            // What cancels within a mean must be nothing, not nearly nothing.
            row.reduce(0) { $0 + (abs($1) < 1e-9 ? 0 : $1 * $1) } / Double(blockSide)
        }
        // Output samples may lie anywhere that the filter reaches the block from: four positions per sample.
        let step = scale / 4
        var output = [Double](repeating: 0, count: 8)
        for center in stride(from: -3 * scale, through: Double(blockSide) + 3 * scale, by: step) {
            let weights = (0..<blockSide).map { Self.lanczos((Double($0) + 0.5 - center) / scale) / scale }
            for frequency in 0..<8 where self.decoded[frequency] > 0 {
                let value = zip(weights, samples[frequency]).reduce(0) { $0 + $1.0 * $1.1 }
                output[frequency] += value * value * step / Double(blockSide)
            }
        }
        self.output = output
    }

    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        guard x != 0 else { return 1 }
        return 3 * sin(.pi * x) * sin(.pi * x / 3) / (.pi * .pi * x * x)
    }
}
