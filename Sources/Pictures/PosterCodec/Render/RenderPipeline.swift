/// The stages of one render: decode, resample, convert colours, crop, encode.
struct RenderPipeline {
    let plan: RenderPlan
    let limits: CodecLimits
    let control: RenderControl
    let watch: RenderWatch
    let kernel: ResampleKernel
    private(set) var timings = StageTimings()

    /// Starts the measurement of the render's CPU time.
    init(plan: RenderPlan, limits: CodecLimits, control: RenderControl, kernel: ResampleKernel = .fastest) {
        self.plan = plan
        self.limits = limits
        self.control = control
        self.watch = RenderWatch(control, limits: limits)
        self.kernel = kernel
    }

    /// The rows of a band of planes that are encoded directly: a group of the encoder's.
    private static let directBandRows = JPEGWriter.bandRows
    /// The rows of a band of pixels, enough to make the set-up per band negligible.
    private static let pixelBandRows = 2 * JPEGWriter.bandRows

    /// Decodes, resamples, converts colours and crops.
    ///
    /// - Parameter bytes: The encoded picture; borrowed for the call.
    mutating func picture(of bytes: UnsafeRawBufferPointer) throws(CodecError) -> DownsampledPicture {
        var sink = SinglePictureSink()
        try self.run(bytes, into: &sink, inBands: false)
        guard let picture = sink.picture else { throw .internalError(reason: "a picture without rows") }
        return picture
    }

    /// Decodes, resamples, converts colours, crops and encodes.
    mutating func encodedPicture(of bytes: UnsafeRawBufferPointer) throws(CodecError) -> EncodedBytes {
        switch self.plan.format {
        case .jpeg:
            var sink = JPEGSink(self.plan, watch: self.watch)
            try self.run(bytes, into: &sink, inBands: true)
            let start = self.control.now()
            try self.watch.check()
            let file = try sink.finish()
            self.timings.encode += self.control.now() - start
            return file
        case .webp:
            var sink = PlanesSink(self.plan)
            try self.run(bytes, into: &sink, inBands: true)
            let encoder = WebPEncoder(quality: self.plan.quality, method: self.plan.webPMethod)
            return try self.encode { (watch) throws(CodecError) in try encoder.encode(sink.take(), watch: watch) }
        case .png:
            let pixels = try self.picture(of: bytes).pixels()
            return try self.encode { (watch) throws(CodecError) in try PNGEncoder().encode(pixels, watch: watch) }
        }
    }

    private mutating func encode(
        _ body: (RenderWatch) throws(CodecError) -> EncodedBytes
    ) throws(CodecError) -> EncodedBytes {
        let start = self.control.now()
        try self.watch.check()
        let file = try body(self.watch)
        self.timings.encode += self.control.now() - start
        return file
    }

    /// - Parameter inBands: Whether the sink accepts more than one band.
    private mutating func run<Sink: PictureSink & ~Copyable>(
        _ bytes: UnsafeRawBufferPointer, into sink: inout Sink, inBands: Bool
    ) throws(CodecError) {
        let start = self.control.now()
        switch self.plan.source.format {
        case .jpeg:
            let tag = try JPEGParser.colourTag(of: bytes, header: self.plan.source, limits: self.limits)
            var reader = try JPEGDecoder(bytes, plan: self.plan, limits: self.limits, watch: self.watch)
            self.timings.decode += self.control.now() - start
            try self.run(&reader, tag: tag, into: &sink, inBands: inBands)
        case .png:
            var reader = try PNGDecoder(bytes, plan: self.plan, limits: self.limits, watch: self.watch)
            self.timings.decode += self.control.now() - start
            try self.run(&reader, tag: reader.colourTag, into: &sink, inBands: inBands)
        case .webp:
            var reader = try WebPDecoder(bytes, plan: self.plan, limits: self.limits, watch: self.watch)
            self.timings.decode += self.control.now() - start
            try self.run(&reader, tag: reader.colourTag, into: &sink, inBands: inBands)
        default:
            throw .unsupported(self.plan.source.format.rawValue)
        }
    }

    private mutating func run<Source: PlaneSource & ~Copyable, Sink: PictureSink & ~Copyable>(
        _ source: inout Source, tag: ColourTag, into sink: inout Sink, inBands: Bool
    ) throws(CodecError) {
        let model = source.layout.model
        // The conversion's memory must have been planned.
        guard tag.workingBytes <= self.plan.source.profileWorkingBytes else {
            throw .damaged(reason: "not the colour profile that the plan was made from")
        }
        let transform = SRGBConverter.transform(for: tag, model: model)
        var downsampler = Downsampler(
            plan: self.plan, control: self.control, watch: self.watch, kernel: self.kernel)
        let isDirect = transform == nil && self.plan.encodesDirectly(model)
        let channels =
            isDirect ? self.plan.directChannels(for: model) : .init(repeating: .init(), count: model.planeCount)
        let converter = isDirect ? nil : SRGBConverter(model: model, transform: transform)
        // Planes for an encoder that needs all of them at once are not delivered in bands.
        if inBands, self.plan.streams, !isDirect || self.plan.format == .jpeg {
            let rows = isDirect ? Self.directBandRows : Self.pixelBandRows
            try downsampler.stream(&source, as: channels, bandRows: rows) { (planes) throws(CodecError) in
                try self.deliver(planes, converter: converter, into: &sink)
            }
        } else {
            let planes = try downsampler.planes(of: &source, as: channels)
            try self.deliver(planes, converter: converter, into: &sink)
        }
        self.timings.decode += downsampler.timings.decode
        self.timings.resample += downsampler.timings.resample
    }

    /// - Parameter converter: nil when planes are encoded directly.
    private mutating func deliver<Sink: PictureSink & ~Copyable>(
        _ planes: [Plane], converter: SRGBConverter?, into sink: inout Sink
    ) throws(CodecError) {
        let start = self.control.now()
        var band = DownsampledPicture.planes(planes)
        if let converter {
            var pixels = try converter.pixels(planes, watch: self.watch)
            if case .search = self.plan.framing.crop {
                let corner = EntropyCrop.corner(of: self.plan.size, in: pixels)
                pixels = pixels.cropped(to: self.plan.size, x: corner.x, y: corner.y)
            }
            band = .pixels(pixels)
        }
        let converted = self.control.now()
        try self.watch.check()
        try sink.write(band)
        self.timings.resample += converted - start
        self.timings.encode += self.control.now() - converted
    }
}

extension RenderPlan {
    /// Whether the result's rows are produced from the top on.
    fileprivate var streams: Bool {
        if case .search = self.framing.crop { return false }
        return Downsampler.streams(self)
    }

    /// Whether resampled planes can be encoded without colour conversion.
    fileprivate func encodesDirectly(_ model: PlaneModel) -> Bool {
        if case .search = self.framing.crop { return false }
        guard !model.hasAlpha else { return false }
        switch model.colour {
        case .gray: return true
        case .yCbCr: return self.format != .png
        case .rgb, .cmyk, .ycck: return false
        }
    }

    /// The channels of gray or Y′CbCr planes that are encoded directly.
    fileprivate func directChannels(for model: PlaneModel) -> [Downsampler.Channel] {
        let luma: PlaneResampler.Range
        let chroma: PlaneResampler.Range
        switch (model.isLimitedRange, self.format == .webp) {
        case (false, true): (luma, chroma) = (.limitedLuma, .limitedChroma)
        case (true, false): (luma, chroma) = (.fullLuma, .fullChroma)
        case (true, true), (false, false): (luma, chroma) = (.kept, .kept)
        }
        let side = self.halvesChroma ? 2 : 1
        return (0..<model.colour.planeCount).map { index in
            index == 0
                ? Downsampler.Channel(range: luma) : Downsampler.Channel(pixelsPerSample: side, range: chroma)
        }
    }
}
