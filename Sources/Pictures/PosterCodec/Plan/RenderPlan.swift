/// The steps and the memory of a render: a pure value of header, target and limits.
public struct RenderPlan: Hashable, Sendable {
    /// The header of the original.
    public let source: ImageHeader
    /// The size of the result and the part of the original that it shows.
    public let framing: Framing
    /// The scale at which the original is decoded.
    public let scale: DecodeScale
    /// Decoded width over output width: the factor of the resampler.
    public let residual: Double
    /// The format of the result.
    public let format: OutputFormat
    /// The quality of the encoder, 1...100.
    public let quality: Int
    /// The colour behind transparent pixels where the format has no transparency.
    public let background: RenderTarget.Background
    /// How much of the data may be left undecoded.
    public let effort: RenderTarget.Effort
    /// The scans of a progressive JPEG that are read; nil until ``choosingScans(in:limits:)``.
    public private(set) var scans: JPEGScanSelection?
    /// The estimated memory of the render beside the original's bytes and the result, in bytes.
    public let workingBytes: Int

    /// The size of the result in pixels.
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

        // The side with the lesser factor decides: a picture one pixel high must not lose that pixel to the decoder.
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

    /// The plan with the scans of a progressive JPEG that are read, which are chosen by their ranges in the file.
    ///
    /// - Parameter bytes: The whole original.
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

    /// The part of the upright original that is resampled to ``resampledSize``, in pixels.
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

    /// The size after resampling: that of the result, or of the picture in which the crop is searched.
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
