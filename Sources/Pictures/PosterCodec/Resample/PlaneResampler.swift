/// Resamples a plane while its rows arrive: first along columns, then along rows, with Lanczos-3 or, for a blur, a
/// Gaussian.
///
/// An output row is computed as soon as its last source row is available, so only the filter's height of source rows is
/// stored. Outputs that differ only along rows, such as in their value range, share the pass along columns.
final class PlaneResampler {
    private let rows: RowBuffer
    private let down: ResampleAxis
    private let kernel: ResampleKernel
    private var outputs: [ResampledPlane]
    private var taps: [UnsafePointer<UInt8>] = []
    private let middle: ScratchMemory<Int16>
    /// The number of output rows computed, in the order of the source.
    private var done = 0

    /// - Parameters:
    ///   - down: The weights along columns.
    ///   - outputs: Have `down`'s height, and weights for rows of the width of `rows`.
    init(_ rows: RowBuffer, down: ResampleAxis, outputs: [ResampledPlane], kernel: ResampleKernel) {
        self.rows = rows
        self.down = down
        self.outputs = outputs
        self.kernel = kernel
        self.taps.reserveCapacity(down.taps)
        let mostTaps = outputs.reduce(ResampleKernel.rowTapMultiple) { max($0, $1.across.taps) }
        self.middle = ScratchMemory(count: (rows.width + 15) & ~15 + mostTaps, repeating: 0)
    }

    /// Stops computing rows of an output.
    func drop(_ output: ResampledPlane) {
        self.outputs.removeAll { $0 === output }
    }

    /// Computes all output rows that the source rows in the store allow.
    func advance() {
        guard !self.outputs.isEmpty else { return }
        let available = min(self.rows.rowCount, self.down.inputCount)
        while self.done < self.down.count {
            let index = self.down.isMirrored ? self.down.count - 1 - self.done : self.done
            let start = Int(self.down.starts[index])
            guard min(start + self.down.window, self.down.inputCount) <= available else { return }
            self.makeRow(index, from: start)
            self.done += 1
        }
    }

    private func makeRow(_ index: Int, from start: Int) {
        // Taps beyond the last row have weight zero and need only a valid address.
        self.taps.removeAll(keepingCapacity: true)
        for tap in 0..<self.down.taps { self.taps.append(self.rows.row(min(start + tap, self.down.inputCount - 1))) }
        self.taps.withUnsafeBufferPointer { taps in
            self.down.weights.withUnsafeBufferPointer { weights in
                self.kernel.columns(
                    taps.baseAddress!, weights: weights.baseAddress! + index * self.down.taps, taps: self.down.taps,
                    shift: self.down.shift - ResampleKernel.middleBits, into: self.middle.start,
                    width: self.rows.width)
            }
        }
        for output in self.outputs { output.addRow(index, from: self.middle.start, kernel: self.kernel) }
    }
}
