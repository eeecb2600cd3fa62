import CodecWorkers
import Flights
import OneSheetConfiguration
import PosterCodec
import PosterPipeline

/// Decodes and encodes for commands, on the calling thread or in a worker process.
struct FileCodec {
    /// `nil` uses the calling thread.
    private let workers: CodecWorkerPool?
    private let limits: CodecLimits

    /// Starts a worker if `--isolation` requires one.
    /// - Throws: ``SettingError``; ``IsolationFailure``.
    init(_ settings: Settings, limits: CodecLimits) throws {
        let isolation: Isolation = try settings.choice("isolation") ?? .thread
        self.limits = limits
        guard isolation != .thread else {
            self.workers = nil
            return
        }
        let workers = try CodecWorkerPool(threads: 1, limits: limits, isolation: isolation, spareCount: 0)
        self.workers = workers
        let missing = workers.features.missing
        if !missing.isEmpty {
            StandardError.write("onesheet: the kernel lacks \(missing.joined(separator: " and ")) for workers")
        }
    }

    /// Renders one target.
    /// - Parameter plan: The target's plan, including the scans to be read.
    func picture(_ bytes: LoadedBytes, plan: RenderPlan, target: RenderTarget) throws -> RenderedPicture {
        guard let workers else {
            return try bytes.withSpan { (span) throws(CodecError) in
                try PosterCodec.render(
                    span, plan: plan, limits: self.limits,
                    control: RenderControl(now: Uptime.nanoseconds, cpuTime: ThreadTime.nanoseconds))
            }
        }
        let job = RenderJob(
            source: plan.source, byteCount: bytes.count, targets: [RenderJob.Target(target)], scale: plan.scale)
        let control = Self.control(1)
        let decoded = try bytes.withUnsafeBytes { bytes in
            try workers.decode(.memory(bytes), job: job, limits: self.limits, control: control)
        }
        guard let picture = decoded.pictures.next() else { throw CodecError.stopped }
        let file = try picture.encode(limits: self.limits, control: control)
        return RenderedPicture(file, of: plan)
    }

    /// Decodes once for all targets of a job, and delivers each result when it is encoded.
    ///
    /// - Throws: The errors of `renderFiles(_:job:limits:control:deliver:)`, and ``CodecError/decoderEnded(reason:)``.
    func pictures(
        _ bytes: LoadedBytes, job: RenderJob, deliver: (Int, consuming Result<RenderedFile, CodecError>) -> Void
    ) throws {
        let control = Self.control(job.targets.count)
        guard let workers else {
            return try bytes.withSpan { (span) throws(CodecError) in
                try renderFiles(span, job: job, limits: self.limits, control: control, deliver: deliver)
            }
        }
        let decoded = try bytes.withUnsafeBytes { bytes in
            try workers.decode(.memory(bytes), job: job, limits: self.limits, control: control)
        }
        while let picture = decoded.pictures.next() {
            do throws(CodecError) {
                deliver(picture.index, .success(try picture.encode(limits: self.limits, control: control)))
            } catch {
                deliver(picture.index, .failure(error))
            }
        }
    }

    private static func control(_ targetCount: Int) -> JobControl {
        JobControl(targetCount: targetCount, now: Uptime.nanoseconds, cpuTime: ThreadTime.nanoseconds)
    }
}
