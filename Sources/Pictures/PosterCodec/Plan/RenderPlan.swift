/// The steps and the memory of a render: a pure function of header, target and limits.
public struct RenderPlan: Hashable, Sendable {
    /// The header of the original.
    public let source: ImageHeader
    /// The size of the result and the part of the original that it shows.
    public let framing: Framing
    /// The scale at which the original is decoded.
    public private(set) var scale: DecodeScale
    /// The decode that the rows come from.
    public private(set) var recipe = DecodeRecipe.own
    /// The format of the result.
    public let format: OutputFormat
    /// The quality of the result.
    public let quality: Quality
    /// The colour behind transparent pixels where the format has no transparency.
    public let background: RenderTarget.Background
    /// How much of the data may be left undecoded.
    public let effort: RenderTarget.Effort
    /// The effort of the encoder.
    public let encoding: EncodingEffort
    /// Drawn over the finished picture; `nil` without any.
    public let badges: Badges?
    /// The scans of a progressive JPEG that are read; `nil` before ``choosingScans(in:limits:)``.
    public private(set) var scans: ScanSelection?
    /// The estimated memory of the render in bytes, excluding the original's bytes and the result.
    public private(set) var workingBytes = 0

    /// The size of the result in pixels.
    public var size: OutputSize { self.framing.size }

    /// Decoded width over output width: the factor of the resampler; for a blur, times the unit of its kernel.
    public var residual: Double { self.shrinkage.across * self.scale.factor }

    /// - Throws: ``CodecError/overLimit(_:value:limit:)``, ``CodecError/sideTooLong(pixels:limit:)`` or
    ///   ``CodecError/tooManyPixels(_:limit:)``.
    public init(
        _ source: ImageHeader, target: RenderTarget, limits: CodecLimits = .init(), encoding: EncodingEffort = .first
    ) throws(CodecError) {
        try source.check(limits)
        try limits.check(profileBytes: source.profileBytes)
        self.source = source
        self.framing = try Framing(of: source.uprightSize, as: target)
        self.format = target.format
        self.quality = target.quality
        self.background = target.background
        self.effort = target.effort
        self.encoding = encoding
        self.badges = target.badges
        self.scale = Self.scale(of: source, framing: self.framing, target: target)
        try self.encoder.check(self.size, limits)
        self.estimateMemory(limits)
        try CodecLimits.check(.workingMemory, self.workingBytes, atMost: limits.maxWorkingBytes)
    }

    /// The scale of a decode for this target alone.
    static func scale(of source: ImageHeader, framing: Framing, target: RenderTarget) -> DecodeScale {
        // The side with the smaller factor decides: a picture one pixel high must not lose that pixel to the decoder.
        let (across, down) = framing.shrinkage(of: source.uprightSize)
        return .smallest(
            for: source, shrinkage: min(across, down), halvesChroma: target.format.halvesChroma(quality: target.quality)
        )
    }

    private mutating func estimateMemory(_ limits: CodecLimits) {
        self.workingBytes = WorkingMemoryEstimate(plan: self, limits: limits).bytes
    }

    /// The plan in a job that decodes at `scale`, which is not less than the plan's.
    func inJob(at scale: DecodeScale, isAlone: Bool, limits: CodecLimits) -> RenderPlan {
        guard scale != self.scale || (!isAlone && self.selectsScans) else { return self }
        return self.forJob(at: scale, limits: limits)
    }

    /// The plan for rows of a decode that suffices for other targets, too, such as retained planes.
    ///
    /// - Parameter scale: Not less than the plan's.
    func forJob(at scale: DecodeScale, limits: CodecLimits) -> RenderPlan {
        var plan = self
        plan.scale = scale
        plan.scans = nil
        plan.recipe = .shared(scale)
        plan.estimateMemory(limits)
        return plan
    }

    /// The plan with the choice of scans of a progressive JPEG that are read; unchanged for other files.
    ///
    /// - Parameter bytes: The whole original.
    public func choosingScans(in bytes: RawSpan, limits: CodecLimits = .init()) -> RenderPlan {
        guard self.scans == nil, self.hasScans else { return self }
        var plan = self
        guard self.effort != .full, self.scale.eighths < 8 else {
            plan.scans = ScanSelection()
            return plan
        }
        // A shared decode suffices for any target that may take part: it assumes the least residual, and chroma of full
        // size.
        let (residual, halvesChroma) =
            switch self.recipe {
            case .own: (self.residual, self.halvesChroma)
            case .shared:
                (
                    DecodeScale.minimumResidual(
                        eighths: self.scale.eighths, pixels: self.source.width * self.source.height), false
                )
            }
        plan.scans = bytes.withUnsafeBytes { buffer in
            self.source.format.decoding.scans(
                of: buffer, self.source, at: self.scale, residual: residual, effort: self.effort,
                halvesChroma: halvesChroma, limits: limits)
        }
        return plan
    }

    /// The plan for a decode that retains planes: this one, or one that reads a little more of a progressive JPEG, so
    /// that other targets can be rendered from the planes, too.
    ///
    /// - Parameter bytes: The whole original.
    /// - Returns: `nil` if other targets need much more of the file than this one alone.
    func sharingScans(in bytes: RawSpan, limits: CodecLimits) -> RenderPlan? {
        guard self.recipe == .own, self.selectsScans, let scans = self.scans else { return self }
        let shared = self.forJob(at: self.scale, limits: limits).choosingScans(in: bytes, limits: limits)
        guard let more = shared.scans, more.dropped != scans.dropped else { return self }
        let (count, sharedCount) = (bytes.byteCount - scans.skippedCount, bytes.byteCount - more.skippedCount)
        return Double(sharedCount) <= Self.mostSharing * Double(count) ? shared : nil
    }

    /// Maximum number of bytes read by a decode that retains planes, as a multiple of the bytes read without retention.
    private static let mostSharing = 1.03

    /// Whether the target determines which scans are left out, so that a decode for several targets leaves out fewer.
    var selectsScans: Bool {
        self.hasScans && self.scale.eighths < 8 && self.effort != .full
    }

    /// Whether scans of the original may be left out at scales below 8/8.
    var hasScans: Bool { self.source.format.decoding.hasScans(self.source) }

    /// The input of the decoder.
    var decoding: SourcePlan { SourcePlan(source: self.source, scale: self.scale, scans: self.scans) }

    /// How often the rows of a plane are halved before the filter: 0...``maxLevel``. Always 0 in the target's own
    /// decode, except for a blur, as its kernel would read very many rows.
    ///
    /// - Parameters:
    ///   - samplesPerPixel: Decoded samples per pixel of the original, along its stored rows and columns.
    ///   - scale: Decoded samples per sample of the file; less than 1 where the decoder shrinks the plane.
    ///   - pixelsPerSample: Pixels of the result per sample: 2 for chroma of half the size, else 1.
    func level(
        samplesPerPixel: (across: Double, down: Double), decodedAt scale: Double, pixelsPerSample: Int
    ) -> Int {
        if case .own = self.recipe, self.framing.blurUnit == nil { return 0 }
        var (across, down) = self.shrinkage
        if self.source.orientation.swapsSides { swap(&across, &down) }
        // The unit of a blur's kernel is the same for all planes.
        let side = self.framing.blurUnit == nil ? pixelsPerSample : 1
        var residual = min(across * samplesPerPixel.across, down * samplesPerPixel.down) * Double(side)
        var scale = scale
        var level = 0
        while level < Self.maxLevel {
            residual /= 2
            scale /= 2
            // Halving is as good as an inverse DCT of half the size; the minimum applies to the product of both.
            let minimum = DecodeScale.minimumResidual(
                eighths: Int(8 * scale), pixels: self.source.width * self.source.height)
            // A hundredth less suffices, because the sides of the result are rounded.
            guard residual >= 0.99 * minimum else { break }
            level += 1
        }
        return level
    }

    static let maxLevel = 3

    var halvesChroma: Bool { self.format.halvesChroma(quality: self.quality) }

    /// The input of the encoder.
    var input: OutputFormat.Input { self.isMeasured ? .pixels : self.format.input(quality: self.quality) }

    /// The encoder of the result at the highest number that its quality allows, for its costs.
    var encoder: any PictureEncoding { self.format.encoding(self.encoderPlan) }

    /// The settings of ``encoder``.
    var encoderPlan: EncoderPlan { self.encoderPlan(quality: self.quality.numbers(of: self.format).upperBound) }

    /// The settings of the encoder at a number of its scale.
    func encoderPlan(quality: Int) -> EncoderPlan {
        EncoderPlan(
            size: self.size, quality: quality, halvesChroma: self.halvesChroma, effort: self.effort,
            encoding: self.encoding, hasAlpha: self.source.hasAlpha,
            decodingNanoseconds: Double(self.source.width * self.source.height)
                * self.source.format.decoding.nanosecondsPerPixel(of: self.source))
    }

    var shrinkage: (across: Double, down: Double) { self.framing.shrinkage(of: self.source.uprightSize) }

    /// Whether the result's rows are produced from top to bottom, so that they can be delivered while later rows are
    /// decoded.
    var streams: Bool {
        let orientation = self.source.orientation
        return !self.framing.isSearched && !orientation.swapsSides && !orientation.mirrorsRows
    }

    /// Whether resampled planes can be encoded without colour conversion.
    func encodesDirectly(_ model: PlaneModel) -> Bool {
        guard self.framing.keepsPlanes, !model.hasAlpha else { return false }
        switch model.colour {
        // Pixels have the full range, and badges may be coloured, which gray pixels show after a conversion only.
        case .gray: return self.input != .pixels || !self.format.hasLimitedRange && self.badges == nil
        case .yCbCr: return self.input != .pixels && model.matrix == .bt601
        case .rgb, .cmyk, .ycck: return false
        }
    }
}
