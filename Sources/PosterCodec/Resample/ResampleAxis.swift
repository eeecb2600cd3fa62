/// Which input samples make each output sample along one axis, and with what weights.
///
/// Weights are 16-bit integers that add up to exactly `gain · 2^shift`, normalised per output sample over the samples
/// that exist, so that borders are neither darkened nor mirrored.
struct ResampleAxis {
    /// Where input and output samples lie, in a coordinate along the picture's edge.
    struct Geometry: Hashable {
        /// Input samples that are valid, and how many of them make up one pixel of the original (1 or less).
        var inputCount: Int
        var samplesPerPixel: Double
        /// The original's and the output's length in pixels.
        var inputPixels: Int
        var outputPixels: Int
        /// Output pixels per output sample: 1 for luma, 2 for the chroma of 4:2:0, whose samples sit between pixels.
        var pixelsPerOutput: Int
        /// Whether output runs against the input.
        var isMirrored: Bool

        var outputCount: Int { (self.outputPixels + self.pixelsPerOutput - 1) / self.pixelsPerOutput }
    }

    let count: Int
    /// Weights per output sample; the last ones may be padding of weight zero.
    let taps: Int
    /// The first input sample of each output sample, padded to a multiple of four entries.
    let starts: [Int32]
    /// `taps` per output sample, in the order of the input.
    let weights: [Int16]
    /// The weights' binary point.
    let shift: Int32
    /// The most input samples that any output sample really uses.
    let window: Int

    /// - Parameters:
    ///   - gain: What the weights add up to; not 1 where a change of range is folded in.
    ///   - maxShift: The most fractional bits that the kernel's accumulator can bear.
    ///   - tapMultiple: `taps` is rounded up to a multiple of this.
    init(_ geometry: Geometry, gain: Double = 1, maxShift: Int32, tapMultiple: Int) {
        let count = geometry.outputCount
        let inputPerOutput =
            Double(geometry.inputPixels) / Double(geometry.outputPixels) * geometry.samplesPerPixel
        let scale = max(1, inputPerOutput * Double(geometry.pixelsPerOutput))
        let support = LanczosKernel.support * scale

        var spans: [Range<Int>] = []
        spans.reserveCapacity(count)
        var exact: [Double] = []
        exact.reserveCapacity(count * (Int(2 * support) + 2))
        var heaviest = 0.0
        for index in 0..<count {
            let along = (Double(index) + 0.5) * Double(geometry.pixelsPerOutput)
            let center =
                (geometry.isMirrored ? Double(geometry.outputPixels) - along : along) * inputPerOutput
            let first = min(max(0, Int((center - support + 0.5).rounded(.down))), geometry.inputCount - 1)
            let end = max(first + 1, min(geometry.inputCount, Int((center + support + 0.5).rounded(.down))))
            let from = exact.count
            var sum = 0.0
            for sample in first..<end {
                let weight = LanczosKernel.value(at: (Double(sample) + 0.5 - center) / scale)
                exact.append(weight)
                sum += weight
            }
            for tap in from..<exact.count {
                exact[tap] *= gain / sum
                heaviest = max(heaviest, abs(exact[tap]))
            }
            spans.append(first..<end)
        }

        // As many fractional bits as the heaviest weight leaves room for in 16 bits.
        var shift = maxShift
        while shift > 0, heaviest * Double(1 << shift) > 32766 { shift -= 1 }
        self.shift = shift
        self.count = count
        (self.taps, self.window, self.starts, self.weights) = Self.quantised(
            exact, spans: spans, unit: Double(1 << shift), gain: gain, tapMultiple: tapMultiple)
    }

    private static func quantised(
        _ exact: [Double], spans: [Range<Int>], unit: Double, gain: Double, tapMultiple: Int
    ) -> (taps: Int, window: Int, starts: [Int32], weights: [Int16]) {
        let total = Int((gain * unit).rounded())
        var integers = exact.map { Int(($0 * unit).rounded()) }
        var trimmed: [(start: Int, taps: Range<Int>)] = []
        trimmed.reserveCapacity(spans.count)
        var window = 1
        var from = 0
        for span in spans {
            let all = from..<from + span.count
            // Rounding must not change brightness: the heaviest tap takes up what is missing.
            let heaviest = all.max { integers[$0] < integers[$1] }!
            integers[heaviest] += total - all.reduce(0) { $0 + integers[$1] }
            // Zeros at both ends are not worth their multiplications; at 1:1 only one tap remains.
            let first = all.first { integers[$0] != 0 } ?? all.lowerBound
            let last = all.last { integers[$0] != 0 } ?? all.lowerBound
            trimmed.append((span.lowerBound + first - all.lowerBound, first..<last + 1))
            window = max(window, last + 1 - first)
            from = all.upperBound
        }

        let taps = (window + tapMultiple - 1) / tapMultiple * tapMultiple
        let padded = (spans.count + 3) & ~3
        var starts = [Int32](repeating: 0, count: padded)
        var weights = [Int16](repeating: 0, count: padded * taps)
        for (index, entry) in trimmed.enumerated() {
            starts[index] = Int32(entry.start)
            for (offset, tap) in entry.taps.enumerated() { weights[index * taps + offset] = Int16(integers[tap]) }
        }
        return (taps, window, starts, weights)
    }
}
