/// A plane of a result, which its ``PlaneResampler`` fills row by row. Stores rows until they are taken.
final class ResampledPlane {
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

    /// The weights along rows, with the range's gain.
    let across: ResampleAxis
    private let bias: Int32
    private let clamp: ClosedRange<Int32>
    private let height: Int
    /// The rows that have not been taken, from ``firstRow`` on.
    private var plane: Plane
    private var firstRow = 0
    /// The number of rows computed.
    private(set) var done = 0

    /// - Parameters:
    ///   - across: The weights along rows, with the range's gain.
    ///   - down: The weights along columns, which determine the result's height.
    ///   - bandRows: Rows per band if rows are taken from the top on; `nil` to store all rows.
    init(across: ResampleAxis, down: ResampleAxis, range: Range, bandRows: Int?) throws(CodecError) {
        guard bandRows == nil || !down.isMirrored else {
            throw .internalError(reason: "rows that arrive bottom-up cannot be taken from the top")
        }
        self.across = across
        self.clamp = range.clamp
        let shift = across.shift + ResampleKernel.middleBits
        self.bias = Int32((range.offset * Double(1 << shift)).rounded()) + (1 << shift) >> 1
        self.height = down.count
        let rowCount = bandRows.map { min($0 + Self.spareRows, down.count) } ?? down.count
        self.plane = Plane(width: across.count, height: rowCount)
    }

    /// Additional rows of a band, because half-size planes lag some rows.
    private static let spareRows = 16

    var width: Int { self.across.count }

    /// Filters row `index` of the result.
    ///
    /// - Parameter middle: The row between the two passes; see ``ResampleKernel/row(_:axis:bias:range:into:)``.
    func addRow(_ index: Int, from middle: UnsafePointer<Int16>, kernel: ResampleKernel) {
        let offset = (index - self.firstRow) * self.plane.stride
        self.plane.grow(toHold: index - self.firstRow + 1)
        self.plane.samples.withUnsafeMutableBufferPointer { samples in
            kernel.row(
                middle, axis: self.across, bias: self.bias, range: self.clamp, into: samples.baseAddress! + offset)
        }
        self.done += 1
    }

    /// Removes and returns all rows; none may have been taken.
    func takePlane() throws(CodecError) -> Plane {
        guard self.firstRow == 0, self.done == self.height else { throw .internalError(reason: "rows are missing") }
        defer { self.plane = Plane(width: self.width, height: 0) }
        return self.plane
    }

    /// Moves the first waiting rows, as many as `band` has, into `band`, and pads them on the right.
    func take(into band: inout Plane) throws(CodecError) {
        guard self.firstRow + band.height <= self.done, band.stride == self.plane.stride else {
            throw .internalError(reason: "rows are taken before they are complete")
        }
        let (count, left) = (band.height * band.stride, (self.done - self.firstRow) * band.stride)
        band.samples.withUnsafeMutableBufferPointer { band in
            self.plane.samples.withUnsafeMutableBufferPointer { plane in
                band.baseAddress!.update(from: plane.baseAddress!, count: count)
                plane.baseAddress!.update(from: plane.baseAddress! + count, count: left - count)
            }
        }
        self.firstRow += band.height
        band.padRight()
    }
}
