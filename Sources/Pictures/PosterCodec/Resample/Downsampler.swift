/// Resamples the planes of a picture while it is being decoded.
struct Downsampler {
    struct Channel {
        /// The pixels of the result per sample, along each axis: 2 for the chroma of 4:2:0, else 1.
        var pixelsPerSample = 1
        var range = PlaneResampler.Range.kept
    }

    let plan: RenderPlan
    let control: RenderControl
    let watch: RenderWatch
    let kernel: ResampleKernel
    private(set) var timings = StageTimings()

    /// Reads the whole of `source`.
    ///
    /// - Parameter channels: One for each plane of the source.
    /// - Returns: The upright planes, padded, of the plan's resampled size divided by the channel's factor.
    mutating func planes<Source: PlaneSource & ~Copyable>(
        of source: inout Source, as channels: [Channel]
    ) throws(CodecError) -> [Plane] {
        let resamplers = try self.resample(&source, as: channels, bandRows: nil) { _ throws(CodecError) in }
        let turning = self.control.now()
        let planes = try resamplers.map { (resampler) throws(CodecError) in
            var plane = try resampler.picture()
            if self.plan.source.orientation.swapsSides { plane = plane.transposed() }
            plane.padRight()
            return plane
        }
        self.timings.resample += self.control.now() - turning
        return planes
    }

    /// Reads the whole of `source` and delivers resampled rows in bands. The plan must be one that ``RenderPlan/streams``.
    ///
    /// - Parameters:
    ///   - bandRows: The rows of a band, except the last one; even.
    ///   - body: Called with each band of the planes that ``planes(of:as:)`` would return.
    mutating func stream<Source: PlaneSource & ~Copyable>(
        _ source: inout Source, as channels: [Channel], bandRows: Int,
        _ body: ([Plane]) throws(CodecError) -> Void
    ) throws(CodecError) {
        var bands: [Plane] = []
        var rowsTaken = 0
        let height = self.plan.framing.resampledSize.height
        var (inBody, control) = (UInt64(0), self.control)
        try self.resample(&source, as: channels, bandRows: bandRows) { (resamplers) throws(CodecError) in
            while rowsTaken < height {
                let end = min(rowsTaken + bandRows, height)
                // The rows of a plane that begin above the band's end; its samples may be larger than pixels.
                func rows(_ index: Int, upTo pixels: Int) -> Int {
                    (pixels + channels[index].pixelsPerSample - 1) / channels[index].pixelsPerSample
                }
                guard resamplers.indices.allSatisfy({ rows($0, upTo: end) <= resamplers[$0].done }) else { return }
                for (index, resampler) in resamplers.enumerated() {
                    let count = rows(index, upTo: end) - rows(index, upTo: rowsTaken)
                    if bands.count == index { bands.append(Plane(width: resampler.width, height: count)) }
                    if bands[index].height != count { bands[index] = Plane(width: resampler.width, height: count) }
                    try resampler.take(into: &bands[index])
                }
                let start = control.now()
                try body(bands)
                inBody += control.now() - start
                rowsTaken = end
            }
        }
        // The time in `body` is not resampling.
        self.timings.resample -= min(inBody, self.timings.resample)
    }

    /// - Parameter body: Called after each group of rows.
    @discardableResult
    private mutating func resample<Source: PlaneSource & ~Copyable>(
        _ source: inout Source, as channels: [Channel], bandRows: Int?,
        _ body: ([PlaneResampler]) throws(CodecError) -> Void
    ) throws(CodecError) -> [PlaneResampler] {
        let setup = self.control.now()
        let layout = source.layout
        let resamplers = try self.resamplers(for: layout, as: channels, bandRows: bandRows)
        let strides = resamplers.map(\.ring.stride)
        self.timings.resample += self.control.now() - setup

        var targets = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: strides.count)
        for _ in 0..<layout.groupCount {
            try self.watch.check()
            let before = self.control.now()
            for index in targets.indices { targets[index] = resamplers[index].ring.nextGroup }
            try source.readGroup(into: targets, strides: strides)
            let between = self.control.now()
            for resampler in resamplers {
                resampler.ring.groupWasWritten()
                resampler.advance()
            }
            try body(resamplers)
            self.timings.decode += between - before
            self.timings.resample += self.control.now() - between
        }
        let end = self.control.now()
        try source.finish()
        self.timings.decode += self.control.now() - end
        return resamplers
    }

    /// Creates the resamplers; planes of the same geometry share their weights.
    private func resamplers(
        for layout: PlaneLayout, as channels: [Channel], bandRows: Int?
    ) throws(CodecError) -> [PlaneResampler] {
        var rowAxes: [ResampleAxis.Geometry: ResampleAxis] = [:]
        var columnAxes: [ResampleAxis.Geometry: ResampleAxis] = [:]
        return try zip(layout.planes, channels).map { (plane, channel) throws(CodecError) in
            let (across, down) = self.geometry(of: plane, as: channel)
            let row =
                rowAxes[across]
                ?? ResampleAxis(
                    across, maxShift: ResampleKernel.maxRowShift, tapMultiple: ResampleKernel.rowTapMultiple)
            let column =
                columnAxes[down]
                ?? ResampleAxis(
                    down, maxShift: ResampleKernel.maxColumnShift, tapMultiple: ResampleKernel.columnTapMultiple)
            (rowAxes[across], columnAxes[down]) = (row, column)
            return try PlaneResampler(
                across: row, down: column, rowBytes: plane.rowBytes, rowsPerGroup: plane.rowsPerGroup,
                range: channel.range, kernel: self.kernel, bandRows: bandRows.map { $0 / channel.pixelsPerSample })
        }
    }

    private func geometry(
        of plane: PlaneLayout.PlaneShape, as channel: Channel
    ) -> (across: ResampleAxis.Geometry, down: ResampleAxis.Geometry) {
        let orientation = self.plan.source.orientation
        let size = self.plan.framing.resampledSize
        var (across, down) = self.plan.framing.window(of: self.plan.source.uprightSize)
        var (width, height) = (size.width, size.height)
        // In the order of decoding; the planes are transposed when they are complete.
        if orientation.swapsSides {
            (across, down) = (down, across)
            (width, height) = (height, width)
        }
        return (
            ResampleAxis.Geometry(
                inputCount: plane.width, samplesPerPixel: plane.samplesPerPixel.across,
                window: orientation.mirrorsColumns ? across.mirrored(in: self.plan.source.width) : across,
                outputPixels: width, pixelsPerOutput: channel.pixelsPerSample, isMirrored: orientation.mirrorsColumns,
                gain: channel.range.gain),
            ResampleAxis.Geometry(
                inputCount: plane.height, samplesPerPixel: plane.samplesPerPixel.down,
                window: orientation.mirrorsRows ? down.mirrored(in: self.plan.source.height) : down,
                outputPixels: height, pixelsPerOutput: channel.pixelsPerSample, isMirrored: orientation.mirrorsRows)
        )
    }
}

extension PixelSpan {
    /// The same range from the other end of a side.
    fileprivate func mirrored(in side: Int) -> PixelSpan {
        PixelSpan(start: Double(side) - self.start - self.length, length: self.length)
    }
}
