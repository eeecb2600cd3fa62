import Synchronization

/// Decodes the original of a job while it arrives, as far as its bytes go, a few groups of rows at a time. Never waits
/// for bytes.
///
/// Gives the same results as ``decodeJob(_:job:limits:control:pool:)`` with the whole file. Steps run one at a time,
/// on any thread.
public final class SteppedJob: Sendable {
    /// Why a step has ended.
    public enum Step: Sendable {
        /// All completely arrived rows are decoded.
        case arrived
        /// The limit of groups was reached.
        case limit
        /// The last step: the original is decoded and checked.
        case decoded(DecodedJob)
    }

    /// The state between steps.
    private struct Progress {
        var decode: MultiTargetDecoder
        let watch: RenderWatch
        /// `nil` until the decoder can be opened.
        var source: (any OpenSource)?
    }

    private enum State {
        case running(Progress)
        case ended(Result<DecodedJob, CodecError>)
    }

    private let bytes: ArrivingBytes
    private let job: RenderJob
    private let targets: [(index: Int, plan: RenderPlan)]
    private let control: JobControl
    private let clock: StepClock
    /// Locked during a step.
    private let state: Mutex<State>

    /// Whether rows of such a picture can be decoded before its whole file has arrived: baseline JPEGs of one scan,
    /// PNGs without interlacing, and lossy WebPs without alpha.
    public static func canDecode(_ header: ImageHeader) -> Bool {
        header.format.decoding.canDecodeEarly(header)
    }

    /// - Parameters:
    ///   - bytes: The picture's whole header must have arrived.
    ///   - job: Made from the header as known so far; see ``canDecode(_:)``.
    ///   - control: Has the job's number of targets. Dropped targets are left out.
    ///   - pool: Memory for the planes that the job retains; `nil` retains none.
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``, ``CodecError/unsupported(_:)``, ``CodecError/stopped``.
    public init(
        _ bytes: ArrivingBytes, job: RenderJob, limits: CodecLimits = .init(), control: JobControl,
        pool: PlaneMemoryPool? = nil
    ) throws(CodecError) {
        guard Self.canDecode(job.source) else { throw .unsupported("incremental decoding") }
        var targets: [(index: Int, plan: RenderPlan)] = []
        for index in job.targets.indices where control.isWanted(index) {
            targets.append((index, try job.plan(index, limits: limits)))
        }
        if targets.isEmpty { throw .stopped }
        self.bytes = bytes
        self.job = job
        self.targets = targets
        self.control = control
        let clock = StepClock(control.render.cpuTime)
        self.clock = clock
        let render = RenderControl(stop: control.stop, now: control.render.now, cpuTime: { clock.time })
        let watch = RenderWatch(render, limits: limits)
        var keeping: PlaneKeeping?
        if let pool, let retention = job.retention {
            keeping = PlaneKeeping(
                levels: retention.levels(of: job.source, scale: job.scale), pool: pool,
                originalByteCount: job.byteCount)
        }
        let decode = MultiTargetDecoder(control: render, watch: watch, kernel: .fastest, job: control, keeping: keeping)
        self.state = Mutex(.running(Progress(decode: decode, watch: watch)))
    }

    /// Decodes the rows that have arrived. After the last step, each call has the same outcome.
    ///
    /// - Parameter groupLimit: Maximum number of groups of rows, which bounds the duration.
    /// - Throws: As ``decodeJob(_:job:limits:control:pool:)``; the step is the last one then.
    public func step(groupLimit: Int = .max) throws(CodecError) -> Step {
        try self.state.withLock { (state) throws(CodecError) -> Step in
            switch state {
            case .ended(let outcome): return .decoded(try outcome.get())
            case .running(var progress):
                // An error frees the progress.
                state = .ended(.failure(.stopped))
                self.clock.start()
                defer { self.clock.stop() }
                do throws(CodecError) {
                    let step = try self.step(&progress, groupLimit: groupLimit)
                    if case .decoded(let decoded) = step {
                        state = .ended(.success(decoded))
                    } else {
                        state = .running(progress)
                    }
                    return step
                } catch {
                    state = .ended(.failure(error))
                    throw error
                }
            }
        }
    }

    /// Calls `body` with the rows that the job has retained so far, one plane after the other. Rows do not change once
    /// they are written.
    ///
    /// - Parameter body: Its argument has, for each plane, the offset in the bytes of the result's planes
    ///   (``PlanesRecord/init(exporting:_:)``), and the rows; they are valid until it returns. Empty before the first
    ///   step, and after the last one.
    package func withRetainedRows(_ body: ([(offset: Int, bytes: UnsafeRawBufferPointer)]) -> Void) {
        self.state.withLock { state in
            guard case .running(let progress) = state else { return body([]) }
            body(progress.decode.retainedRows)
        }
    }

    private func step(_ progress: inout Progress, groupLimit: Int) throws(CodecError) -> Step {
        // Read before decoding: bytes that arrive meanwhile are for the next step.
        let isComplete = self.bytes.extent.isComplete
        if progress.source == nil {
            try progress.watch.check()
            progress.source = try self.open(&progress.decode, progress.watch, isComplete: isComplete)
        }
        guard let source = progress.source else { return .arrived }
        switch try source.readGroups(for: &progress.decode, limit: groupLimit) {
        case .limit: return .limit
        case .end where isComplete:
            try source.finish(for: &progress.decode)
            let pictures = PendingPictures(
                try progress.decode.takePictures(), targetCount: self.job.targets.count, control: self.control)
            return .decoded(
                DecodedJob(
                    pictures: pictures, decodeTimings: progress.decode.timings, planes: progress.decode.retained))
        case .end, .arrived:
            // If the file has become complete meanwhile, the next step does the rest.
            return self.bytes.extent.isComplete ? .limit : .arrived
        }
    }

    /// - Returns: `nil` if more bytes must arrive first.
    private func open(
        _ decode: inout MultiTargetDecoder, _ watch: RenderWatch, isComplete: Bool
    ) throws(CodecError) -> (any OpenSource)? {
        let plan = self.targets[0].plan
        let (bytes, arriving) = (self.bytes.bytes, self.bytes)
        do throws(CodecError) {
            var opening = OpeningForTargets(decoder: decode, start: decode.now, plan: plan, targets: self.targets)
            defer { decode = opening.decoder }
            try plan.source.format.decoding.decode(
                bytes, plan.decoding, watch: watch, arriving: arriving, for: &opening)
            return opening.opened
        } catch {
            if error == .truncated, !isComplete { return nil }
            throw error
        }
    }
}

/// A job that decodes its original while it arrives, on threads or in another process; see ``SteppedJob``.
package protocol ArrivingJob: Sendable {
    /// Like ``SteppedJob/step(groupLimit:)``.
    func step(groupLimit: Int) throws(CodecError) -> SteppedJob.Step
}

extension SteppedJob: ArrivingJob {}

/// The total CPU time of a job's steps, on whichever threads they run.
private final class StepClock: @unchecked Sendable {
    // Unchecked because of the variables: they are used during steps, one thread at a time.
    private let cpuTime: @Sendable () -> UInt64
    /// The time of all steps before the present one.
    private var spent: UInt64 = 0
    /// The start of the present step, on its thread's clock.
    private var began: UInt64?

    init(_ cpuTime: @escaping @Sendable () -> UInt64) {
        self.cpuTime = cpuTime
    }

    var time: UInt64 { self.spent + (self.began.map { self.cpuTime() &- $0 } ?? 0) }

    func start() {
        self.began = self.cpuTime()
    }

    func stop() {
        self.spent = self.time
        self.began = nil
    }
}

/// A source that is read in steps.
private protocol OpenSource: AnyObject {
    func readGroups(for decode: inout MultiTargetDecoder, limit: Int) throws(CodecError) -> MultiTargetDecoder.Reach
    func finish(for decode: inout MultiTargetDecoder) throws(CodecError)
}

private final class OpenedSource<Source: PlaneSource & ~Copyable>: OpenSource {
    private var source: Source

    init(_ source: consuming Source) {
        self.source = source
    }

    func readGroups(for decode: inout MultiTargetDecoder, limit: Int) throws(CodecError) -> MultiTargetDecoder.Reach {
        try decode.readGroups(of: &self.source, limit: limit)
    }

    func finish(for decode: inout MultiTargetDecoder) throws(CodecError) {
        try decode.finish(&self.source)
    }
}

/// Begins to pass the rows of an arriving file's decoder to the targets of a job.
private struct OpeningForTargets: PlaneSourceUse {
    var decoder: MultiTargetDecoder
    let start: UInt64
    let plan: RenderPlan
    let targets: [(index: Int, plan: RenderPlan)]
    var opened: (any OpenSource)?

    mutating func use<Source: PlaneSource & ~Copyable>(_ source: consuming Source) throws(CodecError) {
        try self.decoder.begin(source, since: self.start, plan: self.plan, for: self.targets)
        self.opened = OpenedSource(source)
    }
}
