import BoundedCache
package import CodecWorkers
package import CoreMetrics
import Flights
import HTTPSemantics
package import PosterCodec
import Synchronization
import Tracing

/// Renders variants on the codec threads; cancelling the task stops the render.
public struct VariantRenderer: Sendable {
    let threads: BoundedThreadPool
    let limits: CodecLimits
    let decoder: any PictureDecoder
    /// Refuses originals that have ended workers; `nil` without workers.
    let quarantine: Quarantine?
    private let now: @Sendable () -> UInt64
    /// The CPU time of the calling thread in nanoseconds.
    let cpuTime: @Sendable () -> UInt64
    /// Recent decodes that exceeded the CPU-time limit or ended their worker; `nil` to try each time.
    var failures: NegativeCache<FailureKey>?
    private let metrics: RenderMetrics

    /// Renders since the start, shared by all copies of this value.
    private let renders = Counter()

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    /// Renders between two trims of the heap; under full load of two cores, about two trims a second.
    static let rendersPerTrim = 64

    /// The key of cached failures: the cost of a decode depends on the original and the scale, not on the output.
    struct FailureKey: Hashable {
        let digest: Digest
        let scale: DecodeScale
    }

    static let failureLimit = 10_000

    /// - Parameters:
    ///   - threads: For decoding, or for waiting for workers; not shared with blocking work.
    ///   - workers: The worker processes that decode and encode; `nil` if `threads` do.
    ///   - quarantine: Refuses originals that have ended workers.
    package init(
        threads: BoundedThreadPool, limits: CodecLimits = .init(), workers: CodecWorkerPool? = nil,
        quarantine: Quarantine? = nil, now: @escaping @Sendable () -> UInt64,
        cpuTime: @escaping @Sendable () -> UInt64 = WorkerTime.nanoseconds,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.decoder =
            if let workers {
                WorkerDecoder(limits: limits, workers: workers)
            } else {
                ThreadDecoder(limits: limits)
            }
        self.quarantine = quarantine
        self.metrics = RenderMetrics(metrics: metrics)
        self.threads = threads
        self.limits = limits
        self.now = now
        self.cpuTime = cpuTime
    }

    /// The plan for rendering a target alone.
    /// - Throws: `CodecError` about the target, or the cached failure of its decode.
    func plan(_ target: RenderTarget, of original: Original) throws -> RenderPlan {
        let plan = try RenderPlan(original.header, target: target, limits: self.limits)
        if let failure = self.failure(of: plan, of: original) { throw failure }
        return plan
    }

    /// The quarantine's refusal of the original, or the cached failure of the plan's decode.
    func failure(of plan: RenderPlan, of original: Original) -> PosterError? {
        if let refusal = self.quarantine?.refusal(of: original.digest) { return refusal }
        return self.failures?.value(for: FailureKey(digest: original.digest, scale: plan.scale))
    }

    func hasFailed(at scale: DecodeScale, _ digest: Digest) -> Bool {
        self.failures?.value(for: FailureKey(digest: digest, scale: scale)) != nil
    }

    /// Creates a control for a job, by default for one target.
    func control(of job: RenderJob?) -> JobControl {
        JobControl(
            targetCount: job?.targets.count ?? 1, urgencies: job?.targets.map(\.urgency) ?? [], now: self.now,
            cpuTime: self.cpuTime)
    }

    /// Decodes an original for all targets of a job, on the calling thread.
    /// - Parameter pool: Memory for the planes that the job retains.
    /// - Throws: `CodecError` about the original, or ``OriginalBytes/Unreadable``.
    func decode(
        _ job: RenderJob, of original: Original, control: JobControl, pool: PlaneMemoryPool
    ) throws -> DecodedJob {
        let start = DefaultTracerClock.now
        do {
            let decoded = try self.decoder.decode(
                job, of: original, control: control, pool: pool, isBackground: false)
            self.metrics.record(decoded.decodeTimings, source: job.source.format, since: start)
            return decoded
        } catch let error as CodecError {
            self.note(error, of: FailureKey(digest: original.digest, scale: job.scale))
            throw error
        }
    }

    /// Finishes the decode of an original that was decoded while it arrived, on the calling thread.
    /// - Parameter early: All bytes of its original must be available.
    /// - Throws: `CodecError` about the original.
    func finish(_ early: EarlyRender.Decode, digest: Digest) throws(CodecError) -> DecodedJob {
        let start = DefaultTracerClock.now
        do throws(CodecError) {
            // Each step decodes at least one group of rows; a compromised worker could report steps for ever.
            for _ in 0...early.job.source.uprightSize.height + early.job.source.uprightSize.width {
                // In one step: this thread does no other work before the last one.
                switch try early.stepped.step(groupLimit: .max) {
                case .limit: break
                case .arrived: throw .internalError(reason: "the decoder waits for bytes of a complete original")
                case .decoded(let decoded):
                    self.metrics.record(decoded.decodeTimings, source: early.job.source.format, since: start)
                    return decoded
                }
            }
            throw CodecError.decoderEnded(reason: "the decoder took more steps than the picture has rows")
        } catch {
            self.note(error, of: FailureKey(digest: digest, scale: early.job.scale))
            throw error
        }
    }

    /// Encodes a picture on the calling thread.
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
            self.note(error, of: FailureKey(digest: key.digest, scale: plan.scale))
            throw error
        }
    }

    /// Caches the failure of a decode that exceeded the CPU-time limit or ended its worker.
    private func note(_ error: CodecError, of decode: FailureKey) {
        switch error {
        case .overLimit(.cpuTime, _, _): break
        case .decoderEnded: self.noteEnd(error, of: decode.digest)
        default: return
        }
        self.failures?.insert(PosterError(error), for: decode)
    }

    /// Reports an original that has ended its worker to the quarantine; ignores other errors.
    func noteEnd(_ error: CodecError, of digest: Digest) {
        if case .decoderEnded(let reason) = error { self.quarantine?.noteEnd(by: digest, reason: reason) }
    }

    func hashes(of original: Original, urgency: Urgency) async throws -> PictureHashes {
        let plan = try PictureHashes.plan(for: original.header, limits: self.limits)
        return try await self.run(plan, of: original, urgency: urgency) { control in
            try self.decoder.hashes(of: original, control: control)
        }
    }

    /// Upper bound of a placeholder's pixels, file and encoder, in bytes.
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

    /// The memory charged to a render, in bytes: its plan's, plus the original's bytes while they are loaded or mapped.
    static func weight(of plan: RenderPlan, _ original: Original) -> Int {
        plan.workingBytes + original.bytes.loadingByteCount
    }

    /// Runs `work` on a codec thread; cancelling the task stops it.
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
                    self.note(error, of: FailureKey(digest: original.digest, scale: plan.scale))
                    throw error
                }
            }
        } onCancel: {
            control.stop.raise()
        }
    }
}
