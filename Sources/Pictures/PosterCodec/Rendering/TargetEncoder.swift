/// Passes the resampled rows of one target to its encoder. Not thread-safe.
final class TargetEncoder {
    /// The index in the job.
    let index: Int
    let plan: RenderPlan
    /// The planes resampled for this target.
    private(set) var outputs: [ResampledPlane] = []
    /// The samples that the filters along rows read: the weight by which resampling time is divided.
    private(set) var samplesRead = 0
    /// Excludes the time of resampling, which is measured for all targets together.
    private(set) var timings = StageTimings()

    private let control: RenderControl
    private let watch: RenderWatch
    private let channels: [TargetChannel]
    /// `nil` if planes are encoded directly.
    private let converter: SRGBConverter?
    /// The converter's memory, 34 bytes per pixel of a row; `nil` without one.
    private let rows: ConversionRows?
    /// Draws the badges; `nil` without any.
    private let overlay: OverlayBlender?
    /// The number of rows per delivery; `nil` delivers all rows at once.
    private let bandRows: Int?
    private let keepsPicture: Bool
    private var bands: [Plane] = []
    private var rowsTaken = 0
    // The delivered content: a JPEG's writer, the planes of another file, or a whole picture.
    private var writer: JPEGWriter?
    private var planes: [Plane] = []
    private var picture: DownsampledPicture?

    /// The rows of a band of directly encoded planes: one group of the encoder.
    private static let directBandRows = JPEGWriter.bandRows
    /// The rows of a band of pixels, enough to make the set-up per band negligible.
    private static let pixelBandRows = 2 * JPEGWriter.bandRows

    /// - Parameters:
    ///   - transform: The conversion of the original's colours; `nil` if they are sRGB.
    ///   - keepsPicture: Whether the result is a picture instead of a file.
    /// - Throws: ``CodecError`` if the badges cannot be drawn.
    init(
        _ index: Int, plan: RenderPlan, model: PlaneModel, transform: ColourTransform?, keepsPicture: Bool,
        control: RenderControl, watch: RenderWatch
    ) throws(CodecError) {
        self.index = index
        self.plan = plan
        self.control = control
        self.watch = watch
        let isDirect = transform == nil && plan.encodesDirectly(model)
        self.channels = plan.channels(for: model, isDirect: isDirect)
        self.converter = isDirect ? nil : SRGBConverter(model: model, transform: transform)
        self.rows = isDirect ? nil : ConversionRows(width: plan.framing.resampledSize.width)
        self.overlay = try plan.overlay()
        // Planes for an encoder that needs all of them at once are not delivered in bands.
        let streams =
            !keepsPicture && plan.streams && plan.input != .pixels
            && (!isDirect || plan.input == .rows)
        self.bandRows = streams ? isDirect ? Self.directBandRows : Self.pixelBandRows : nil
        self.keepsPicture = keepsPicture
    }

    /// The geometry of this target's plane from the original's plane at `index`.
    func geometry(of plane: PlaneLayout.PlaneShape, at index: Int) -> PlaneGeometry {
        PlaneGeometry(of: plane, as: self.channels[index], plan: self.plan)
    }

    func addOutput(across: ResampleAxis, down: ResampleAxis) throws(CodecError) -> ResampledPlane {
        let channel = self.channels[self.outputs.count]
        let output = try ResampledPlane(
            across: across, down: down, range: channel.range,
            bandRows: self.bandRows.map { $0 / channel.pixelsPerSample })
        self.outputs.append(output)
        self.samplesRead += across.inputCount * down.count
        return output
    }

    /// Passes complete bands to the encoder.
    func takeBands() throws(CodecError) {
        guard let bandRows = self.bandRows else { return }
        let height = self.plan.framing.resampledSize.height
        while self.rowsTaken < height {
            let end = min(self.rowsTaken + bandRows, height)
            for index in self.outputs.indices {
                guard self.rows(index, upTo: end) <= self.outputs[index].done else { return }
            }
            for (index, output) in self.outputs.enumerated() {
                let count = self.rows(index, upTo: end) - self.rows(index, upTo: self.rowsTaken)
                if self.bands.count == index { self.bands.append(Plane(width: output.width, height: count)) }
                if self.bands[index].height != count { self.bands[index] = Plane(width: output.width, height: count) }
                try output.take(into: &self.bands[index])
            }
            try self.deliver(self.bands)
            self.rowsTaken = end
        }
    }

    /// The number of a plane's rows that begin above row `pixels` of the result; its samples may be larger than pixels.
    private func rows(_ index: Int, upTo pixels: Int) -> Int {
        let side = self.channels[index].pixelsPerSample
        return (pixels + side - 1) / side
    }

    /// Delivers a result that is not delivered in bands, once all rows are there.
    func takeRest() throws(CodecError) {
        self.bands = []
        guard self.bandRows == nil else { return }
        let start = self.control.now()
        var planes: [Plane] = []
        for output in self.outputs {
            var plane = try output.takePlane()
            if self.plan.source.orientation.swapsSides { plane = plane.transposed() }
            plane.padRight()
            planes.append(plane)
        }
        self.outputs = []
        self.timings.resample += self.control.now() - start
        try self.deliver(planes.take())
    }

    /// Removes the unencoded picture of a target that keeps it.
    func takePicture() throws(CodecError) -> DownsampledPicture {
        guard let picture = self.picture else { throw .internalError(reason: "a picture without rows") }
        self.picture = nil
        return picture
    }

    /// Removes the result; a JPEG is a finished file.
    func takeResult() throws(CodecError) -> PendingPicture.Content {
        switch self.plan.input {
        case .rows:
            let start = self.control.now()
            try self.watch.check()
            guard let writer = self.writer.take() else { throw .internalError(reason: "a picture without rows") }
            let file = try writer.finish()
            self.timings.encode += self.control.now() - start
            return .file(file)
        case .planes: return .planes(self.planes.take())
        case .pixels: return .pixels(try self.takePicture().pixels())
        }
    }

    /// Frees all memory; a begun file is not finished.
    func abandon() {
        self.writer = nil
        (self.outputs, self.bands, self.planes, self.picture) = ([], [], [], nil)
    }

    /// - Parameter planes: Rows of the result from ``rowsTaken`` on; badges are blended into a last reference in place.
    private func deliver(_ planes: consuming [Plane]) throws(CodecError) {
        let start = self.control.now()
        let band: DownsampledPicture
        if let converter {
            var pixels = try converter.pixels(planes, memory: self.rows, watch: self.watch)
            if self.plan.framing.isSearched {
                let corner =
                    self.plan.framing.position == .attention
                    ? AttentionCrop.corner(of: self.plan.size, in: pixels)
                    : EntropyCrop.corner(of: self.plan.size, in: pixels)
                pixels = pixels.cropped(to: self.plan.size, x: corner.x, y: corner.y)
            }
            if let duotone = self.plan.framing.duotone { pixels = duotone.pixels(pixels) }
            self.overlay?.blend(into: &pixels, top: self.rowsTaken)
            band = .pixels(pixels)
        } else {
            self.overlay?.blend(into: &planes, top: self.rowsTaken)
            band = .planes(planes)
        }
        let converted = self.control.now()
        try self.watch.check()
        try self.add(band)
        self.timings.resample += converted - start
        self.timings.encode += self.control.now() - converted
    }

    private func add(_ band: DownsampledPicture) throws(CodecError) {
        if self.keepsPicture || self.plan.input == .pixels {
            self.picture = band
            return
        }
        let planes = band.planes(for: self.plan, memory: self.rows)
        guard self.plan.input == .rows else {
            try self.planes.append(band: planes, height: self.plan.size.height)
            return
        }
        if self.writer == nil {
            // The first band shows whether the picture is gray.
            let encoder = JPEGEncoder(self.plan.encoderPlan)
            self.writer = try JPEGWriter(
                encoder, width: self.plan.size.width, height: self.plan.size.height, planeCount: planes.count,
                watch: self.watch)
        }
        try self.writer!.write(planes)
    }
}
