import CPosterCodecs

/// A JPEG on its way to the planes of the output: decoded group by group, resampled as the rows come.
struct JPEGPlanes {
    private(set) var timings = StageTimings()
    private var resamplers: [PlaneResampler] = []

    /// Decodes and resamples the whole picture.
    ///
    /// - Parameter bytes: The encoded picture; borrowed for the call.
    /// - Returns: The output's planes, upright: luma, and two of chroma at half size unless the picture is gray.
    mutating func decode(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, limits: CodecLimits, control: RenderControl,
        kernel: ResampleKernel
    ) throws(CodecError) -> [Plane] {
        let start = control.now()
        var reader = try JPEGReader()
        let size = try reader.open(bytes, stop: control.stop, maxScans: limits.maxScans)
        // Where libjpeg reads another header than the probe did, the limits were checked for another picture.
        guard size == (plan.source.width, plan.source.height, plan.source.sampling.count) else {
            throw .damaged(reason: "the JPEG has two frame headers that differ")
        }
        let layout = try reader.start(eighths: plan.eighths, maxScans: limits.maxScans)
        self.timings.decode += control.now() - start

        let setup = control.now()
        self.resamplers = Self.resamplers(layout, plan: plan, kernel: kernel)
        let strides = self.resamplers.map(\.ring.stride)
        self.timings.resample += control.now() - setup

        var targets = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: strides.count)
        for _ in 0..<layout.group_count {
            try control.stop.check()
            let before = control.now()
            for index in targets.indices { targets[index] = self.resamplers[index].ring.nextGroup }
            try reader.readGroup(targets, strides: strides)
            let between = control.now()
            for resampler in self.resamplers {
                resampler.ring.groupWasWritten()
                resampler.advance()
            }
            self.timings.decode += between - before
            self.timings.resample += control.now() - between
        }
        let end = control.now()
        try reader.finish()
        self.timings.decode += control.now() - end

        let turning = control.now()
        let planes = self.resamplers.map { resampler in
            plan.source.orientation.swapsSides ? resampler.output.transposed() : resampler.output
        }
        self.timings.resample += control.now() - turning
        return planes
    }

    private static func resamplers(
        _ layout: poster_jpeg_layout, plan: RenderPlan, kernel: ResampleKernel
    ) -> [PlaneResampler] {
        let all = [layout.planes.0, layout.planes.1, layout.planes.2]
        return all.prefix(Int(layout.component_count)).enumerated().map { index, plane in
            let isChroma = index > 0
            let orientation = plan.source.orientation
            // As the rows come; the planes are turned when they are complete.
            let (width, height) =
                orientation.swapsSides ? (plan.size.height, plan.size.width) : (plan.size.width, plan.size.height)
            let across = ResampleAxis.Geometry(
                inputCount: Int(plane.width),
                samplesPerPixel: Double(plane.horizontal * plane.block_side) / Double(layout.max_horizontal * 8),
                inputPixels: plan.source.width, outputPixels: width, pixelsPerOutput: isChroma ? 2 : 1,
                isMirrored: orientation.mirrorsColumns)
            let down = ResampleAxis.Geometry(
                inputCount: Int(plane.height),
                samplesPerPixel: Double(plane.vertical * plane.block_side) / Double(layout.max_vertical * 8),
                inputPixels: plan.source.height, outputPixels: height, pixelsPerOutput: isChroma ? 2 : 1,
                isMirrored: orientation.mirrorsRows)
            return PlaneResampler(
                across: across, down: down, rowBytes: Int(plane.row_bytes), rowsPerGroup: Int(plane.rows_per_group),
                range: plan.format == .webp ? (isChroma ? .limitedChroma : .limitedLuma) : .full, kernel: kernel)
        }
    }
}
