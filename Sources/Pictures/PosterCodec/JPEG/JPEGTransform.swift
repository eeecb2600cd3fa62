/// The forward discrete cosine transform of blocks of 8×8 samples (T.81, A.3.3), in floating point without fused
/// operations and in a fixed order: the same coefficients on every CPU.
enum JPEGTransform {
    /// The coefficients are this multiple of T.81's, rounded to whole numbers.
    static let scale = 8

    /// By sample: its part in each of the eight frequencies.
    private static let parts: [SIMD8<Float>] = {
        // cos(kπ/16) / 2 for k = 0...8.
        let cosines: [Float] = [
            0.5, 0.49039264, 0.46193977, 0.41573481, 0.35355339, 0.27778512, 0.19134172, 0.09754516, 0,
        ]
        return (0..<8).map { sample in
            var parts = SIMD8<Float>(repeating: cosines[4])
            for frequency in 1..<8 {
                // cos((2x + 1)uπ/16), by the symmetries of the cosine.
                let angle = (2 * sample + 1) * frequency % 32
                let folded = min(angle, 32 - angle)
                parts[frequency] = folded > 8 ? -cosines[16 - folded] : cosines[folded]
            }
            return parts
        }
    }()

    /// Transforms a block.
    ///
    /// - Parameters:
    ///   - rows: The offsets of its rows in `samples`; 8 samples of each are read.
    ///   - block: Receives 64 coefficients in natural order, times ``scale``.
    static func transform(
        _ rows: SIMD8<Int>, of samples: UnsafePointer<UInt8>, into block: UnsafeMutablePointer<Int16>
    ) {
        Self.parts.withUnsafeBufferPointer { parts in
            withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: 8) { lines in
                // By vertical frequency: the sums of the columns.
                for frequency in 0..<8 { lines[frequency] = .zero }
                for y in 0..<8 {
                    let bytes = UnsafeRawPointer(samples + rows[y]).loadUnaligned(as: SIMD8<UInt8>.self)
                    let row = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: bytes) &- 128)
                    for frequency in 0..<8 { lines[frequency] += row * parts[y][frequency] }
                }
                // A sum with it has the rounded value in its lowest bits.
                let rounding = SIMD8<Float>(repeating: 12_582_912)
                let offset = unsafeBitCast(rounding, to: SIMD8<Int32>.self)
                for vertical in 0..<8 {
                    var sums = SIMD8<Float>.zero
                    for x in 0..<8 { sums += parts[x] * lines[vertical][x] }
                    let bits = unsafeBitCast(sums * Float(Self.scale) + rounding, to: SIMD8<Int32>.self)
                    UnsafeMutableRawPointer(block + 8 * vertical).storeBytes(
                        of: SIMD8<Int16>(truncatingIfNeeded: bits &- offset), as: SIMD8<Int16>.self)
                }
            }
        }
    }
}
