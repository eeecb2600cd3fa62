import Glibc

/// Finds the part of a picture with the highest entropy of luma.
struct EntropyCrop {
    /// The number of bins of the histogram.
    private static let levels = 64
    /// The number of steps between positions along the cropped side.
    private static let steps = 32

    /// The upper left corner of the part of `size` with the highest entropy; of equal parts, the one nearest to the
    /// centre.
    static func corner(of size: OutputSize, in pixels: PixelBuffer) -> (x: Int, y: Int) {
        let rest = (x: pixels.width - size.width, y: pixels.height - size.height)
        guard rest.x > 0 || rest.y > 0 else { return (0, 0) }
        let isAcross = rest.x >= rest.y
        let length = isAcross ? rest.x : rest.y
        let window = isAcross ? size.width : size.height
        let sums = Self.histograms(pixels, columns: isAcross)
        let offsets = Set((0...Self.steps).map { length * $0 / Self.steps })
        // From the centre outwards; at the same distance, the first one.
        let order = offsets.sorted { (abs(2 * $0 - length), $0) < (abs(2 * $1 - length), $1) }
        var best = (offset: length / 2, entropy: -1.0)
        for offset in order {
            let entropy = Self.entropy(sums, from: offset, to: offset + window)
            // By more than a rounding error, so that the centre wins in a flat picture.
            if entropy > best.entropy + 1e-6 { best = (offset, entropy) }
        }
        return isAcross ? (best.offset, rest.y / 2) : (rest.x / 2, best.offset)
    }

    /// Cumulative histograms of the lines along the cropped side: one before each line and one at the end, so that the
    /// histogram of any part is a difference of two.
    private static func histograms(_ pixels: PixelBuffer, columns: Bool) -> [Int32] {
        let count = columns ? pixels.width : pixels.height
        var sums = [Int32](repeating: 0, count: (count + 1) * Self.levels)
        pixels.samples.withUnsafeBufferPointer { from in
            sums.withUnsafeMutableBufferPointer { sums in
                var at = 0
                for y in 0..<pixels.height {
                    for x in 0..<pixels.width {
                        var luma = Int(from[at])
                        if pixels.channels != 1 {
                            luma = 77 &* luma &+ 150 &* Int(from[at &+ 1])
                            luma = (luma &+ 29 &* Int(from[at &+ 2])) &>> 8
                        }
                        // Transparent pixels do not count.
                        if pixels.channels != 4 || from[at &+ 3] > 127 {
                            let line = columns ? x : y
                            sums[(line &+ 1) &* Self.levels &+ luma &>> 2] &+= 1
                        }
                        at &+= pixels.channels
                    }
                }
                for index in Self.levels..<sums.count { sums[index] &+= sums[index &- Self.levels] }
            }
        }
        return sums
    }

    /// The Shannon entropy of the lines in between, in bits.
    private static func entropy(_ sums: [Int32], from first: Int, to end: Int) -> Double {
        let counts = (0..<Self.levels).map { Double(sums[end * Self.levels + $0] - sums[first * Self.levels + $0]) }
        let total = counts.reduce(0, +)
        return counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = count / total
            return sum - share * log2(share)
        }
    }
}
