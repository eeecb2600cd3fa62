import Glibc

/// One channel of a picture as the cosine waves of a ``ThumbHash``: type-II DCT, only the low half of the frequencies,
/// on the diagonal's near side.
struct ThumbHashChannel {
    /// The mean, in units of the samples.
    private(set) var dc = 0.0
    /// The other waves, row by row of the frequencies, as 0...1 of ±``scale``.
    private(set) var ac: [Double] = []
    /// The largest amount among the other waves.
    private(set) var scale = 0.0

    /// - Parameters:
    ///   - samples: Row by row, `width * height` of them.
    ///   - columns: Frequencies along a row.
    ///   - rows: Frequencies along a column.
    init(_ samples: [Double], width: Int, height: Int, columns: Int, rows: Int) {
        let across = Self.cosines(columns, length: width)
        let down = Self.cosines(rows, length: height)
        for cy in 0..<rows {
            for cx in 0..<columns where cx * rows < columns * (rows - cy) {
                // Products and sum in exactly this order: a coefficient that is zero but for rounding decides about a
                // digit of the hash.
                var sum = 0.0
                for y in 0..<height {
                    let factor = down[cy * height + y]
                    for x in 0..<width { sum += samples[y * width + x] * across[cx * width + x] * factor }
                }
                sum /= Double(width * height)
                if cx == 0 && cy == 0 {
                    self.dc = sum
                } else {
                    self.ac.append(sum)
                    self.scale = max(self.scale, abs(sum))
                }
            }
        }
        // Without any waves all of them stay 0, the bottom of the range.
        guard self.scale > 0 else { return }
        for index in self.ac.indices { self.ac[index] = 0.5 + 0.5 / self.scale * self.ac[index] }
    }

    /// `length` values of each frequency, one frequency after the other.
    private static func cosines(_ count: Int, length: Int) -> [Double] {
        (0..<count).flatMap { frequency in
            (0..<length).map { cos(Double.pi / Double(length) * Double(frequency) * (Double($0) + 0.5)) }
        }
    }
}
