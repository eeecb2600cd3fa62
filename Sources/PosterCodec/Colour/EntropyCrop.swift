import Glibc

/// Finds the part of a picture with the most varied tones.
struct EntropyCrop {
    /// Tones that are told apart.
    private static let levels = 64
    /// Positions that are tried along the side that is cut.
    private static let steps = 32

    /// The upper left corner of the part of `size` whose histogram of luma has the highest entropy; of several, the one
    /// nearest to the centre.
    static func corner(of size: OutputSize, in pixels: PixelBuffer) -> (x: Int, y: Int) {
        let rest = (x: pixels.width - size.width, y: pixels.height - size.height)
        guard rest.x > 0 || rest.y > 0 else { return (0, 0) }
        let isAcross = rest.x >= rest.y
        let length = isAcross ? rest.x : rest.y
        // One histogram per line along the cut side; a part's is the sum of its lines'.
        let lines = Self.histograms(pixels, columns: isAcross)
        let window = isAcross ? size.width : size.height
        let offsets = Set((0...Self.steps).map { length * $0 / Self.steps }).sorted()
        var best = (offset: length / 2, entropy: -1.0)
        for offset in offsets.sorted(by: { abs(2 * $0 - length) < abs(2 * $1 - length) }) {
            let entropy = Self.entropy(lines[offset..<offset + window])
            // By more than a rounding: the centre wins where nothing is to be found.
            if entropy > best.entropy + 1e-6 { best = (offset, entropy) }
        }
        return isAcross ? (best.offset, rest.y / 2) : (rest.x / 2, best.offset)
    }

    private static func histograms(_ pixels: PixelBuffer, columns: Bool) -> [[Int32]] {
        let count = columns ? pixels.width : pixels.height
        var lines = [[Int32]](repeating: [Int32](repeating: 0, count: Self.levels), count: count)
        pixels.samples.withUnsafeBufferPointer { from in
            var at = 0
            for y in 0..<pixels.height {
                for x in 0..<pixels.width {
                    let luma =
                        pixels.channels == 1
                        ? Int(from[at]) : (77 * Int(from[at]) + 150 * Int(from[at + 1]) + 29 * Int(from[at + 2])) >> 8
                    // What cannot be seen does not count.
                    if pixels.channels != 4 || from[at + 3] > 127 { lines[columns ? x : y][luma >> 2] += 1 }
                    at += pixels.channels
                }
            }
        }
        return lines
    }

    /// Shannon's, in bits.
    private static func entropy(_ lines: ArraySlice<[Int32]>) -> Double {
        var histogram = [Int](repeating: 0, count: Self.levels)
        for line in lines {
            for level in 0..<Self.levels { histogram[level] += Int(line[level]) }
        }
        let total = Double(histogram.reduce(0, +))
        guard total > 0 else { return 0 }
        return histogram.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }
}
