/// Decodes an original once for all targets of a job.
///
/// Computes on the calling thread until the original is decoded and checked, every row is resampled, and every JPEG is
/// encoded. What is left is in the result.
///
/// - Parameters:
///   - bytes: The encoded original, of whose header the job was made.
///   - limits: Those that the header cannot prove are checked while decoding.
///   - control: Of the job's number of targets. Those that it drops are left out.
///   - pool: Memory for the planes that the job retains; nil when it retains none.
/// - Throws: As ``renderFile(_:plan:limits:control:)`` when no target can be rendered, and as
///   ``RenderPlan/init(_:target:limits:)``. Nothing is retained then.
public func decodeJob(
    _ bytes: RawSpan, job: RenderJob, limits: CodecLimits = .init(), control: JobControl,
    pool: PlaneMemoryPool? = nil
) throws(CodecError) -> DecodedJob {
    try decodeJob(bytes, job: job, limits: limits, control: control, pool: pool, kernel: .fastest)
}

/// Renders all targets of a job from planes that another job has retained; otherwise as
/// ``decodeJob(_:job:limits:control:pool:)``.
///
/// - Parameter job: See ``RetainedPlanes/job(_:)``. The planes serve each of its targets.
/// - Throws: ``CodecError/internalError(reason:)`` for a target that they do not serve.
public func decodeJob(
    _ planes: RetainedPlanes, job: RenderJob, limits: CodecLimits = .init(), control: JobControl
) throws(CodecError) -> DecodedJob {
    try decodeJob(planes, job: job, limits: limits, control: control, kernel: .fastest)
}

/// Decodes an original once and encodes the results one after the other, the most urgent first.
///
/// - Parameter deliver: Called with the place of each target in the job that was not dropped, and its result, as soon as
///   that is there.
/// - Throws: As ``decodeJob(_:job:limits:control:pool:)``, before anything was delivered.
public func renderFiles(
    _ bytes: RawSpan, job: RenderJob, limits: CodecLimits = .init(), control: JobControl,
    deliver: (Int, consuming Result<RenderedFile, CodecError>) -> Void
) throws(CodecError) {
    let pictures = try decodeJob(bytes, job: job, limits: limits, control: control).pictures
    while let picture = pictures.next() {
        deliver(picture.index, picture.result(limits: limits, control: control))
    }
}

/// Renders from planes with a given resampling kernel.
func decodeJob(
    _ planes: RetainedPlanes, job: RenderJob, limits: CodecLimits, control: JobControl, kernel: ResampleKernel
) throws(CodecError) -> DecodedJob {
    let plans = try planes.plans(of: job, limits: limits)
    let targets = plans.enumerated().filter { control.isWanted($0.offset) }.map { (index: $0.offset, plan: $0.element) }
    let watch = RenderWatch(control.render, limits: limits)
    var decode = SharedDecode(control: control.render, watch: watch, kernel: kernel, job: control)
    try decode.run(planes, for: targets)
    return DecodedJob(
        pictures: PendingPictures(try decode.takePictures(), targetCount: job.targets.count, control: control),
        decodeTimings: decode.timings, planes: nil)
}

/// Decodes with a given resampling kernel.
func decodeJob(
    _ bytes: RawSpan, job: RenderJob, limits: CodecLimits, control: JobControl, pool: PlaneMemoryPool? = nil,
    kernel: ResampleKernel
) throws(CodecError) -> DecodedJob {
    var targets: [(index: Int, plan: RenderPlan)] = []
    for index in job.targets.indices where control.isWanted(index) {
        targets.append((index, try job.plan(index, limits: limits)))
    }
    guard let first = targets.first else { throw .stopped }
    // All plans of a job read the same scans, so any of them stands for the decode.
    var plan = first.plan.choosingScans(in: bytes, limits: limits)
    var keeping: PlaneKeeping?
    if let pool, let retention = job.retention, let shared = plan.sharingScans(in: bytes, limits: limits) {
        keeping = PlaneKeeping(
            levels: retention.levels(of: job.source, scale: job.scale), pool: pool, originalByteCount: job.byteCount)
        if shared.recipe != plan.recipe { (plan, targets) = (shared, [(first.index, shared)]) }
    }
    let watch = RenderWatch(control.render, limits: limits)
    var decode = SharedDecode(control: control.render, watch: watch, kernel: kernel, job: control, keeping: keeping)
    let pictures = try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> [PendingPicture] in
        try decode.run(buffer, plan: plan, for: targets)
        return try decode.takePictures()
    }
    return DecodedJob(
        pictures: PendingPictures(pictures, targetCount: job.targets.count, control: control),
        decodeTimings: decode.timings, planes: decode.retained)
}
