/// Shrinks one plane while its rows arrive: first down the columns, then along the row, Lanczos-3 both times.
///
/// Rows leave as soon as the last source row they need has come, so only a filter's height of source rows is held.
final class PlaneResampler {
    /// What becomes of the values on their way: `out = in · gain + offset`, clamped.
    struct Range {
        var gain = 1.0
        var offset = 0.0
        var clamp: ClosedRange<Int32> = 0...255

        /// As they came.
        static let kept = Range()
        /// From 0...255 to BT.601's 16...235.
        static let limitedLuma = Range(gain: 219 / 255.0, offset: 16, clamp: 16...235)
        /// From 0...255 around 128 to BT.601's 16...240 around 128.
        static let limitedChroma = Range(gain: 224 / 255.0, offset: 128 - 128 * 224 / 255.0, clamp: 16...240)
        /// From BT.601's 16...235 to 0...255.
        static let fullLuma = Range(gain: 255 / 219.0, offset: -16 * 255 / 219.0)
        /// From BT.601's 16...240 around 128 to 0...255 around 128.
        static let fullChroma = Range(gain: 255 / 224.0, offset: 128 - 128 * 255 / 224.0)
    }

    let ring: RowRing
    private(set) var output: Plane

    private let kernel: ResampleKernel
    private let across: ResampleAxis
    private let down: ResampleAxis
    private let isMirroredDown: Bool
    private let sourceHeight: Int
    private let sourceWidth: Int
    private let bias: Int32
    private let clamp: ClosedRange<Int32>
    private var rows: [UnsafePointer<UInt8>] = []
    private var middle: [Int16]
    /// Output rows done, in the order of the source.
    private var done = 0

    init(
        across: ResampleAxis.Geometry, down: ResampleAxis.Geometry, rowBytes: Int, rowsPerGroup: Int, range: Range,
        kernel: ResampleKernel
    ) {
        self.clamp = range.clamp
        self.kernel = kernel
        self.across = ResampleAxis(
            across, gain: range.gain, maxShift: ResampleKernel.maxRowShift, tapMultiple: ResampleKernel.rowTapMultiple)
        self.down = ResampleAxis(
            down, maxShift: ResampleKernel.maxColumnShift, tapMultiple: ResampleKernel.columnTapMultiple)
        self.isMirroredDown = down.isMirrored
        self.sourceWidth = across.inputCount
        self.sourceHeight = down.inputCount
        let shift = self.across.shift + ResampleKernel.middleBits
        self.bias = Int32((range.offset * Double(1 << shift)).rounded()) + (1 << shift) >> 1
        self.ring = RowRing(rowBytes: rowBytes, rowsPerGroup: rowsPerGroup, window: self.down.window)
        self.output = Plane(width: across.outputCount, height: down.outputCount)
        self.middle = [Int16](
            repeating: 0, count: (self.sourceWidth + 15) & ~15 + max(self.across.taps, ResampleKernel.rowTapMultiple))
    }

    /// Makes all output rows whose source rows are in the ring.
    func advance() {
        let available = min(self.ring.rowCount, self.sourceHeight)
        while self.done < self.down.count {
            let index = self.isMirroredDown ? self.down.count - 1 - self.done : self.done
            let start = Int(self.down.starts[index])
            guard min(start + self.down.window, self.sourceHeight) <= available else { return }
            self.makeRow(index, from: start)
            self.done += 1
        }
    }

    private func makeRow(_ index: Int, from start: Int) {
        // Taps beyond the last row have no weight; they only need to point somewhere.
        self.rows.removeAll(keepingCapacity: true)
        for tap in 0..<self.down.taps { self.rows.append(self.ring.row(min(start + tap, self.sourceHeight - 1))) }
        let offset = index * self.output.stride
        self.rows.withUnsafeBufferPointer { rows in
            self.down.weights.withUnsafeBufferPointer { weights in
                self.middle.withUnsafeMutableBufferPointer { middle in
                    self.output.samples.withUnsafeMutableBufferPointer { output in
                        self.kernel.columns(
                            rows.baseAddress!, weights: weights.baseAddress! + index * self.down.taps,
                            taps: self.down.taps, shift: self.down.shift - ResampleKernel.middleBits,
                            into: middle.baseAddress!, width: self.sourceWidth)
                        self.kernel.row(
                            middle.baseAddress!, axis: self.across, bias: self.bias, range: self.clamp,
                            into: output.baseAddress! + offset)
                    }
                }
            }
        }
    }
}
