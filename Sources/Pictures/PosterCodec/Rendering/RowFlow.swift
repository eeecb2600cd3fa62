/// Passes the decoded rows of one decode to its targets: for each plane, the levels that are read, and their
/// resamplers.
///
/// Rows are stored once for all targets. Targets of the same height, such as a JPEG and a WebP, share the pass along
/// columns, which takes most of the time.
struct RowFlow {
    /// Level 0 of each plane, into which the decoder writes.
    private let planes: [RowBuffer]
    private let resamplers: [PlaneResampler]
    private let kernel: ResampleKernel

    /// One pass along columns.
    private struct Pass {
        let level: Int
        let geometry: ResampleAxis.Geometry
        let down: ResampleAxis
        var outputs: [ResampledPlane]
    }

    /// Also creates the outputs of all targets.
    ///
    /// - Parameter places: The memory of retained rows; `nil` if none are retained.
    init(
        _ layout: PlaneLayout, to targets: [TargetEncoder], kernel: ResampleKernel, places: PlanePlaces? = nil
    ) throws(CodecError) {
        var axes = AxisCache()
        var planes: [RowBuffer] = []
        var resamplers: [PlaneResampler] = []
        for (index, plane) in layout.planes.enumerated() {
            var passes: [Pass] = []
            for target in targets {
                let geometry = target.geometry(of: plane, at: index)
                let known = passes.firstIndex { $0.level == geometry.level && $0.geometry == geometry.down }
                let down = known.map { passes[$0].down } ?? axes.column(geometry.down)
                let output = try target.addOutput(across: axes.row(geometry.across), down: down)
                if let known {
                    passes[known].outputs.append(output)
                } else {
                    passes.append(Pass(level: geometry.level, geometry: geometry.down, down: down, outputs: [output]))
                }
            }
            let staying = places.map { (level: $0.levels[index], place: $0.rows[index]) }
            // Existing rows are not decoded again: the first level is theirs.
            let first = places?.areFilled == true ? staying?.level ?? 0 : 0
            let deepest = passes.reduce(staying?.level ?? 0) { max($0, $1.level) }
            guard passes.allSatisfy({ $0.level >= first }) else {
                throw .internalError(reason: "a target that the planes do not serve")
            }
            let windows = (first...deepest).map { level in
                passes.reduce(1) { $1.level == level ? max($0, $1.down.window) : $0 }
            }
            var shape = plane
            if first > 0 {
                shape = plane.halved(times: first)
                shape.rowsPerGroup = plane.rowsPerGroup
            }
            let levels = RowBuffer.levels(
                of: shape, windows: windows,
                staying: staying.map { ($0.level - first, $0.place) })
            planes.append(levels[0])
            for pass in passes {
                resamplers.append(
                    PlaneResampler(levels[pass.level - first], down: pass.down, outputs: pass.outputs, kernel: kernel))
            }
        }
        self.planes = planes
        self.resamplers = resamplers
        self.kernel = kernel
    }

    /// The bytes from one row to the next, for each plane.
    var strides: [Int] { self.planes.map(\.stride) }

    /// Points each target to the memory for the next group of its plane.
    func placeGroup(into targets: inout [UnsafeMutablePointer<UInt8>?]) {
        for index in targets.indices { targets[index] = self.planes[index].nextGroup }
    }

    /// Computes all rows that the group makes possible.
    func groupWasWritten() {
        for plane in self.planes { plane.groupWasWritten(kernel: self.kernel) }
        for resampler in self.resamplers { resampler.advance() }
    }

    /// The retained rows that are written so far, one plane after the other; empty if none are retained.
    var retainedRows: [(offset: Int, bytes: UnsafeRawBufferPointer)] { self.planes.compactMap(\.retainedRows) }

    /// Stops computing rows for a target.
    func drop(_ target: TargetEncoder) {
        for output in target.outputs {
            for resampler in self.resamplers { resampler.drop(output) }
        }
    }
}

/// Caches the weights of one decode; planes and targets of the same geometry share them.
private struct AxisCache {
    private var rows: [ResampleAxis.Geometry: ResampleAxis] = [:]
    private var columns: [ResampleAxis.Geometry: ResampleAxis] = [:]

    mutating func row(_ geometry: ResampleAxis.Geometry) -> ResampleAxis {
        if let known = self.rows[geometry] { return known }
        let axis = ResampleAxis(
            geometry, maxShift: ResampleKernel.maxRowShift, tapMultiple: ResampleKernel.rowTapMultiple)
        self.rows[geometry] = axis
        return axis
    }

    mutating func column(_ geometry: ResampleAxis.Geometry) -> ResampleAxis {
        if let known = self.columns[geometry] { return known }
        let axis = ResampleAxis(
            geometry, maxShift: ResampleKernel.maxColumnShift, tapMultiple: ResampleKernel.columnTapMultiple)
        self.columns[geometry] = axis
        return axis
    }
}
