/// A picture in 32 × 32 cells, shrunk as by libvips before its search for attention: averages of whole pixels, about
/// two per cell along a side, filtered with Lanczos-3. Averages of cells alone would blur edges, and other parts would
/// win.
struct AttentionCells {
    /// The cells along each side.
    static let side = 32
    /// Minimum number of averages per cell along a side.
    private static let blocksPerCell = 2

    /// Red, green and blue of each cell, 0...255, row by row.
    let colours: [SIMD3<Double>]

    /// Transparent pixels count as black.
    init(_ pixels: PixelBuffer) {
        let (across, down) = (Axis(pixels.width), Axis(pixels.height))
        let blocks = Self.averages(of: pixels, across: across, down: down)
        var rows: [SIMD3<Double>] = []
        for cell in 0..<Self.side {
            let (first, weights) = down.taps(of: cell)
            for column in 0..<across.count {
                var sum = SIMD3<Double>.zero
                for (tap, weight) in weights.enumerated() {
                    sum += weight * blocks[(first + tap) * across.count + column]
                }
                rows.append(sum)
            }
        }
        let taps = (0..<Self.side).map { across.taps(of: $0) }
        var colours: [SIMD3<Double>] = []
        for row in 0..<Self.side {
            for (first, weights) in taps {
                var sum = SIMD3<Double>.zero
                for (tap, weight) in weights.enumerated() { sum += weight * rows[row * across.count + first + tap] }
                colours.append(sum.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255)))
            }
        }
        self.colours = colours
    }

    /// The blocks of pixels along a side.
    private struct Axis {
        /// The length of the side in pixels.
        let length: Int
        /// The pixels of a block; the last one may have fewer.
        let size: Int
        let count: Int

        init(_ length: Int) {
            self.length = length
            self.size = max(1, length / (AttentionCells.blocksPerCell * AttentionCells.side))
            self.count = (length + self.size - 1) / self.size
        }

        func pixels(of block: Int) -> Range<Int> {
            block * self.size..<min((block + 1) * self.size, self.length)
        }

        /// The weights of a cell's blocks, with a sum of 1, and the index of the first block.
        func taps(of cell: Int) -> (first: Int, weights: [Double]) {
            let blocksPerCell = Double(self.length) / Double(self.size * AttentionCells.side)
            let scale = max(1, blocksPerCell)
            let centre = (Double(cell) + 0.5) * blocksPerCell
            let reach = FilterKernel.support * scale
            let first = max(0, Int((centre - reach).rounded(.down)))
            let last = min(self.count - 1, Int((centre + reach).rounded(.up)))
            var weights: [Float] = []
            FilterKernel.lanczos.append(
                to: &weights, from: (Double(first) + 0.5 - centre) / scale, by: 1 / scale, count: last - first + 1)
            let sum = weights.reduce(0) { $0 + Double($1) }
            return (first, weights.map { Double($0) / sum })
        }
    }

    private static func averages(of pixels: PixelBuffer, across: Axis, down: Axis) -> [SIMD3<Double>] {
        let (width, channels) = (pixels.width, pixels.channels)
        var averages: [SIMD3<Double>] = []
        averages.reserveCapacity(across.count * down.count)
        pixels.samples.withUnsafeBufferPointer { samples in
            for row in 0..<down.count {
                let rows = down.pixels(of: row)
                for column in 0..<across.count {
                    let columns = across.pixels(of: column)
                    var sum = SIMD3<Int>.zero
                    for y in rows {
                        var at = (y &* width &+ columns.lowerBound) &* channels
                        for _ in columns {
                            sum &+= Self.colour(samples, at: at, channels: channels)
                            at &+= channels
                        }
                    }
                    let count = Double(255 * rows.count * columns.count)
                    averages.append(SIMD3(Double(sum.x), Double(sum.y), Double(sum.z)) / count)
                }
            }
        }
        return averages
    }

    /// A pixel's red, green and blue, multiplied by its alpha.
    private static func colour(
        _ samples: UnsafeBufferPointer<UInt8>, at index: Int, channels: Int
    ) -> SIMD3<Int> {
        guard channels > 1 else { return SIMD3(repeating: 255 &* Int(samples[index])) }
        let alpha = channels == 4 ? Int(samples[index &+ 3]) : 255
        let colour = SIMD3(Int(samples[index]), Int(samples[index &+ 1]), Int(samples[index &+ 2]))
        return alpha &* colour
    }
}
