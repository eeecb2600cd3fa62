/// Shrinks a whole bitmap: Lanczos-3 down the columns into one row of floats, then along that row.
///
/// Columns first, because a bitmap's rows are long and contiguous: no second bitmap is needed, only one row. All four
/// channels are filtered, as in any resize of RGBA; posters are opaque, so nothing has to be premultiplied.
struct BitmapResampler {
    private let across: BitmapFilter
    private let down: BitmapFilter

    init(from source: (width: Int, height: Int), to size: (width: Int, height: Int)) {
        self.across = BitmapFilter(inputCount: source.width, outputCount: size.width)
        self.down = BitmapFilter(inputCount: source.height, outputCount: size.height)
    }

    /// - Parameter bitmap: Of the size that was promised.
    func resample(_ bitmap: borrowing Bitmap) -> Bitmap {
        let small = Bitmap(width: self.across.spans.count, height: self.down.spans.count)
        let rowBytes = 4 * bitmap.width
        let middle = UnsafeMutablePointer<Float>.allocate(capacity: rowBytes)
        defer { middle.deallocate() }
        for (y, span) in self.down.spans.enumerated() {
            self.down.weights.withUnsafeBufferPointer { weights in
                Self.columns(
                    bitmap.samples + rowBytes * span.first, rowBytes: rowBytes,
                    weights: UnsafeBufferPointer(rebasing: weights[span.weights]), into: middle)
            }
            self.row(middle, into: small.samples + 4 * small.width * y)
        }
        return small
    }

    /// `out[x] = Σ weights[t] · top[t * rowBytes + x]` for all bytes of a row, sixteen at a time.
    private static func columns(
        _ top: UnsafePointer<UInt8>, rowBytes: Int, weights: UnsafeBufferPointer<Float>,
        into out: UnsafeMutablePointer<Float>
    ) {
        let vectors = rowBytes & ~15
        for x in stride(from: 0, to: vectors, by: 16) {
            var sum = SIMD16<Float>(repeating: 0)
            for tap in weights.indices {
                let samples = UnsafeRawPointer(top + tap * rowBytes + x).loadUnaligned(as: SIMD16<UInt8>.self)
                sum += SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: samples)) * weights[tap]
            }
            UnsafeMutableRawPointer(out + x).storeBytes(of: sum, as: SIMD16<Float>.self)
        }
        for x in vectors..<rowBytes {
            out[x] = weights.indices.reduce(0) { $0 + Float(top[$1 * rowBytes + x]) * weights[$1] }
        }
    }

    /// Makes one row of pixels from one of floats.
    private func row(_ middle: UnsafePointer<Float>, into out: UnsafeMutablePointer<UInt8>) {
        let pixels = UnsafeRawPointer(middle)
        self.across.weights.withUnsafeBufferPointer { weights in
            for (x, span) in self.across.spans.enumerated() {
                var sum = SIMD4<Float>(repeating: 0.5)
                var offset = 16 * span.first
                for tap in span.weights {
                    sum += pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self) * weights[tap]
                    offset += 16
                }
                let clamped = sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                UnsafeMutableRawPointer(out + 4 * x).storeBytes(
                    of: SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(clamped)), as: SIMD4<UInt8>.self)
            }
        }
    }
}
