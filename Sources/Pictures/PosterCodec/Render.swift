/// A rendered picture.
public struct RenderedPicture: Sendable {
    /// The encoded file.
    public let bytes: [UInt8]
    /// The size in pixels, as planned.
    public let size: OutputSize
    /// The format, as planned.
    public let format: OutputFormat
    /// Measured with the control's clock.
    public let timings: StageTimings
}

/// A rendered picture, whose file can be handed on without a copy.
public struct RenderedFile: ~Copyable, Sendable {
    /// The encoded file.
    public let bytes: EncodedBytes
    /// Measured with the control's clock.
    public let timings: StageTimings

    /// The file, without the timings.
    public consuming func takeBytes() -> EncodedBytes { self.bytes }
}

/// Renders a picture as planned.
///
/// Computes on the calling thread until it is done or `control` stops it.
///
/// - Parameters:
///   - bytes: The encoded original, of whose header the plan was made.
///   - limits: Those that the header cannot prove are checked while decoding.
/// - Throws: ``CodecError/truncated``, ``CodecError/damaged(reason:)``, ``CodecError/overLimit(_:value:limit:)`` (too
///   many scans, too much CPU time), ``CodecError/stopped`` or ``CodecError/outOfMemory``.
public func renderFile(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
) throws(CodecError) -> RenderedFile {
    try renderFile(bytes, plan: plan, limits: limits, control: control, kernel: .fastest)
}

/// As ``renderFile(_:plan:limits:control:)``, with the file's bytes as an array.
///
/// - Throws: The same.
public func render(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
) throws(CodecError) -> RenderedPicture {
    let file = try renderFile(bytes, plan: plan, limits: limits, control: control)
    return RenderedPicture(bytes: file.bytes.array, size: plan.size, format: plan.format, timings: file.timings)
}

/// Renders with a given resampling kernel.
func renderFile(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits, control: RenderControl, kernel: ResampleKernel
) throws(CodecError) -> RenderedFile {
    let plan = plan.choosingScans(in: bytes, limits: limits)
    var pipeline = RenderPipeline(plan: plan, limits: limits, control: control, kernel: kernel)
    return try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> RenderedFile in
        let file = try pipeline.encodedPicture(of: buffer)
        return RenderedFile(bytes: file, timings: pipeline.timings)
    }
}

/// The stages of one render: decode, resample, convert colours, crop, encode.
struct RenderPipeline {
    private let plan: RenderPlan
    private let control: RenderControl
    private let watch: RenderWatch
    private let kernel: ResampleKernel
    private(set) var timings = StageTimings()

    /// Starts the measurement of the render's CPU time.
    init(plan: RenderPlan, limits: CodecLimits, control: RenderControl, kernel: ResampleKernel = .fastest) {
        self.plan = plan
        self.control = control
        self.watch = RenderWatch(control, limits: limits)
        self.kernel = kernel
    }

    /// The rows of a band of planes that are encoded directly: a group of the encoder's.
    private static let directBandRows = JPEGWriter.bandRows
    /// The rows of a band of pixels, enough to make the set-up per band negligible.
    private static let pixelBandRows = 2 * JPEGWriter.bandRows

    /// Decodes, resamples, converts colours and crops.
    mutating func picture(of bytes: UnsafeRawBufferPointer) throws(CodecError) -> DownsampledPicture {
        var picture: DownsampledPicture?
        try self.run(bytes, inBands: false) { (whole) throws(CodecError) in picture = whole }
        guard let picture else { throw .internalError(reason: "a picture without rows") }
        return picture
    }

    /// Decodes, resamples, converts colours, crops and encodes.
    mutating func encodedPicture(of bytes: UnsafeRawBufferPointer) throws(CodecError) -> EncodedBytes {
        let (plan, watch) = (self.plan, self.watch)
        switch plan.format {
        case .jpeg:
            var writer: JPEGWriter?
            let encoder = JPEGEncoder(quality: plan.quality, halvesChroma: plan.halvesChroma)
            try self.run(bytes, inBands: true) { (band) throws(CodecError) in
                let planes = band.planes(for: plan)
                if writer == nil {
                    // The first band shows whether the picture is gray.
                    writer = try JPEGWriter(
                        encoder, width: plan.size.width, height: plan.size.height, planeCount: planes.count,
                        watch: watch)
                }
                try writer!.write(planes)
            }
            return try self.encode { () throws(CodecError) in
                guard let writer = writer.take() else { throw .internalError(reason: "a picture without rows") }
                return try writer.finish()
            }
        case .webp:
            var planes: [Plane] = []
            try self.run(bytes, inBands: true) { (band) throws(CodecError) in
                try planes.append(band: band.planes(for: plan), height: plan.size.height)
            }
            let encoder = WebPEncoder(quality: plan.quality, method: plan.webPMethod)
            return try self.encode { () throws(CodecError) in try encoder.encode(planes.take(), watch: watch) }
        case .png:
            let pixels = try self.picture(of: bytes).pixels()
            return try self.encode { () throws(CodecError) in try PNGEncoder().encode(pixels, watch: watch) }
        }
    }

    private mutating func encode(_ body: () throws(CodecError) -> EncodedBytes) throws(CodecError) -> EncodedBytes {
        let start = self.control.now()
        try self.watch.check()
        let file = try body()
        self.timings.encode += self.control.now() - start
        return file
    }

    /// - Parameter inBands: Whether `sink` may be called more than once, each time with the next rows.
    private mutating func run(
        _ bytes: UnsafeRawBufferPointer, inBands: Bool, _ sink: (DownsampledPicture) throws(CodecError) -> Void
    ) throws(CodecError) {
        let start = self.control.now()
        switch self.plan.source.format {
        case .jpeg:
            var source = try JPEGDecoder(bytes, plan: self.plan, watch: self.watch)
            try self.run(&source, since: start, inBands: inBands, sink)
        case .png:
            var source = try PNGDecoder(bytes, plan: self.plan, watch: self.watch)
            try self.run(&source, since: start, inBands: inBands, sink)
        case .webp:
            var source = try WebPDecoder(bytes, plan: self.plan, watch: self.watch)
            try self.run(&source, since: start, inBands: inBands, sink)
        default:
            throw .unsupported(self.plan.source.format.rawValue)
        }
    }

    private mutating func run<Source: PlaneSource & ~Copyable>(
        _ source: inout Source, since start: UInt64, inBands: Bool,
        _ sink: (DownsampledPicture) throws(CodecError) -> Void
    ) throws(CodecError) {
        self.timings.decode += self.control.now() - start
        let (model, tag) = (source.layout.model, source.colourTag)
        // The conversion's memory must have been planned.
        guard tag.workingBytes <= self.plan.source.profileWorkingBytes else {
            throw .damaged(reason: "not the colour profile that the plan was made from")
        }
        let transform = tag == .sRGB ? nil : SRGBConverter.transform(for: tag, model: model)
        let isDirect = transform == nil && self.plan.encodesDirectly(model)
        let channels =
            isDirect ? self.plan.directChannels(for: model) : .init(repeating: .init(), count: model.planeCount)
        let converter = isDirect ? nil : SRGBConverter(model: model, transform: transform)
        var downsampler = Downsampler(plan: self.plan, control: self.control, watch: self.watch, kernel: self.kernel)
        // Planes for an encoder that needs all of them at once are not delivered in bands.
        if inBands, self.plan.streams, !isDirect || self.plan.format == .jpeg {
            let rows = isDirect ? Self.directBandRows : Self.pixelBandRows
            try downsampler.stream(&source, as: channels, bandRows: rows) { (planes) throws(CodecError) in
                try self.deliver(planes, converter: converter, to: sink)
            }
        } else {
            let planes = try downsampler.planes(of: &source, as: channels)
            try self.deliver(planes, converter: converter, to: sink)
        }
        self.timings.decode += downsampler.timings.decode
        self.timings.resample += downsampler.timings.resample
    }

    /// - Parameter converter: nil when planes are encoded directly.
    private mutating func deliver(
        _ planes: [Plane], converter: SRGBConverter?, to sink: (DownsampledPicture) throws(CodecError) -> Void
    ) throws(CodecError) {
        let start = self.control.now()
        var band = DownsampledPicture.planes(planes)
        if let converter {
            var pixels = try converter.pixels(planes, watch: self.watch)
            if self.plan.framing.isSearched {
                let corner = EntropyCrop.corner(of: self.plan.size, in: pixels)
                pixels = pixels.cropped(to: self.plan.size, x: corner.x, y: corner.y)
            }
            band = .pixels(pixels)
        }
        let converted = self.control.now()
        try self.watch.check()
        try sink(band)
        self.timings.resample += converted - start
        self.timings.encode += self.control.now() - converted
    }
}

extension RenderPlan {
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
