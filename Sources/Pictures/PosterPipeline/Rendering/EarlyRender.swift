import CodecWorkers
import Flights
import PosterCodec
import Synchronization

/// One original that is decoded while it arrives, for the targets that requests wait for. Safe from any thread.
///
/// It keeps the bytes from the first one on. When the header is known and the pace fits, decoding begins, in steps on codec
/// threads that are idle; between steps it holds none. What is left when all is there, and verified, is decoded by the job
/// that takes it; whatever goes wrong before ends it, and the original is decoded in the ordinary way.
final class EarlyRender: Sendable {
    /// Smaller originals are decoded when they are there.
    static let leastByteCount = 128 << 10
    /// The most groups of rows of a step, about a millisecond of a large original.
    static let groupLimit = 16
    /// The least new bytes for a step, and the part of the file.
    fileprivate static let leastSlice = (bytes: 16 << 10, part: 32)

    /// A decode that has begun.
    struct Decode: Sendable {
        let stepped: any ArrivingJob
        let job: RenderJob
        let control: JobControl
        /// Without planes that stay.
        let memory: JobMemoryEstimate
        /// With planes that stay.
        fileprivate let decodingBytes: Int
    }

    fileprivate struct State {
        var pace: ArrivalPace
        var probe: IncrementalProbe
        /// nil once it has ended or was taken.
        var bytes: ArrivingBytes?
        var decode: Decode?
        /// Of the original with these bytes, once it is verified.
        var digest: Digest?
        var isStepping = false
        /// Whether there are no more steps.
        var isDone = false
        /// How many bytes there were when the last step began.
        var seenCount = 0
    }

    let id: PosterID
    private let byteCount: Int
    /// The memory of the bytes that workers can read; nil without workers.
    private let memory: ArrivingMemory?
    private let renders: EarlyRenders
    private let state: Mutex<State>

    /// - Parameters:
    ///   - bytes: For `byteCount` bytes.
    ///   - memory: That of `bytes`, if workers can read it.
    ///   - byteCount: What the origin has declared.
    init(
        _ id: PosterID, _ bytes: ArrivingBytes, in memory: ArrivingMemory?, byteCount: Int, renders: EarlyRenders
    ) {
        self.memory = memory
        self.id = id
        self.byteCount = byteCount
        self.renders = renders
        self.state = Mutex(
            State(
                pace: ArrivalPace(byteCount: byteCount, start: renders.now()),
                probe: IncrementalProbe(limits: renders.renderer.limits), bytes: bytes))
    }

    deinit {
        self.renders.budget.release(ObjectIdentifier(self))
    }

    /// Whether nothing has arrived for too long, or no job has taken the result.
    func isStalled(at now: UInt64) -> Bool { self.state.withLock { $0.pace.isStalled(at: now) } }

    /// Frees everything; of no effect on a decode that was taken.
    func end() {
        let ended = self.state.withLock { state in (state.bytes.take(), state.decode.take()) }
        ended.1?.control.stop.raise()
        self.renders.budget.release(ObjectIdentifier(self))
    }

    // MARK: Arrival

    fileprivate enum Next {
        case nothing
        case begin(ImageHeader)
        case step
        case end
    }

    /// Takes the next bytes; calls come one after another.
    func append(_ piece: UnsafeRawBufferPointer) {
        let now = self.renders.now()
        switch self.state.withLock({ $0.receive(piece, at: now, of: self.byteCount) }) {
        case .nothing: break
        case .begin(let header):
            self.begin(header, at: now)
            self.stepIfUseful()
        case .step: self.stepIfUseful()
        case .end: self.end()
        }
    }

    private func begin(_ header: ImageHeader, at now: UInt64) {
        guard let bytes = self.state.withLock({ $0.bytes }), let decode = self.decode(of: header, bytes),
            self.renders.budget.take(decode.decodingBytes, for: self, at: now)
        else {
            self.end()
            return
        }
        let hasBegun = self.state.withLock { state in
            if state.bytes != nil { state.decode = decode }
            return state.bytes != nil
        }
        if hasBegun { self.renders.counters.count(.decoded) } else { self.end() }
    }

    /// The decode of the most urgent targets that requests wait for now; nil if there is none.
    private func decode(of header: ImageHeader, _ bytes: ArrivingBytes) -> Decode? {
        let renderer = self.renders.renderer
        let targets = self.renders.wanted.targets(of: self.id)
        let sharing = DecodeSharing(
            targets.map { RenderJob.Target($0.target, urgency: UInt8($0.level.rawValue)) }, of: header,
            byteCount: self.byteCount, limits: renderer.limits, memoryLimit: self.renders.budget.byteLimit)
        guard let first = sharing.jobs.first else { return nil }
        let retaining = self.renders.retaining(first)
        let chosen = retaining?.decode ?? first
        let job = chosen.job
        let control = renderer.control(of: job)
        // An error is for the ordinary decode to report.
        guard
            let stepped = try? renderer.steppedJob(
                bytes, in: self.memory, job: job, control: control, pool: retaining?.pool)
        else { return nil }
        return Decode(
            stepped: stepped, job: job, control: control, memory: first.memory, decodingBytes: chosen.memory.bytes)
    }

    // MARK: Steps

    private func stepIfUseful() {
        guard self.state.withLock({ $0.beginsStep(of: self.byteCount) }) else { return }
        // Unstructured, since the fetch goes on meanwhile. It ends with what has arrived; ``EarlyBudget`` bounds how many
        // there are.
        Task { await self.steps() }
    }

    private func steps() async {
        repeat {
            // No thread is waited for: what is not decoded now is decoded later.
            guard await self.renders.renderer.threads.runIfIdle({ self.run() }) else {
                self.state.withLock { $0.isStepping = false }
                return
            }
        } while self.state.withLock { state in
            state.isStepping = false
            return state.beginsStep(of: self.byteCount)
        }
    }

    /// Decodes what has arrived, on a codec thread, until something waits for that.
    private func run() {
        let threads = self.renders.renderer.threads
        while let decode = self.wantedDecode() {
            do throws(CodecError) {
                guard case .limit = try decode.stepped.step(groupLimit: Self.groupLimit),
                    threads.usage.waitingCount == 0
                else { return }
            } catch {
                switch error {
                case .overLimit, .decoderEnded:
                    // Remembered by the job, which reports it: a second attempt would take as long, or end another worker.
                    self.state.withLock { $0.isDone = true }
                default: self.end()
                }
                return
            }
        }
    }

    /// What is to be decoded further, without the targets of requests that have left.
    /// - Returns: nil when it is done, was taken, or has ended, as it does with its last target.
    private func wantedDecode() -> Decode? {
        // Under the lock, because nothing may be dropped once it was taken.
        let decode = self.state.withLock { state -> Decode? in
            guard !state.isDone, let decode = state.decode else { return nil }
            for (index, target) in decode.job.targets.enumerated()
            where decode.control.isWanted(index) && !self.renders.wanted.contains(target.target, of: self.id) {
                decode.control.drop(index)
            }
            return decode
        }
        guard let decode else { return nil }
        if decode.control.wanted != 0 { return decode }
        self.end()
        return nil
    }

    // MARK: The result

    /// Notes that the original is verified.
    /// - Returns: Whether the decode is of use to it.
    func confirm(_ original: Original) -> Bool {
        // What only the end of a file says may differ, such as the orientation. Prefix codes are of no picture that is
        // decoded early.
        self.state.withLock { state in
            guard let decode = state.decode, state.bytes?.extent.isComplete == true,
                original.bytes.count == self.byteCount, original.header == decode.job.source
            else { return false }
            state.digest = original.digest
            return true
        }
    }

    /// Gives the decode of a verified original to a job, which does the rest of it; its memory stays in the budget until
    /// ``end()``.
    func take(_ digest: Digest) -> Decode? {
        self.state.withLock { state in
            guard state.digest == digest, let decode = state.decode.take() else { return nil }
            state.bytes = nil
            return decode
        }
    }
}

extension EarlyRender.State {
    /// Keeps the next bytes.
    fileprivate mutating func receive(
        _ piece: UnsafeRawBufferPointer, at now: UInt64, of byteCount: Int
    ) -> EarlyRender.Next {
        guard let bytes = self.bytes else { return .nothing }
        guard bytes.append(piece) else { return .end }
        let isComplete = bytes.extent.count == byteCount
        if isComplete { bytes.finish() }
        let verdict = self.pace.receive(piece.count, at: now)
        if self.decode != nil { return verdict == .tooSlow && !isComplete ? .end : .step }
        guard verdict != .tooSlow, !isComplete, let finding = try? self.probe.receive(piece) else { return .end }
        switch finding {
        case .incomplete: return .nothing
        case .header(let header) where SteppedJob.canDecode(header): return verdict == .fits ? .begin(header) : .nothing
        case .header, .beyondByteLimit: return .end
        }
    }

    /// Whether enough is there for a step and none is taken; it is from now on.
    fileprivate mutating func beginsStep(of byteCount: Int) -> Bool {
        guard self.decode != nil, !self.isDone, !self.isStepping, let extent = self.bytes?.extent else { return false }
        let slice = max(EarlyRender.leastSlice.bytes, byteCount / EarlyRender.leastSlice.part)
        let new = extent.count - self.seenCount
        guard new >= slice || extent.isComplete && new > 0 else { return false }
        self.seenCount = extent.count
        self.isStepping = true
        return true
    }
}
