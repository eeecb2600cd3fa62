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
        /// The part of the original that becomes the output, in the original's pixels along this axis.
        var window: PixelSpan
        /// The output's length in pixels.
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
        let inputPerOutput = geometry.window.length / Double(geometry.outputPixels) * geometry.samplesPerPixel
        let origin = geometry.window.start * geometry.samplesPerPixel
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
                origin + (geometry.isMirrored ? Double(geometry.outputPixels) - along : along) * inputPerOutput
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

    /// The input samples of one output sample.
    private struct Span {
        /// The first input sample, and how many there are. Neither first nor last ever goes back from one output sample
        /// to the next: the ring of rows relies on it.
        var first: Int
        var count: Int
        /// Where its weights begin.
        var weights: Int
    }

    private static func quantised(
        _ exact: [Double], spans: [Range<Int>], unit: Double, gain: Double, tapMultiple: Int
    ) -> (taps: Int, window: Int, starts: [Int32], weights: [Int16]) {
        var integers = [Int](repeating: 0, count: exact.count)
        var all: [Span] = []
        all.reserveCapacity(spans.count)
        for span in spans {
            let from = all.last.map { $0.weights + $0.count } ?? 0
            all.append(Span(first: span.lowerBound, count: span.count, weights: from))
            // Rounding must not change brightness: the running sum is rounded, not each weight, so the weights add up
            // exactly and none is off by as much as one, however many there are.
            var sum = 0.0
            var before = 0
            for tap in from..<from + span.count {
                sum += exact[tap] * unit
                let after = tap == from + span.count - 1 ? Int((gain * unit).rounded()) : Int(sum.rounded())
                integers[tap] = after - before
                before = after
            }
        }
        if let copies = Self.copies(all, of: integers) { all = copies }

        let window = all.map(\.count).max() ?? 1
        let taps = (window + tapMultiple - 1) / tapMultiple * tapMultiple
        let padded = (all.count + 3) & ~3
        var starts = [Int32](repeating: 0, count: padded)
        var weights = [Int16](repeating: 0, count: padded * taps)
        for (index, span) in all.enumerated() {
            starts[index] = Int32(span.first)
            for tap in 0..<span.count { weights[index * taps + tap] = Int16(integers[span.weights + tap]) }
        }
        return (taps, window, starts, weights)
    }

    /// At 1:1 every output sample is one input sample, and all other weights are zero: those need no multiplication.
    ///
    /// - Returns: nil unless that holds everywhere.
    private static func copies(_ spans: [Span], of weights: [Int]) -> [Span]? {
        var copies: [Span] = []
        for span in spans {
            let used = (span.weights..<span.weights + span.count).filter { weights[$0] != 0 }
            guard used.count == 1 else { return nil }
            copies.append(Span(first: span.first + used[0] - span.weights, count: 1, weights: used[0]))
        }
        return copies
    }
}
