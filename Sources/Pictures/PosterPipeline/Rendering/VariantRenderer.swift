import BoundedCache
package import CodecWorkers
package import CoreMetrics
import Flights
import HTTPSemantics
@_spi(CustomByteBufferAllocator) package import NIOCore
package import PosterCodec
import Synchronization
import Tracing

/// Renders variants on the codec threads; cancelling the task stops the render.
public struct VariantRenderer: Sendable {
    let threads: BoundedThreadPool
    let limits: CodecLimits
    /// The processes that decode and encode; nil when these threads do.
    let workers: CodecWorkerPool?
    /// Refuses originals that have ended workers; nil without any.
    let quarantine: Quarantine?
    private let now: @Sendable () -> UInt64
    /// The CPU time of the calling thread in nanoseconds.
    let cpuTime: @Sendable () -> UInt64
    /// Decodes that took too much CPU time; nil to try each time.
    var failures: NegativeCache<Decode>?
    private let metrics: RenderMetrics

    /// Renders since the start, over all copies of this value.
    private let renders = Counter()

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    /// Renders between two trims of the heap; under full load of two cores, about two trims a second.
    static let rendersPerTrim = 64

    /// The key of failures: CPU time is spent on decoding an original at a scale, whatever the output.
    struct Decode: Hashable {
        let digest: Digest
        let scale: DecodeScale
    }

    /// The most negative entries.
    static let failureLimit = 10_000

    /// - Parameters:
    ///   - threads: For decoding, or for waiting for workers; not shared with work that blocks.
    ///   - workers: The processes that decode and encode; nil when `threads` do.
    ///   - quarantine: Refuses originals that have ended workers.
    package init(
        threads: BoundedThreadPool, limits: CodecLimits = .init(), workers: CodecWorkerPool? = nil,
        quarantine: Quarantine? = nil, now: @escaping @Sendable () -> UInt64,
        cpuTime: @escaping @Sendable () -> UInt64 = WorkerTime.nanoseconds,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.workers = workers
        self.quarantine = quarantine
        self.metrics = RenderMetrics(metrics: metrics)
        self.threads = threads
        self.limits = limits
        self.now = now
        self.cpuTime = cpuTime
    }

    /// How a target is rendered alone.
    /// - Throws: `CodecError` about the target, or what its decode has failed with lately.
    func plan(_ target: RenderTarget, of original: Original) throws -> RenderPlan {
        let plan = try RenderPlan(original.header, target: target, limits: self.limits)
        if let failure = self.failure(of: plan, of: original) { throw failure }
        return plan
    }

    /// What the decode that a plan needs has failed with lately.
    func failure(of plan: RenderPlan, of original: Original) -> PosterError? {
        if let refusal = self.quarantine?.refusal(of: original.digest) { return refusal }
        return self.failures?.value(for: Decode(digest: original.digest, scale: plan.scale))
    }

    /// Whether a decode at this scale has failed lately.
    func hasFailed(at scale: DecodeScale, _ digest: Digest) -> Bool {
        self.failures?.value(for: Decode(digest: digest, scale: scale)) != nil
    }

    /// A control for a job, by default of one target.
    func control(of job: RenderJob?) -> JobControl {
        JobControl(
            targetCount: job?.targets.count ?? 1, urgencies: job?.targets.map(\.urgency) ?? [], now: self.now,
            cpuTime: self.cpuTime)
    }

    /// Decodes an original for all targets of a job, on the calling thread.
    /// - Parameter pool: Memory for what the job retains.
    /// - Throws: `CodecError` about the original, or ``OriginalBytes/Unreadable``.
    func decode(
        _ job: RenderJob, of original: Original, control: JobControl, pool: PlaneMemoryPool
    ) throws -> DecodedJob {
        let start = DefaultTracerClock.now
        do {
            let decoded = try self.decoded(job, of: original, control: control, pool: pool)
            self.metrics.record(decoded.decodeTimings, source: job.source.format, since: start)
            return decoded
        } catch let error as CodecError {
            self.note(error, of: Decode(digest: original.digest, scale: job.scale))
            throw error
        }
    }

    /// As ``decode(_:of:control:pool:)``, without metrics, and failures are not remembered.
    /// - Parameter isBackground: Whether a worker for it has the lowest priority.
    func decoded(
        _ job: RenderJob, of original: Original, control: JobControl, pool: PlaneMemoryPool? = nil,
        isBackground: Bool = false
    ) throws -> DecodedJob {
        guard let workers else {
            return try original.bytes.withSpan { span in
                try decodeJob(span, job: job, limits: self.limits, control: control, pool: pool)
            }
        }
        return try original.bytes.withWorkerInput { input in
            try workers.decode(
                input, job: job, limits: self.limits, control: control, isBackground: isBackground)
        }
    }

    /// The place of an original's bytes while they arrive, with its memory if workers read it.
    /// - Returns: nil without memory.
    func arrivingBytes(declaredCount: Int) -> (ArrivingBytes, ArrivingMemory?)? {
        guard self.workers != nil else { return ArrivingBytes(declaredCount: declaredCount).map { ($0, nil) } }
        return ArrivingMemory(declaredCount: declaredCount).map { ($0.makeBytes(), $0) }
    }

    /// A job whose original is decoded while it arrives.
    ///
    /// - Parameter memory: As ``arrivingBytes(declaredCount:)`` has returned it with the bytes.
    /// - Throws: As `SteppedJob.init(_:job:limits:control:pool:)`.
    func steppedJob(
        _ bytes: ArrivingBytes, in memory: ArrivingMemory?, job: RenderJob, control: JobControl, pool: PlaneMemoryPool?
    ) throws(CodecError) -> any ArrivingJob {
        guard let workers, let memory else {
            return try SteppedJob(bytes, job: job, limits: self.limits, control: control, pool: pool)
        }
        return try WorkerSteppedJob(
            bytes, in: memory, job: job, limits: self.limits, control: control, pool: workers)
    }

    /// Decodes what is left of an original that was decoded while it arrived, on the calling thread.
    /// - Parameter early: All of its bytes are there.
    /// - Throws: `CodecError` about the original.
    func finish(_ early: EarlyRender.Decode, digest: Digest) throws(CodecError) -> DecodedJob {
        let start = DefaultTracerClock.now
        do throws(CodecError) {
            // Each step decodes a group of rows at least; a worker that is taken over may say so for ever.
            for _ in 0...early.job.source.uprightSize.height + early.job.source.uprightSize.width {
                switch try early.stepped.step(groupLimit: EarlyRender.groupLimit) {
                case .limit: break
                case .arrived: throw .internalError(reason: "an original is decoded before it is there")
                case .decoded(let decoded):
                    self.metrics.record(decoded.decodeTimings, source: early.job.source.format, since: start)
                    return decoded
                }
            }
            throw CodecError.decoderEnded(reason: "it took more steps than there are rows")
        } catch {
            self.note(error, of: Decode(digest: digest, scale: early.job.scale))
            throw error
        }
    }

    /// Renders all targets of a job from planes of its original, on the calling thread; as
    /// ``decode(_:of:control:pool:)``.
    ///
    /// - Parameter isBackground: Whether a worker for it has the lowest priority.
    func decode(
        _ job: RenderJob, from planes: RetainedPlanes, control: JobControl, isBackground: Bool = false
    ) throws(CodecError) -> DecodedJob {
        guard let workers else {
            return try decodeJob(planes, job: job, limits: self.limits, control: control)
        }
        return try workers.decode(
            planes, job: job, limits: self.limits, control: control, isBackground: isBackground)
    }

    /// Encodes a picture, on the calling thread.
    func encode(
        _ picture: PendingPicture, for key: VariantKey, control: JobControl
    ) throws(CodecError) -> RenderedPoster {
        defer { self.trimNowAndThen() }
        let start = DefaultTracerClock.now
        let plan = picture.plan
        do {
            let file = try picture.encode(limits: self.limits, control: control)
            let timings = file.timings
            self.metrics.record(timings, output: plan.format, since: start)
            return RenderedPoster(poster: Poster(file.takeBytes(), of: picture, key: key), timings: timings)
        } catch {
            self.note(error, of: Decode(digest: key.digest, scale: plan.scale))
            throw error
        }
    }

    /// Notes a decode that takes too much CPU time, or that ends its worker.
    private func note(_ error: CodecError, of decode: Decode) {
        switch error {
        case .overLimit(.cpuTime, _, _): break
        case .decoderEnded: self.noteEnd(error, of: decode.digest)
        default: return
        }
        self.failures?.insert(PosterError(error), for: decode)
    }

    /// Notes that an original has ended its worker, if that is what the error says.
    func noteEnd(_ error: CodecError, of digest: Digest) {
        if case .decoderEnded(let reason) = error { self.quarantine?.noteEnd(by: digest, reason: reason) }
    }

    func hashes(of original: Original, urgency: Urgency) async throws -> PictureHashes {
        let plan = try PictureHashes.plan(for: original.header, limits: self.limits)
        return try await self.run(plan, of: original, urgency: urgency) { control in
            if let workers {
                return try original.bytes.withWorkerInput { input in
                    try workers.hashes(input, header: original.header, limits: self.limits, control: control)
                }
            }
            return try original.bytes.withSpan { span in
                try PictureHashes(of: span, header: original.header, limits: self.limits, control: control)
            }
        }
    }

    /// An upper bound for a placeholder's pixels, file and encoder, in bytes.
    private static let placeholderWeight = 1 << 20

    func placeholder(
        thumbHash: String, original: (width: Int, height: Int), format: OutputFormat
    ) async throws -> (bytes: [UInt8], size: OutputSize) {
        try await self.threads.run(weight: Self.placeholderWeight) {
            try PlaceholderPicture.file(thumbHash: thumbHash, original: original, format: format)
        }
    }

    private func trimNowAndThen() {
        let count = self.renders.value.add(1, ordering: .relaxed).newValue
        if count % Self.rendersPerTrim == 0 { ProcessHeap.trim() }
    }

    /// The memory that a render is charged, in bytes: its plan's, and that of its original while it is loaded or mapped.
    static func weight(of plan: RenderPlan, _ original: Original) -> Int {
        plan.workingBytes + original.bytes.loadingByteCount
    }

    /// Runs `work` on a codec thread; it is stopped when the task is cancelled.
    private func run<Value: Sendable>(
        _ plan: RenderPlan, of original: Original, urgency: Urgency,
        _ work: @escaping @Sendable (RenderControl) throws -> Value
    ) async throws -> Value {
        if let failure = self.failure(of: plan, of: original) { throw failure }
        let control = RenderControl(now: self.now, cpuTime: self.cpuTime)
        return try await withTaskCancellationHandler {
            try await self.threads.run(weight: Self.weight(of: plan, original), urgency: urgency) {
                defer { self.trimNowAndThen() }
                do {
                    return try work(control)
                } catch CodecError.stopped {
                    throw CancellationError()
                } catch let error as CodecError {
                    self.note(error, of: Decode(digest: original.digest, scale: plan.scale))
                    throw error
                }
            }
        } onCancel: {
            control.stop.raise()
        }
    }
}

/// A variant with what it cost, and what became of it afterwards.
struct RenderedPoster: Sendable {
    let poster: Poster
    let timings: StageTimings
    /// Whether the variant cache has taken it.
    var isStored = false
    /// Whether no other bytes have taken the place of its original.
    var isCurrent = true
    /// Whether it comes from the variant store.
    var wasStored = false
}

extension Poster {
    /// - Parameter bytes: The encoded picture.
    init(_ bytes: consuming EncodedBytes, of picture: PendingPicture, key: VariantKey) {
        let plan = picture.plan
        let encoding = key.efforts.contains(plan.encoding) ? plan.encoding : .first
        self.init(
            bytes: ByteBuffer(owning: bytes), entityTag: key.entityTag(picture.recipe, encoding), format: plan.format,
            size: plan.size, encoding: encoding)
    }
}

extension ByteBuffer {
    /// A file in the very memory that the encoder wrote it to.
    init(owning bytes: consuming EncodedBytes) {
        self.init(owning: bytes.release())
    }

    /// A file in memory that it frees with `free`: nothing is copied, and nothing is wasted, where a buffer that is filled
    /// grows to powers of two.
    package init(owning memory: UnsafeMutableRawBufferPointer) {
        // Unless it is given others, the allocator frees with `free`.
        self.init(takingOwnershipOf: memory, allocator: ByteBufferAllocator())
    }
}
