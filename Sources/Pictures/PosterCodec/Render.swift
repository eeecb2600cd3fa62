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

    init(bytes: [UInt8], size: OutputSize, format: OutputFormat, timings: StageTimings) {
        self.bytes = bytes
        self.size = size
        self.format = format
        self.timings = timings
    }

    /// A file rendered by this plan.
    package init(_ file: borrowing RenderedFile, of plan: RenderPlan) {
        self.init(bytes: file.bytes.array, size: plan.size, format: plan.format, timings: file.timings)
    }
}

/// Renders a picture as planned.
///
/// Computes on the calling thread until it is done or `control` stops it.
///
/// - Parameters:
///   - bytes: The encoded original; its header is the plan's.
///   - limits: Limits that the header cannot prove are checked while decoding.
/// - Throws: ``CodecError/truncated``, ``CodecError/damaged(reason:)``, ``CodecError/overLimit(_:value:limit:)`` (too
///   many scans, too much CPU time), ``CodecError/stopped`` or ``CodecError/outOfMemory``.
public func renderFile(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
) throws(CodecError) -> RenderedFile {
    try renderFile(bytes, plan: plan, limits: limits, control: control, kernel: .fastest)
}

/// Like ``renderFile(_:plan:limits:control:)``, with the file's bytes as an array.
///
/// - Throws: The same.
public func render(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
) throws(CodecError) -> RenderedPicture {
    let file = try renderFile(bytes, plan: plan, limits: limits, control: control)
    return RenderedPicture(file, of: plan)
}

/// Renders with a given resampling kernel.
func renderFile(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits, control: RenderControl, kernel: ResampleKernel
) throws(CodecError) -> RenderedFile {
    let plan = plan.choosingScans(in: bytes, limits: limits)
    // One CPU time limit for all stages.
    let watch = RenderWatch(control, limits: limits)
    var decode = MultiTargetDecoder(control: control, watch: watch, kernel: kernel)
    let picture = try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> PendingPicture in
        try decode.run(buffer, plan: plan, for: [(0, plan)])
        return try decode.takePictures()[0]
    }
    return try picture.encode(watch: watch, control: control)
}

/// Decodes a picture as planned, without encoding it.
func decodePicture(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits, control: RenderControl, kernel: ResampleKernel = .fastest
) throws(CodecError) -> DownsampledPicture {
    var decode = MultiTargetDecoder(
        control: control, watch: RenderWatch(control, limits: limits), kernel: kernel, keepsPictures: true)
    return try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> DownsampledPicture in
        try decode.run(buffer, plan: plan, for: [(0, plan)])
        return try decode.takePicture()
    }
}
