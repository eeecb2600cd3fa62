/// The steps and the memory of a render: a pure value of header, target and limits.
public struct RenderPlan: Hashable, Sendable {
    /// The header of the original.
    public let source: ImageHeader
    /// The size of the result and the part of the original that it shows.
    public let framing: Framing
    /// The scale at which the original is decoded.
    public let scale: DecodeScale
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
    public private(set) var workingBytes = 0

    /// The size of the result in pixels.
    public var size: OutputSize { self.framing.size }

    /// Decoded width over output width: the factor of the resampler.
    public var residual: Double { self.shrinkage.across * self.scale.factor }

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
        let (across, down) = self.framing.shrinkage(of: source.uprightSize)
        self.scale = .smallest(
            for: source, shrinkage: min(across, down), halvesChroma: target.format.halvesChroma(quality: target.quality)
        )
        self.workingBytes = WorkingMemoryEstimate(plan: self, maxPrefixCodeGroups: limits.maxPrefixCodeGroups).bytes
        try CodecLimits.check(.workingMemory, self.workingBytes, atMost: limits.maxWorkingBytes)
    }

    /// The plan with the scans of a progressive JPEG that are read, which are chosen by their ranges in the file.
    ///
    /// - Parameter bytes: The whole original.
    public func choosingScans(in bytes: RawSpan, limits: CodecLimits = .init()) -> RenderPlan {
        guard self.scans == nil, self.source.format == .jpeg, self.source.isProgressive else { return self }
        var plan = self
        let table =
            self.effort == .full || self.scale.eighths == 8
            ? nil : bytes.withUnsafeBytes { JPEGScanTable($0, maxScans: limits.maxScans) }
        plan.scans = JPEGScanSelection(
            table, of: self.source, eighths: self.scale.eighths, residual: self.residual, effort: self.effort,
            halvesChroma: self.halvesChroma)
        return plan
    }

    /// Whether the result's chroma has half the size; see ``OutputFormat/halvesChroma(quality:)``.
    var halvesChroma: Bool { self.format.halvesChroma(quality: self.quality) }

    /// The effort of a WebP's encoder.
    var webPMethod: WebPMethod { WebPMethod(for: self.source, size: self.size, effort: self.effort) }

    /// Pixels of the original per pixel of the result.
    var shrinkage: (across: Double, down: Double) { self.framing.shrinkage(of: self.source.uprightSize) }

    /// Whether the result's rows are produced from the top on, so that they can be delivered while later rows are
    /// decoded.
    var streams: Bool {
        let orientation = self.source.orientation
        return !self.framing.isSearched && !orientation.swapsSides && !orientation.mirrorsRows
    }

    /// Whether resampled planes can be encoded without colour conversion.
    func encodesDirectly(_ model: PlaneModel) -> Bool {
        guard !self.framing.isSearched, !model.hasAlpha else { return false }
        switch model.colour {
        case .gray: return true
        case .yCbCr: return self.format != .png
        case .rgb, .cmyk, .ycck: return false
        }
    }
}

/// libwebp's "method": its effort, 2 or 4.
///
/// Method 4 optimises rate against distortion per block. At the same quality its SSIM is about 0.003 higher in 3 %
/// fewer bytes, for twice the time: some eight milliseconds more for a poster of 368 pixels. It is used where that is
/// little compared with decoding the original.
enum WebPMethod: UInt32 {
    case fast = 2
    case thorough = 4

    /// The additional time of method 4, in nanoseconds per pixel of the result.
    private static let extraNanoseconds = 40.0
    /// The most additional time, as a share of the decoding time.
    private static let extraShare = 0.5
    /// The largest result in pixels for which balanced effort uses method 4, which takes about 20 bytes per pixel.
    private static let mostPixels = 1 << 20

    init(for source: ImageHeader, size: OutputSize, effort: RenderTarget.Effort) {
        switch effort {
        case .fast: self = .fast
        case .full: self = .thorough
        case .balanced:
            let decoding = Double(source.width * source.height) * Self.decodingNanoseconds(source)
            let extra = Double(size.width * size.height) * Self.extraNanoseconds
            let isSmall = size.width * size.height <= Self.mostPixels
            self = isSmall && extra <= Self.extraShare * decoding ? .thorough : .fast
        }
    }

    /// The decoding time per pixel of the original, in nanoseconds, as measured with `poster-bench speed`.
    private static func decodingNanoseconds(_ source: ImageHeader) -> Double {
        switch source.format {
        case .png: 5
        case .webp: source.isLossless ? 13 : 10
        default: 2.5
        }
    }

    /// The quality for libwebp; half a step more for method 2, which needs it for about the same SSIM.
    func quality(for quality: Int) -> Float {
        self == .fast ? min(100, Float(quality) + 0.5) : Float(quality)
    }
}
