/// The symbols of AC coefficients in a spectral band (T.81, F.1.2.2), counted in one pass to estimate the costs of the
/// next.
///
/// A symbol is a run of zeros, 0...15, times 16, plus the size of the value in bits, 0...10.
struct JPEGSymbolCounts {
    /// The end of a block's nonzero coefficients.
    static let endOfBlock = 0
    /// Sixteen zeros.
    static let longRun = 0xF0

    var counts = [UInt32](repeating: 0, count: 256)

    /// The costs before any count, in bits.
    static let initialCosts: [Float] = (0..<256).map { symbol in
        switch symbol {
        case Self.endOfBlock: return 2
        case Self.longRun: return 10
        default:
            let (run, size) = (Float(symbol >> 4), Float(symbol & 15))
            return 1.5 + 0.7 * run + 1.2 * size
        }
    }

    /// The costs in bits: entropies rather than the lengths of codes, as adjacent ends of blocks share one code.
    var costs: [Float] {
        let total = self.counts.reduce(1) { $0 + Float($1) }
        let all = Self.log2(total)
        // A symbol without counts may be used once.
        return self.counts.map { all - Self.log2(max(Float($0), 0.5)) }
    }

    /// The binary logarithm within 0.01. libm's may differ between CPUs.
    private static func log2(_ value: Float) -> Float {
        let fraction = value.significand - 1
        return Float(value.exponent) + fraction * (1.3465554 - 0.3465554 * fraction)
    }
}
