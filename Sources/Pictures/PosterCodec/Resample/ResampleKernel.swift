import CPosterCodecs

/// The inner loops of resampling, per instruction set. All give the same pixels, because integer sums that cannot
/// overflow do not depend on their order.
enum ResampleKernel: String, CaseIterable {
    case portable
    case avx2
    case neon

    /// Fractional bits of the samples between the two passes.
    static let middleBits: Int32 = 6

    /// Maximum fractional bits of the weights of ``columns(_:weights:taps:shift:into:width:)``: 8-bit samples times
    /// weights with a sum of magnitudes below 4 fit in 32 bits.
    static let maxColumnShift: Int32 = 20

    /// The same for ``row(_:axis:bias:range:into:)``, with 16-bit samples.
    static let maxRowShift: Int32 = 14

    /// `taps` of an axis must be a multiple of these.
    static let columnTapMultiple = 2
    static let rowTapMultiple = 16

    /// The kernel of this CPU, the only one with vectors that may be used on it.
    static let fastest: ResampleKernel =
        switch poster_resample_vectors() {
        case POSTER_VECTORS_AVX2: .avx2
        case POSTER_VECTORS_NEON: .neon
        default: .portable
        }

    /// Filters along columns: `out[x] = Σ weights[t] · rows[t][x]`, with ``middleBits`` fractional bits.
    ///
    /// - Parameters:
    ///   - rows: `taps` rows of 8-bit samples, readable up to `width` rounded up to a multiple of 16.
    ///   - shift: The number of dropped bits of the sum.
    ///   - out: As wide as the rows.
    func columns(
        _ rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int16>, taps: Int, shift: Int32,
        into out: UnsafeMutablePointer<Int16>, width: Int
    ) {
        switch self {
        case .avx2, .neon: poster_resample_columns(rows, weights, taps, shift, out, width)
        case .portable: Self.portableColumns(rows, weights: weights, taps: taps, shift: shift, into: out, width: width)
        }
    }

    /// Filters along a row: `out[x] = clamp((Σ weight · row[start + t] + bias) >> shift)`.
    ///
    /// - Parameters:
    ///   - row: Readable 16 samples beyond the last one.
    ///   - bias: Added before the shift: the rounding, and an offset of the value range.
    ///   - range: The range to which the output is clamped.
    ///   - out: Writable for the axis's count rounded up to a multiple of four.
    func row(
        _ row: UnsafePointer<Int16>, axis: borrowing ResampleAxis, bias: Int32, range: ClosedRange<Int32>,
        into out: UnsafeMutablePointer<UInt8>
    ) {
        let shift = axis.shift + Self.middleBits
        axis.starts.withUnsafeBufferPointer { starts in
            axis.weights.withUnsafeBufferPointer { weights in
                guard let starts = starts.baseAddress, let weights = weights.baseAddress else { return }
                switch self {
                case .avx2, .neon:
                    poster_resample_row(
                        row, starts, weights, axis.taps, bias, shift, range.lowerBound, range.upperBound, out,
                        (axis.count + 3) & ~3)
                case .portable:
                    Self.portableRow(
                        row, starts: starts, weights: weights, taps: axis.taps, count: axis.count,
                        rounding: (bias, shift), range: range, into: out)
                }
            }
        }
    }

    /// Halves two rows: `out[x]` is the rounded mean of the four samples at `2x` and `2x + 1`.
    ///
    /// - Parameters:
    ///   - upper: Readable up to `width` rounded up to a multiple of 32, as is `lower`.
    ///   - out: Writable for half of that.
    ///   - width: The valid samples; the last one of an odd number counts twice.
    func halve(
        _ upper: UnsafePointer<UInt8>, _ lower: UnsafePointer<UInt8>, into out: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        switch self {
        case .avx2, .neon: poster_resample_halve(upper, lower, out, width / 2)
        case .portable:
            for x in 0..<width / 2 {
                let sum =
                    UInt16(upper[2 &* x]) &+ UInt16(upper[2 &* x &+ 1]) &+ UInt16(lower[2 &* x])
                    &+ UInt16(lower[2 &* x &+ 1])
                out[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
            }
        }
        guard width % 2 == 1 else { return }
        let sum = UInt16(upper[width - 1]) + UInt16(lower[width - 1])
        out[width / 2] = UInt8((sum + 1) >> 1)
    }

    private static func portableColumns(
        _ rows: UnsafePointer<UnsafePointer<UInt8>>, weights: UnsafePointer<Int16>, taps: Int, shift: Int32,
        into out: UnsafeMutablePointer<Int16>, width: Int
    ) {
        let half = SIMD8<Int32>(repeating: (1 << shift) >> 1)
        let by = SIMD8<Int32>(repeating: shift)
        let low = SIMD8<Int32>(repeating: -32768)
        let high = SIMD8<Int32>(repeating: 32767)
        for x in stride(from: 0, to: width, by: 8) {
            var sum = half
            for tap in 0..<taps {
                let samples = UnsafeRawPointer(rows[tap] + x).loadUnaligned(as: SIMD8<UInt8>.self)
                let weight = SIMD8<Int32>(repeating: Int32(weights[tap]))
                sum &+= SIMD8<Int32>(truncatingIfNeeded: samples) &* weight
            }
            let clamped = (sum &>> by).clamped(lowerBound: low, upperBound: high)
            UnsafeMutableRawPointer(out + x).storeBytes(
                of: SIMD8<Int16>(truncatingIfNeeded: clamped), as: SIMD8<Int16>.self)
        }
    }

    private static func portableRow(
        _ row: UnsafePointer<Int16>, starts: UnsafePointer<Int32>, weights: UnsafePointer<Int16>, taps: Int,
        count: Int, rounding: (bias: Int32, shift: Int32), range: ClosedRange<Int32>,
        into out: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<count {
            let samples = UnsafeRawPointer(row + Int(starts[x]))
            let weight = UnsafeRawPointer(weights + x * taps)
            var sum = SIMD8<Int32>(repeating: 0)
            for tap in stride(from: 0, to: taps, by: 8) {
                let a = samples.loadUnaligned(fromByteOffset: 2 * tap, as: SIMD8<Int16>.self)
                let b = weight.loadUnaligned(fromByteOffset: 2 * tap, as: SIMD8<Int16>.self)
                sum &+= SIMD8<Int32>(truncatingIfNeeded: a) &* SIMD8<Int32>(truncatingIfNeeded: b)
            }
            let value = (sum.wrappedSum() &+ rounding.bias) >> rounding.shift
            out[x] = UInt8(truncatingIfNeeded: min(max(value, range.lowerBound), range.upperBound))
        }
    }
}
