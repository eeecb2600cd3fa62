/// A rendered picture.
public struct RenderedPicture: Sendable {
    /// The encoded file.
    public let bytes: [UInt8]
    /// As planned.
    public let size: OutputSize
    /// As planned.
    public let format: OutputFormat
    /// By the control's clock.
    public let timings: StageTimings
}

/// The same, with the file in memory that can be given away.
public struct RenderedFile: ~Copyable, Sendable {
    /// The encoded file.
    public let bytes: EncodedBytes
    /// By the control's clock.
    public let timings: StageTimings

    /// The file alone.
    public consuming func takeBytes() -> EncodedBytes { self.bytes }
}

/// Renders a picture as planned.
///
/// Computes on the calling thread until it is done or `control` stops it.
///
/// - Parameters:
///   - bytes: The encoded original; its header is the one that the plan was made from.
///   - limits: What could not be checked in the header is checked while decoding.
/// - Throws: ``CodecError/truncated``, ``CodecError/damaged(reason:)``, ``CodecError/overLimit(_:value:limit:)`` (too
///   many scans, too much CPU time), ``CodecError/stopped`` or ``CodecError/outOfMemory``.
public func renderFile(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
) throws(CodecError) -> RenderedFile {
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> RenderedFile in
        try renderFile(buffer, plan: plan, limits: limits, control: control, kernel: .fastest)
    }
}

/// As ``renderFile(_:plan:limits:control:)``, with the file's bytes as an array.
///
/// - Throws: The same.
public func render(
    _ bytes: RawSpan, plan: RenderPlan, limits: CodecLimits = .init(), control: RenderControl = .init()
) throws(CodecError) -> RenderedPicture {
    try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> RenderedPicture in
        try render(buffer, plan: plan, limits: limits, control: control, kernel: .fastest)
    }
}

/// With a kernel of the caller's choice.
func renderFile(
    _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, limits: CodecLimits, control: RenderControl,
    kernel: ResampleKernel
) throws(CodecError) -> RenderedFile {
    let plan = plan.choosingScans(in: bytes, limits: limits)
    var rendering = RenderPipeline(plan: plan, limits: limits, control: control, kernel: kernel)
    let file = try rendering.encodedPicture(of: bytes)
    return RenderedFile(bytes: file, timings: rendering.timings)
}

/// With a kernel of the caller's choice.
func render(
    _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, limits: CodecLimits, control: RenderControl,
    kernel: ResampleKernel
) throws(CodecError) -> RenderedPicture {
    let file = try renderFile(bytes, plan: plan, limits: limits, control: control, kernel: kernel)
    return RenderedPicture(bytes: file.bytes.array, size: plan.size, format: plan.format, timings: file.timings)
}
