/// One render from encoded bytes to a picture that an encoder takes.
struct Rendering {
    let plan: RenderPlan
    let limits: CodecLimits
    let control: RenderControl
    let watch: RenderWatch
    let kernel: ResampleKernel
    private(set) var timings = StageTimings()

    init(
        plan: RenderPlan, limits: CodecLimits, control: RenderControl, watch: RenderWatch, kernel: ResampleKernel
    ) {
        self.plan = plan
        self.limits = limits
        self.control = control
        self.watch = watch
        self.kernel = kernel
    }

    /// Decodes, resamples, converts colours and crops.
    ///
    /// - Parameter bytes: The encoded picture; borrowed for the call.
    mutating func picture(of bytes: UnsafeRawBufferPointer) throws(CodecError) -> DownsampledPicture {
        let start = self.control.now()
        switch self.plan.source.format {
        case .jpeg:
            let tag = try JPEGWalker.colourTag(of: bytes, header: self.plan.source, limits: self.limits)
            var reader = try JPEGReader(bytes, plan: self.plan, limits: self.limits, watch: self.watch)
            self.timings.decode += self.control.now() - start
            return try self.picture(from: &reader, tag: tag)
        case .png:
            var reader = try PNGReader(bytes, plan: self.plan, limits: self.limits, watch: self.watch)
            self.timings.decode += self.control.now() - start
            return try self.picture(from: &reader, tag: reader.colourTag)
        case .webp:
            var reader = try WebPReader(bytes, plan: self.plan, limits: self.limits, watch: self.watch)
            self.timings.decode += self.control.now() - start
            return try self.picture(from: &reader, tag: reader.colourTag)
        default:
            throw .unsupported(self.plan.source.format.rawValue)
        }
    }

    private mutating func picture<Source: PlaneSource & ~Copyable>(
        from source: inout Source, tag: ColourTag
    ) throws(CodecError) -> DownsampledPicture {
        let model = source.layout.model
        let transform = PixelAssembler.transform(for: tag, model: model)
        var downsampling = Downsampling(
            plan: self.plan, control: self.control, watch: self.watch, kernel: self.kernel)
        let isDirect = transform == nil && self.plan.takesPlanes(of: model)
        let channels =
            isDirect ? self.plan.directChannels(for: model) : .init(repeating: .init(), count: model.planeCount)
        let planes = try downsampling.planes(of: &source, as: channels)
        self.timings.decode += downsampling.timings.decode
        self.timings.resample += downsampling.timings.resample
        if isDirect { return .planes(planes) }

        let start = self.control.now()
        var pixels = try PixelAssembler(model: model, transform: transform).pixels(planes, watch: self.watch)
        if case .search = self.plan.framing.crop {
            let corner = EntropyCrop.corner(of: self.plan.size, in: pixels)
            pixels = pixels.cropped(to: self.plan.size, x: corner.x, y: corner.y)
        }
        self.timings.resample += self.control.now() - start
        return .pixels(pixels)
    }
}

extension RenderPlan {
    /// Whether a JPEG's chroma has half the size: from quality 90 on, somebody wants all of it. WebP knows no other.
    var halvesChroma: Bool { Self.halvesChroma(self.format, quality: self.quality) }

    /// Whether decoded planes can go to the encoder as they are.
    fileprivate func takesPlanes(of model: PlaneModel) -> Bool {
        if case .search = self.framing.crop { return false }
        guard !model.hasAlpha else { return false }
        switch model.colour {
        case .gray: return true
        case .yCbCr: return self.format != .png
        case .rgb, .cmyk, .ycck: return false
        }
    }

    /// How the planes of gray or Y′CbCr are resampled so that the encoder takes them.
    fileprivate func directChannels(for model: PlaneModel) -> [Downsampling.Channel] {
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
                ? Downsampling.Channel(range: luma) : Downsampling.Channel(pixelsPerSample: side, range: chroma)
        }
    }
}
