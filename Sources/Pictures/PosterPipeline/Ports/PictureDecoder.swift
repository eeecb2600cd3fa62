import CodecWorkers
import PosterCodec

/// Decodes originals, in this process or in a worker process. Its calls block their thread.
protocol PictureDecoder: Sendable {
    /// Decodes an original for all targets of a job.
    /// - Parameters:
    ///   - pool: Memory for the planes that the job retains.
    ///   - isBackground: Whether a worker runs it at the lowest priority.
    /// - Throws: `CodecError` about the original, or ``OriginalBytes/Unreadable``.
    func decode(
        _ job: RenderJob, of original: Original, control: JobControl, pool: PlaneMemoryPool?, isBackground: Bool
    ) throws -> DecodedJob

    /// Renders all targets of a job from planes of its original.
    /// - Parameter memory: The job's, as estimated by `RetainedPlanes.memory(for:limits:)`.
    func decode(
        _ job: RenderJob, from planes: RetainedPlanes, memory: JobMemoryEstimate, control: JobControl,
        isBackground: Bool
    ) throws(CodecError) -> DecodedJob

    /// The bytes that ``decode(_:from:memory:control:isBackground:)`` copies beside the job's own memory.
    func copiedByteCount(
        of planes: RetainedPlanes, for job: RenderJob, memory: JobMemoryEstimate, isBackground: Bool
    ) -> Int

    /// - Throws: `CodecError` about the original, or ``OriginalBytes/Unreadable``.
    func hashes(of original: Original, control: RenderControl) throws -> PictureHashes

    /// Allocates a buffer for an arriving original.
    /// - Returns: The buffer, and its memory if workers can read it; `nil` without memory.
    func arrivingBytes(declaredCount: Int) -> (ArrivingBytes, ArrivingMemory?)?

    /// Creates a job that decodes its original while it arrives.
    /// - Parameters:
    ///   - memory: The memory returned with `bytes` by ``arrivingBytes(declaredCount:)``.
    ///   - pool: Memory for the planes that the job retains.
    func arrivingJob(
        _ bytes: ArrivingBytes, in memory: ArrivingMemory?, _ job: RenderJob, control: JobControl,
        pool: PlaneMemoryPool?
    ) throws(CodecError) -> any ArrivingJob
}

/// Decodes on the calling thread.
struct ThreadDecoder: PictureDecoder {
    let limits: CodecLimits

    func decode(
        _ job: RenderJob, of original: Original, control: JobControl, pool: PlaneMemoryPool?, isBackground: Bool
    ) throws -> DecodedJob {
        try original.bytes.withSpan { span in
            try decodeJob(span, job: job, limits: self.limits, control: control, pool: pool)
        }
    }

    func decode(
        _ job: RenderJob, from planes: RetainedPlanes, memory: JobMemoryEstimate, control: JobControl,
        isBackground: Bool
    ) throws(CodecError) -> DecodedJob {
        try decodeJob(planes, job: job, limits: self.limits, control: control)
    }

    func copiedByteCount(
        of planes: RetainedPlanes, for job: RenderJob, memory: JobMemoryEstimate, isBackground: Bool
    ) -> Int { 0 }

    func hashes(of original: Original, control: RenderControl) throws -> PictureHashes {
        try original.bytes.withSpan { span in
            try PictureHashes(of: span, header: original.header, limits: self.limits, control: control)
        }
    }

    func arrivingBytes(declaredCount: Int) -> (ArrivingBytes, ArrivingMemory?)? {
        ArrivingBytes(declaredCount: declaredCount).map { ($0, nil) }
    }

    func arrivingJob(
        _ bytes: ArrivingBytes, in memory: ArrivingMemory?, _ job: RenderJob, control: JobControl,
        pool: PlaneMemoryPool?
    ) throws(CodecError) -> any ArrivingJob {
        try SteppedJob(bytes, job: job, limits: self.limits, control: control, pool: pool)
    }
}

/// Decodes in worker processes, which share memory with this one. Small jobs from planes are rendered on the calling
/// thread, as they read no bytes of an original but decoded samples.
struct WorkerDecoder: PictureDecoder {
    /// Maximum estimated memory of a job from planes on a thread of this process, in bytes.
    static let threadMemoryLimit = 32 << 20

    let limits: CodecLimits
    let workers: CodecWorkerPool

    func decode(
        _ job: RenderJob, of original: Original, control: JobControl, pool: PlaneMemoryPool?, isBackground: Bool
    ) throws -> DecodedJob {
        try original.bytes.withWorkerInput { input in
            try self.workers.decode(
                input, job: job, limits: self.limits, control: control, pool: pool, isBackground: isBackground)
        }
    }

    func decode(
        _ job: RenderJob, from planes: RetainedPlanes, memory: JobMemoryEstimate, control: JobControl,
        isBackground: Bool
    ) throws(CodecError) -> DecodedJob {
        if self.needsNoWorker(job, planes, memory, isBackground) {
            return try decodeJob(planes, job: job, limits: self.limits, control: control)
        }
        return try self.workers.decode(
            planes, job: job, limits: self.limits, control: control, isBackground: isBackground)
    }

    func copiedByteCount(
        of planes: RetainedPlanes, for job: RenderJob, memory: JobMemoryEstimate, isBackground: Bool
    ) -> Int {
        self.needsNoWorker(job, planes, memory, isBackground) ? 0 : planes.byteCount
    }

    /// Whether the job reads no bytes of an original but samples, and is small: a worker's limits of memory and time
    /// protect from parsers, and from encoders that cannot be stopped for long. JPEG XL's takes a tenth of a second at
    /// most for a frame.
    private func needsNoWorker(
        _ job: RenderJob, _ planes: RetainedPlanes, _ memory: JobMemoryEstimate, _ isBackground: Bool
    ) -> Bool {
        !isBackground && !planes.hasProfile && memory.bytes <= Self.threadMemoryLimit
            && !job.targets.contains { $0.target.format == .avif }
    }

    func hashes(of original: Original, control: RenderControl) throws -> PictureHashes {
        try original.bytes.withWorkerInput { input in
            try self.workers.hashes(input, header: original.header, limits: self.limits, control: control)
        }
    }

    func arrivingBytes(declaredCount: Int) -> (ArrivingBytes, ArrivingMemory?)? {
        ArrivingMemory(declaredCount: declaredCount).map { ($0.makeBytes(), $0) }
    }

    func arrivingJob(
        _ bytes: ArrivingBytes, in memory: ArrivingMemory?, _ job: RenderJob, control: JobControl,
        pool: PlaneMemoryPool?
    ) throws(CodecError) -> any ArrivingJob {
        guard let memory else { throw .internalError(reason: "an arriving original is not in shared memory") }
        return try WorkerSteppedJob(
            bytes, in: memory, job: job, limits: self.limits, control: control, pool: self.workers, planePool: pool)
    }
}
