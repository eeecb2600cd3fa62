/// The mean colours of a row of pixels that share chroma samples, in sixteenths of a level.
struct ChromaMeans: ~Copyable {
    /// Chroma samples.
    let width: Int
    private let memory: UnsafeMutablePointer<UInt16>

    init(width: Int) {
        self.width = width
        self.memory = .allocate(capacity: 3 * width)
        self.memory.initialize(repeating: 0, count: 3 * width)
    }

    deinit {
        self.memory.deallocate()
    }

    /// Red, green or blue.
    subscript(channel: Int) -> UnsafeMutablePointer<UInt16> { self.memory + channel * self.width }

    /// One pixel a sample.
    func copy(_ rows: borrowing ChannelRows) {
        for channel in 0..<3 {
            let (row, means) = (rows[channel], self[channel])
            for x in 0..<self.width { means[x] = UInt16(row[x]) &<< 4 }
        }
    }

    /// Four pixels a sample.
    ///
    /// - Parameter isWeighted: By alpha, so that colours that cannot be seen do not count.
    func average(_ upper: borrowing ChannelRows, _ lower: borrowing ChannelRows, isWeighted: Bool) {
        for channel in 0..<3 {
            let (above, below, means) = (upper[channel], lower[channel], self[channel])
            for x in 0..<self.width {
                let sum =
                    UInt16(above[2 &* x]) &+ UInt16(above[2 &* x &+ 1]) &+ UInt16(below[2 &* x])
                    &+ UInt16(below[2 &* x &+ 1])
                means[x] = sum &<< 2
            }
        }
        if isWeighted { self.weigh(upper, lower) }
    }

    private func weigh(_ upper: borrowing ChannelRows, _ lower: borrowing ChannelRows) {
        let (above, below) = (upper.alpha, lower.alpha)
        for x in 0..<self.width {
            let alphas = SIMD4<UInt32>(
                UInt32(above[2 &* x]), UInt32(above[2 &* x &+ 1]), UInt32(below[2 &* x]), UInt32(below[2 &* x &+ 1]))
            // Where all are alike, the mean stays as it is.
            guard alphas != SIMD4(repeating: alphas[0]) || alphas[0] == 0 else { continue }
            let total = alphas.wrappedSum()
            for channel in 0..<3 {
                let (first, second) = (upper[channel] + 2 * x, lower[channel] + 2 * x)
                let colours = SIMD4<UInt32>(
                    UInt32(first[0]), UInt32(first[1]), UInt32(second[0]), UInt32(second[1]))
                let sum = 16 &* (colours &* alphas).wrappedSum() &+ total / 2
                self[channel][x] = total == 0 ? 0 : UInt16(truncatingIfNeeded: sum / total)
            }
        }
    }
}
