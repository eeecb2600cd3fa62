/// How a picture will be rendered: a value that follows from the header and the target alone.
public struct RenderPlan: Hashable, Sendable {
    /// What the plan was made from.
    public let source: ImageHeader
    /// How large the result is, and which part of the original it shows.
    public let framing: Framing
    /// How much the decoder itself shrinks.
    public let scale: DecodeScale
    /// Decoded width over output width: what is left for the resampler.
    public let residual: Double
    /// Of the result.
    public let format: OutputFormat
    /// 1...100.
    public let quality: Int
    /// What transparency is laid on where the format has none.
    public let background: RenderTarget.Background
    /// How much may be left out of decoding.
    public let effort: RenderTarget.Effort
    /// Which scans of a JPEG are read; nil until somebody looked at the file, see ``choosingScans(in:limits:)``.
    public private(set) var scans: JPEGScanSelection?
    /// The memory that the render will take beside the original's bytes and its result, in bytes, estimated.
    public let workingBytes: Int

    /// Of the result, as shown.
    public var size: OutputSize { self.framing.size }

    /// - Throws: ``CodecError/overLimit(_:value:limit:)``, ``CodecError/sideTooLong(pixels:limit:)`` or
    ///   ``CodecError/tooManyPixels(_:limit:)``.
    public init(_ source: ImageHeader, target: RenderTarget, limits: CodecLimits = .init()) throws(CodecError) {
        try source.check(limits)
        try limits.check(profileBytes: source.profileBytes)
        self.source = source
        self.framing = try Framing(of: source.uprightSize, as: target)
        self.format = target.format
        self.quality = target.quality
        self.background = target.background
        self.effort = target.effort

        // How many pixels of the original make one of the result, along the side where they are fewer: a picture one
        // pixel high must not lose that pixel to the decoder.
        let (across, down) = Self.shrinkage(of: source.uprightSize, by: self.framing)
        self.scale = .smallest(
            for: source, shrinkage: min(across, down), halvesChroma: target.format.halvesChroma(quality: target.quality)
        )
        self.residual = across * self.scale.factor

        let estimate = WorkingMemoryEstimate(
            source: source, framing: self.framing, scale: self.scale, format: target.format, quality: target.quality,
            webPMethod: WebPMethod(for: source, size: self.framing.size, effort: target.effort),
            maxPrefixCodeGroups: limits.maxPrefixCodeGroups, shrinkage: (across, down))
        self.workingBytes = estimate.bytes
        try CodecLimits.check(.workingMemory, self.workingBytes, atMost: limits.maxWorkingBytes)
    }

    /// The plan with its choice of a progressive JPEG's scans, which needs more than the header: where they are.
    ///
    /// - Parameter bytes: The whole file whose header the plan was made from.
    public func choosingScans(in bytes: RawSpan, limits: CodecLimits = .init()) -> RenderPlan {
        bytes.withUnsafeBytes { self.choosingScans(in: $0, limits: limits) }
    }

    func choosingScans(in bytes: UnsafeRawBufferPointer, limits: CodecLimits) -> RenderPlan {
        guard self.scans == nil, self.source.format == .jpeg, self.source.isProgressive else { return self }
        var plan = self
        let table =
            self.effort == .full || self.scale.eighths == 8 ? nil : JPEGScanTable(bytes, maxScans: limits.maxScans)
        plan.scans = JPEGScanSelection(
            table, of: self.source, eighths: self.scale.eighths, residual: self.residual, effort: self.effort,
            halvesChroma: self.halvesChroma)
        return plan
    }

    /// Whether the result's chroma has half the size; see ``OutputFormat/halvesChroma(quality:)``.
    var halvesChroma: Bool { self.format.halvesChroma(quality: self.quality) }

    /// The effort of a WebP's encoder.
    var webPMethod: WebPMethod { WebPMethod(for: self.source, size: self.size, effort: self.effort) }

    /// The part of the original that the resampler shrinks to ``resampledSize``, in pixels as shown.
    var window: (across: PixelSpan, down: PixelSpan) {
        switch self.framing.crop {
        case .window(let across, let down): (across, down)
        case .none, .search:
            (
                PixelSpan(start: 0, length: Double(self.source.uprightSize.width)),
                PixelSpan(start: 0, length: Double(self.source.uprightSize.height))
            )
        }
    }

    /// What leaves the resampler, as shown: the result, unless its part of the picture is still to be sought.
    var resampledSize: OutputSize {
        switch self.framing.crop {
        case .search(let scaled): scaled
        case .none, .window: self.framing.size
        }
    }

    private static func shrinkage(
        of source: (width: Int, height: Int), by framing: Framing
    ) -> (across: Double, down: Double) {
        switch framing.crop {
        case .window(let across, let down):
            (across.length / Double(framing.size.width), down.length / Double(framing.size.height))
        case .search(let scaled):
            (Double(source.width) / Double(scaled.width), Double(source.height) / Double(scaled.height))
        case .none:
            (Double(source.width) / Double(framing.size.width), Double(source.height) / Double(framing.size.height))
        }
    }
}
