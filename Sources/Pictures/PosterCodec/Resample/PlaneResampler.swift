/// Resamples a plane while its rows arrive: first along columns, then along rows, with Lanczos-3 both times.
///
/// An output row is computed as soon as its last source row is there, so only the filter's height of source rows is
/// stored. Output rows wait in a band until they are taken.
final class PlaneResampler {
    /// A conversion of the value range, done with the filtering: `out = in · gain + offset`, clamped.
    struct Range {
        var gain = 1.0
        var offset = 0.0
        var clamp: ClosedRange<Int32> = 0...255

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
    /// The output rows that were not taken, from ``firstRow`` on.
    private var output: Plane
    private var firstRow = 0

    private let kernel: ResampleKernel
    private let across: ResampleAxis
    private let down: ResampleAxis
    private let bias: Int32
    private let clamp: ClosedRange<Int32>
    private var rows: [UnsafePointer<UInt8>] = []
    private var middle: [Int16]
    /// The number of output rows computed, in the order of the source.
    private(set) var done = 0

    /// - Parameters:
    ///   - across: The weights along rows, with the range's gain.
    ///   - bandRows: The output rows per band when they are taken from the top on; nil to store all.
    init(
        across: ResampleAxis, down: ResampleAxis, rowBytes: Int, rowsPerGroup: Int, range: Range,
        kernel: ResampleKernel, bandRows: Int?
    ) throws(CodecError) {
        guard bandRows == nil || !down.isMirrored else {
            throw .internalError(reason: "rows that come from below cannot be taken from the top")
        }
        self.clamp = range.clamp
        self.kernel = kernel
        self.across = across
        self.down = down
        let shift = self.across.shift + ResampleKernel.middleBits
        self.bias = Int32((range.offset * Double(1 << shift)).rounded()) + (1 << shift) >> 1
        self.ring = RowRing(rowBytes: rowBytes, rowsPerGroup: rowsPerGroup, window: self.down.window)
        let rowCount = bandRows.map { min($0 + Self.spareRows, down.count) } ?? down.count
        self.output = Plane(width: across.count, height: rowCount)
        self.rows.reserveCapacity(down.taps)
        self.middle = [Int16](
            repeating: 0, count: (across.inputCount + 15) & ~15 + max(across.taps, ResampleKernel.rowTapMultiple))
    }

    /// Additional rows of a band, because planes of half the size lag some rows.
    private static let spareRows = 16

    var width: Int { self.across.count }

    /// The whole output, when no rows were taken.
    func picture() throws(CodecError) -> Plane {
        guard self.firstRow == 0, self.done == self.down.count else { throw .internalError(reason: "rows are missing") }
        return self.output
    }

    /// Moves the first waiting rows, as many as `band` has, into `band`, padded on the right.
    func take(into band: inout Plane) throws(CodecError) {
        guard self.firstRow + band.height <= self.done, band.stride == self.output.stride else {
            throw .internalError(reason: "rows are taken before they are there")
        }
        let (count, left) = (band.height * band.stride, (self.done - self.firstRow) * band.stride)
        band.samples.withUnsafeMutableBufferPointer { band in
            self.output.samples.withUnsafeMutableBufferPointer { output in
                band.baseAddress!.update(from: output.baseAddress!, count: count)
                output.baseAddress!.update(from: output.baseAddress! + count, count: left - count)
            }
        }
        self.firstRow += band.height
        band.padRight()
    }

    /// Computes all output rows that the source rows in the ring allow.
    func advance() {
        let available = min(self.ring.rowCount, self.down.inputCount)
        while self.done < self.down.count {
            let index = self.down.isMirrored ? self.down.count - 1 - self.done : self.done
            let start = Int(self.down.starts[index])
            guard min(start + self.down.window, self.down.inputCount) <= available else { return }
            self.makeRow(index, from: start)
            self.done += 1
        }
    }

    private func makeRow(_ index: Int, from start: Int) {
        // Taps beyond the last row have weight zero and need a valid address only.
        self.rows.removeAll(keepingCapacity: true)
        for tap in 0..<self.down.taps { self.rows.append(self.ring.row(min(start + tap, self.down.inputCount - 1))) }
        let offset = (index - self.firstRow) * self.output.stride
        self.output.grow(toHold: index - self.firstRow + 1)
        self.rows.withUnsafeBufferPointer { rows in
            self.down.weights.withUnsafeBufferPointer { weights in
                self.middle.withUnsafeMutableBufferPointer { middle in
                    self.output.samples.withUnsafeMutableBufferPointer { output in
                        self.kernel.columns(
                            rows.baseAddress!, weights: weights.baseAddress! + index * self.down.taps,
                            taps: self.down.taps, shift: self.down.shift - ResampleKernel.middleBits,
                            into: middle.baseAddress!, width: self.across.inputCount)
                        self.kernel.row(
                            middle.baseAddress!, axis: self.across, bias: self.bias, range: self.clamp,
                            into: output.baseAddress! + offset)
                    }
                }
            }
        }
    }
}

/// A ring buffer of the decoded rows of one plane.
///
/// Shape: 8-bit samples, `stride` bytes a row; row `y` of the plane is in slot `y % capacity`. Rows are
/// written in groups; a group never wraps, because the capacity is a multiple of the group's size. Not thread-safe.
final class RowRing {
    let stride: Int
    let capacity: Int
    private let rowsPerGroup: Int
    private let samples: ScratchMemory<UInt8>
    /// The number of rows written so far.
    private(set) var rowCount = 0

    /// - Parameter window: The number of last rows that stay readable.
    init(rowBytes: Int, rowsPerGroup: Int, window: Int) {
        // Kernels read whole vectors, so the stride is a multiple of 32 and all of it is initialised.
        self.stride = (rowBytes + 31) & ~31
        self.rowsPerGroup = rowsPerGroup
        self.capacity = (window + 2 * rowsPerGroup - 2) / rowsPerGroup * rowsPerGroup
        self.samples = ScratchMemory(count: self.stride * self.capacity, repeating: 0)
    }

    var nextGroup: UnsafeMutablePointer<UInt8> {
        self.samples.start + self.rowCount % self.capacity * self.stride
    }

    func groupWasWritten() {
        self.rowCount += self.rowsPerGroup
    }

    func row(_ y: Int) -> UnsafePointer<UInt8> {
        UnsafePointer(self.samples.start + y % self.capacity * self.stride)
    }
}
