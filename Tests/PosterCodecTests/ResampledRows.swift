@testable import PosterCodec

/// A row store with its own resampler and output plane.
struct ResampledRows {
    let store: RowBuffer
    let output: ResampledPlane
    private let resampler: PlaneResampler
    private let kernel: ResampleKernel

    /// - Parameter bandRows: The number of rows that the output keeps; all of them if `nil`.
    init(
        across: ResampleAxis.Geometry, down: ResampleAxis.Geometry, rowBytes: Int, rowsPerGroup: Int,
        range: ResampledPlane.Range = .kept, kernel: ResampleKernel = .fastest, bandRows: Int? = nil
    ) throws(CodecError) {
        let rows = ResampleAxis(across, isRow: true, gain: range.gain)
        let columns = ResampleAxis(down, isRow: false)
        self.output = try ResampledPlane(across: rows, down: columns, range: range, bandRows: bandRows)
        self.store = RowBuffer(
            width: across.inputCount, height: down.inputCount, rowBytes: rowBytes, rowsPerGroup: rowsPerGroup,
            window: columns.window)
        self.resampler = PlaneResampler(self.store, down: columns, outputs: [self.output], kernel: kernel)
        self.kernel = kernel
    }

    /// Resamples after a group was written to ``store``.
    func groupWasWritten() {
        self.store.groupWasWritten(kernel: self.kernel)
        self.resampler.advance()
    }
}
