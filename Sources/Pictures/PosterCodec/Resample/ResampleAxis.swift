import Glibc

/// The filter weights of each output sample along one axis.
///
/// Weights are 16-bit integers with a sum of exactly `gain · 2^shift`, normalised per output sample over the samples
/// that exist, so that borders are neither darkened nor mirrored.
struct ResampleAxis {
    /// The positions of input and output samples along the axis.
    struct Geometry: Hashable {
        /// The number of valid input samples, and how many of them there are per pixel of the original (1 or less).
        var inputCount: Int
        var samplesPerPixel: Double
        /// The part of the original that becomes the output, in pixels of the original.
        var window: PixelSpan
        var outputPixels: Int
        /// The output pixels per output sample: 1 for luma, 2 for the chroma of 4:2:0, with samples centred between
        /// pixels.
        var pixelsPerOutput: Int
        var isMirrored: Bool
        /// The sum of the weights; other than 1 to change the value range.
        var gain = 1.0
        /// The unit of a Gaussian kernel, in output pixels; `nil` for Lanczos, which keeps details.
        var blurUnit: Double?

        var outputCount: Int { (self.outputPixels + self.pixelsPerOutput - 1) / self.pixelsPerOutput }
    }

    let count: Int
    let inputCount: Int
    let isMirrored: Bool
    /// The weights per output sample; the last ones may be padding of zero.
    let taps: Int
    /// The index of the first input sample of each output sample, padded to a multiple of four entries.
    let starts: [Int32]
    /// `taps` per output sample, in the order of the input.
    let weights: [Int16]
    /// The fractional bits of the weights.
    let shift: Int32
    /// Maximum number of input samples per output sample, without padding.
    let window: Int

    /// - Parameters:
    ///   - maxShift: Maximum fractional bits that the kernel's accumulator allows.
    ///   - tapMultiple: `taps` is rounded up to a multiple of this.
    init(_ geometry: Geometry, maxShift: Int32, tapMultiple: Int) {
        let count = geometry.outputCount
        self.inputCount = geometry.inputCount
        self.isMirrored = geometry.isMirrored
        let inputPerOutput = geometry.window.length / Double(geometry.outputPixels) * geometry.samplesPerPixel
        let origin = geometry.window.start * geometry.samplesPerPixel
        let unit = max(Double(geometry.pixelsPerOutput), geometry.blurUnit ?? 0)
        let scale = max(1, inputPerOutput * unit)
        let kernel = geometry.blurUnit == nil ? FilterKernel.lanczos : .gaussian
        let support = FilterKernel.support * scale

        // Weights are computed as floats, because at most 16 bits of them matter.
        var exact: [Float] = []
        exact.reserveCapacity(count * (Int(2 * support) + 2))
        var spans: [Range<Int32>] = []
        spans.reserveCapacity(count)
        var heaviest: Float = 0
        var window = 1
        for index in 0..<count {
            let along = (Double(index) + 0.5) * Double(geometry.pixelsPerOutput)
            let center =
                origin + (geometry.isMirrored ? Double(geometry.outputPixels) - along : along) * inputPerOutput
            let first = min(max(0, Int((center - support + 0.5).rounded(.down))), geometry.inputCount - 1)
            let end = max(first + 1, min(geometry.inputCount, Int((center + support + 0.5).rounded(.down))))
            let from = exact.count
            kernel.append(
                to: &exact, from: (Double(first) + 0.5 - center) / scale, by: 1 / scale, count: end - first)
            var sum = 0.0
            for tap in from..<exact.count { sum += Double(exact[tap]) }
            let factor = Float(geometry.gain / sum)
            for tap in from..<exact.count {
                exact[tap] *= factor
                heaviest = max(heaviest, abs(exact[tap]))
            }
            spans.append(Int32(first)..<Int32(end))
            window = max(window, end - first)
        }

        // As many fractional bits as fit in 16 bits with the largest weight.
        var shift = maxShift
        while shift > 0, heaviest * Float(1 << shift) > 32766 { shift -= 1 }
        let one = Double(1 << shift)
        let whole = Self.rounded(geometry.gain * one)
        let taps = (window + tapMultiple - 1) / tapMultiple * tapMultiple
        let padded = (count + 3) & ~3
        var starts = [Int32](repeating: 0, count: padded)
        var weights = [Int16](repeating: 0, count: padded * taps)
        var next = 0
        for (index, span) in spans.enumerated() {
            starts[index] = span.lowerBound
            // Rounding must not change brightness: the running sum is rounded, so that the sum of the weights is exact
            // and each is off by less than one.
            var sum = 0.0
            var before = 0
            for tap in 0..<span.count {
                sum += Double(exact[next + tap]) * one
                let after = tap == span.count - 1 ? whole : Self.rounded(sum)
                weights[index * taps + tap] = Int16(after - before)
                before = after
            }
            next += span.count
        }
        self.shift = shift
        self.count = count
        if let copies = Self.copies(
            count: count, taps: taps, starts: starts, weights: weights, tapMultiple: tapMultiple)
        {
            (self.taps, self.window, self.starts, self.weights) = (tapMultiple, 1, copies.starts, copies.weights)
        } else {
            (self.taps, self.window, self.starts, self.weights) = (taps, window, starts, weights)
        }
    }

    /// Rounds to the nearest integer. Above 2^52 a double has no fraction left; the C library's `round` is many times
    /// slower.
    private static func rounded(_ value: Double) -> Int {
        let magic = 0x1.8p52
        return Int(value + magic - magic)
    }

    /// Reduces the weights to one tap if each output sample is one input sample, as at 1:1; `nil` for other weights.
    private static func copies(
        count: Int, taps: Int, starts: [Int32], weights: [Int16], tapMultiple: Int
    ) -> (starts: [Int32], weights: [Int16])? {
        var (copied, single) = (starts, [Int16](repeating: 0, count: starts.count * tapMultiple))
        for index in 0..<count {
            let row = weights[index * taps..<(index + 1) * taps]
            guard let used = row.firstIndex(where: { $0 != 0 }), row[(used + 1)...].allSatisfy({ $0 == 0 }) else {
                return nil
            }
            copied[index] += Int32(used - row.startIndex)
            single[index * tapMultiple] = weights[used]
        }
        return (copied, single)
    }
}
