/// Downsamples a picture while it is being decoded.
struct Downsampling {
    /// What each plane becomes.
    struct Channel {
        /// Pixels of the result per sample: 2 for the chroma of 4:2:0, else 1.
        var pixelsPerSample = 1
        var range = PlaneResampler.Range.kept
    }

    let plan: RenderPlan
    let control: RenderControl
    let watch: RenderWatch
    let kernel: ResampleKernel
    private(set) var timings = StageTimings()

    init(plan: RenderPlan, control: RenderControl, watch: RenderWatch, kernel: ResampleKernel) {
        self.plan = plan
        self.control = control
        self.watch = watch
        self.kernel = kernel
    }

    /// Reads the whole of `source`.
    ///
    /// - Parameter channels: One for each plane of the source.
    /// - Returns: The planes, upright, of the plan's resampled size or smaller by the channel's factor.
    mutating func planes<Source: PlaneSource & ~Copyable>(
        of source: inout Source, as channels: [Channel]
    ) throws(CodecError) -> [Plane] {
        let setup = self.control.now()
        let layout = source.layout
        let resamplers = zip(layout.planes, channels).map { self.resampler(for: $0, as: $1) }
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
            self.timings.decode += between - before
            self.timings.resample += self.control.now() - between
        }
        let end = self.control.now()
        try source.finish()
        self.timings.decode += self.control.now() - end

        let turning = self.control.now()
        let planes = resamplers.map { resampler in
            self.plan.source.orientation.swapsSides ? resampler.output.transposed() : resampler.output
        }
        self.timings.resample += self.control.now() - turning
        return planes
    }

    private func resampler(for plane: PlaneLayout.Plane, as channel: Channel) -> PlaneResampler {
        let orientation = self.plan.source.orientation
        var (across, down) = self.plan.window
        var (width, height) = (self.plan.resampledSize.width, self.plan.resampledSize.height)
        // As the rows come; the planes are turned when they are complete.
        if orientation.swapsSides {
            (across, down) = (down, across)
            (width, height) = (height, width)
        }
        return PlaneResampler(
            across: ResampleAxis.Geometry(
                inputCount: plane.width, samplesPerPixel: plane.samplesPerPixel.across,
                window: orientation.mirrorsColumns ? across.mirrored(in: self.plan.source.width) : across,
                outputPixels: width, pixelsPerOutput: channel.pixelsPerSample,
                isMirrored: orientation.mirrorsColumns),
            down: ResampleAxis.Geometry(
                inputCount: plane.height, samplesPerPixel: plane.samplesPerPixel.down,
                window: orientation.mirrorsRows ? down.mirrored(in: self.plan.source.height) : down,
                outputPixels: height, pixelsPerOutput: channel.pixelsPerSample, isMirrored: orientation.mirrorsRows),
            rowBytes: plane.rowBytes, rowsPerGroup: plane.rowsPerGroup, range: channel.range, kernel: self.kernel)
    }
}

extension PixelSpan {
    /// The same stretch counted from the other end of a side.
    fileprivate func mirrored(in side: Int) -> PixelSpan {
        PixelSpan(start: Double(side) - self.start - self.length, length: self.length)
    }
}
