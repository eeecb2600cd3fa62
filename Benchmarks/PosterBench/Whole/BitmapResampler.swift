/// Shrinks a whole bitmap with Lanczos-3: first the columns into a row of floats, then that row.
///
/// Columns are first because a bitmap's rows are long and contiguous: this needs one row instead of a second bitmap.
/// All four channels are filtered, as in any resize of RGBA; posters are opaque, so nothing has to be premultiplied.
struct BitmapResampler {
    private let across: BitmapFilter
    private let down: BitmapFilter

    init(from source: (width: Int, height: Int), to size: (width: Int, height: Int)) {
        self.across = BitmapFilter(inputCount: source.width, outputCount: size.width)
        self.down = BitmapFilter(inputCount: source.height, outputCount: size.height)
    }

    /// - Parameter bitmap: Has the size passed to the initialiser.
    func resample(_ bitmap: borrowing Bitmap) -> Bitmap {
        let small = Bitmap(width: self.across.spans.count, height: self.down.spans.count)
        let rowBytes = 4 * bitmap.width
        let middle = UnsafeMutablePointer<Float>.allocate(capacity: rowBytes)
        defer { middle.deallocate() }
        for (y, span) in self.down.spans.enumerated() {
            self.down.weights.withUnsafeBufferPointer { weights in
                Self.columns(
                    bitmap.samples + rowBytes * span.first,
                    rowBytes: rowBytes,
                    weights: UnsafeBufferPointer(rebasing: weights[span.weights]),
                    into: middle
                )
            }
            self.row(middle, into: small.samples + 4 * small.width * y)
        }
        return small
    }

    /// `out[x] = Σ weights[t] · top[t * rowBytes + x]` for all bytes of a row.
    ///
    /// Plain loops, which the compiler vectorises: in blocks that fit into the L1 cache, four rows per pass.
    private static func columns(
        _ top: UnsafePointer<UInt8>,
        rowBytes: Int,
        weights: UnsafeBufferPointer<Float>,
        into out: UnsafeMutablePointer<Float>
    ) {
        let block = 2048
        for left in stride(from: 0, to: rowBytes, by: block) {
            let count = min(block, rowBytes - left)
            let sums = out + left
            sums.update(repeating: 0, count: count)
            var row = top + left
            var tap = 0
            while tap + 4 <= weights.count {
                let (a, b, c, d) = (row, row + rowBytes, row + 2 * rowBytes, row + 3 * rowBytes)
                let (wa, wb, wc, wd) = (weights[tap], weights[tap + 1], weights[tap + 2], weights[tap + 3])
                for x in 0..<count {
                    sums[x] += Float(a[x]) * wa + Float(b[x]) * wb + Float(c[x]) * wc + Float(d[x]) * wd
                }
                row += 4 * rowBytes
                tap += 4
            }
            while tap < weights.count {
                let weight = weights[tap]
                for x in 0..<count { sums[x] += Float(row[x]) * weight }
                row += rowBytes
                tap += 1
            }
        }
    }

    private func row(_ middle: UnsafePointer<Float>, into out: UnsafeMutablePointer<UInt8>) {
        let pixels = UnsafeRawPointer(middle)
        self.across.weights.withUnsafeBufferPointer { weights in
            for (x, span) in self.across.spans.enumerated() {
                var sum = SIMD4<Float>(repeating: 0)
                var offset = 16 * span.first
                for tap in span.weights {
                    sum += pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self) * weights[tap]
                    offset += 16
                }
                // At 2^23 a float has no fraction bits: the addition rounds, and the lowest bits are the result.
                let rounded = sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)) + 8_388_608
                for channel in 0..<4 {
                    out[4 * x + channel] = UInt8(truncatingIfNeeded: rounded[channel].bitPattern)
                }
            }
        }
    }
}
