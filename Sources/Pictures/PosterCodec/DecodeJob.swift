/// Decodes an original once for all targets of a job.
///
/// Runs on the calling thread until the original is decoded and checked, every row is resampled, and every JPEG is
/// encoded. Other formats are encoded later, from ``DecodedJob/pictures``.
///
/// - Parameters:
///   - bytes: The encoded original; the job was made from its header.
///   - limits: Limits that the header cannot prove are checked while decoding.
///   - control: Has the job's number of targets. Dropped targets are left out.
///   - pool: Memory for the planes that the job retains; `nil` retains none.
/// - Throws: As ``renderFile(_:plan:limits:control:)`` if no target can be rendered, and as
///   ``RenderPlan/init(_:target:limits:)``. Nothing is retained then.
public func decodeJob(
    _ bytes: RawSpan, job: RenderJob, limits: CodecLimits = .init(), control: JobControl,
    pool: PlaneMemoryPool? = nil
) throws(CodecError) -> DecodedJob {
    try decodeJob(bytes, job: job, limits: limits, control: control, pool: pool, kernel: .fastest)
}

/// Renders all targets of a job from planes that another job has retained; otherwise like
/// ``decodeJob(_:job:limits:control:pool:)``.
///
/// - Parameter job: A job of ``RetainedPlanes/job(_:)``; the planes serve all its targets.
/// - Throws: ``CodecError/internalError(reason:)`` if the planes do not serve a target.
public func decodeJob(
    _ planes: RetainedPlanes, job: RenderJob, limits: CodecLimits = .init(), control: JobControl
) throws(CodecError) -> DecodedJob {
    try decodeJob(planes, job: job, limits: limits, control: control, kernel: .fastest)
}

/// Decodes an original once and encodes the results one by one, the most urgent first.
///
/// - Parameter deliver: Called with the index in the job and the result of each target that was not dropped, as soon as
///   the result is ready.
/// - Throws: As ``decodeJob(_:job:limits:control:pool:)``, before any delivery.
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
    var decode = MultiTargetDecoder(control: control.render, watch: watch, kernel: kernel, job: control)
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
    // All plans of a job read the same scans, so the first plan stands for the decode.
    var plan = first.plan.choosingScans(in: bytes, limits: limits)
    var keeping: PlaneKeeping?
    if let pool, let retention = job.retention, let shared = plan.sharingScans(in: bytes, limits: limits) {
        keeping = PlaneKeeping(
            levels: retention.levels(of: job.source, scale: job.scale), pool: pool, originalByteCount: job.byteCount)
        if shared.recipe != plan.recipe { (plan, targets) = (shared, [(first.index, shared)]) }
    }
    let watch = RenderWatch(control.render, limits: limits)
    var decode = MultiTargetDecoder(
        control: control.render, watch: watch, kernel: kernel, job: control, keeping: keeping)
    let pictures = try bytes.withUnsafeBytes { (buffer) throws(CodecError) -> [PendingPicture] in
        try decode.run(buffer, plan: plan, for: targets)
        return try decode.takePictures()
    }
    return DecodedJob(
        pictures: PendingPictures(pictures, targetCount: job.targets.count, control: control),
        decodeTimings: decode.timings, planes: decode.retained)
}
