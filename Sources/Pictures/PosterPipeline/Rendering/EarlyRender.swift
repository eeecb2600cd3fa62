import CodecWorkers
import Flights
import PosterCodec
import Synchronization

/// An original that is decoded while it arrives, for the targets of waiting requests. Safe from any thread.
///
/// It stores the bytes from the first one on. Once the header is known and the pace fits, it decodes in steps on idle
/// codec threads; between steps it holds none. The job that takes the decode finishes it after the original is complete
/// and verified. Any earlier failure ends it, and the original is decoded after its arrival.
final class EarlyRender: Sendable {
    /// Smaller originals are decoded after their arrival.
    static let leastByteCount = 128 << 10
    /// Maximum number of groups of rows per step: about a millisecond for a large original.
    static let groupLimit = 16
    /// Minimum new data for a step: bytes, and the fraction of the file.
    fileprivate static let leastSlice = (bytes: 16 << 10, part: 32)

    struct Decode: Sendable {
        let stepped: any ArrivingJob
        let job: RenderJob
        let control: JobControl
        /// Estimate without retained planes.
        let memory: JobMemoryEstimate
        /// Estimated memory of the decode, including retained planes, in bytes.
        fileprivate let decodingBytes: Int
    }

    fileprivate struct State {
        var pace: ArrivalPace
        var probe: IncrementalProbe
        /// `nil` after it has ended or was taken.
        var bytes: ArrivingBytes?
        var decode: Decode?
        /// The digest of the verified original; `nil` before the verification.
        var digest: Digest?
        var isStepping = false
        var isDone = false
        /// Number of bytes available when the last step began.
        var seenCount = 0
    }

    let id: PosterID
    private let byteCount: Int
    /// Memory that workers can read; `nil` without workers.
    private let memory: ArrivingMemory?
    private let registry: EarlyRenderRegistry
    private let state: Mutex<State>

    /// - Parameters:
    ///   - bytes: With room for `byteCount` bytes.
    ///   - memory: The memory of `bytes`, if workers can read it.
    ///   - byteCount: The length declared by the origin.
    init(
        _ id: PosterID, _ bytes: ArrivingBytes, in memory: ArrivingMemory?, byteCount: Int,
        registry: EarlyRenderRegistry
    ) {
        self.memory = memory
        self.id = id
        self.byteCount = byteCount
        self.registry = registry
        self.state = Mutex(
            State(
                pace: ArrivalPace(byteCount: byteCount, start: registry.now()),
                probe: IncrementalProbe(limits: registry.renderer.limits), bytes: bytes))
    }

    deinit {
        self.registry.budget.release(ObjectIdentifier(self))
    }

    /// Whether nothing has arrived for ``ArrivalPace/longestPause``; also becomes true after the last byte.
    func isStalled(at now: UInt64) -> Bool { self.state.withLock { $0.pace.isStalled(at: now) } }

    /// Stops the decode and releases its place in the budget. Does not stop a decode that was taken.
    func end() {
        let ended = self.state.withLock { state in (state.bytes.take(), state.decode.take()) }
        ended.1?.control.stop.raise()
        self.registry.budget.release(ObjectIdentifier(self))
    }

    // MARK: Arrival

    fileprivate enum Next {
        case nothing
        case begin(ImageHeader)
        case step
        case end
    }

    /// Adds the next bytes; calls are sequential.
    func append(_ piece: UnsafeRawBufferPointer) {
        let now = self.registry.now()
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
            self.registry.budget.take(decode.decodingBytes, for: self, at: now)
        else {
            self.end()
            return
        }
        let hasBegun = self.state.withLock { state in
            if state.bytes != nil { state.decode = decode }
            return state.bytes != nil
        }
        if hasBegun { self.registry.counters.count(.decoded) } else { self.end() }
    }

    /// The decode for the most urgent targets of waiting requests; `nil` without any.
    private func decode(of header: ImageHeader, _ bytes: ArrivingBytes) -> Decode? {
        let renderer = self.registry.renderer
        let targets = self.registry.table.wantedTargets(of: self.id)
        let sharing = DecodeSharing(
            targets.map { RenderJob.Target($0.target, urgency: UInt8($0.level.rawValue)) }, of: header,
            byteCount: self.byteCount, limits: renderer.limits, memoryLimit: self.registry.budget.byteLimit)
        guard let first = sharing.jobs.first else { return nil }
        let retaining = self.registry.retaining(first)
        let chosen = retaining?.decode ?? first
        let job = chosen.job
        let control = renderer.control(of: job)
        // The decode after the arrival reports errors.
        guard
            let stepped = try? renderer.decoder.arrivingJob(
                bytes, in: self.memory, job, control: control, pool: retaining?.pool)
        else { return nil }
        return Decode(
            stepped: stepped, job: job, control: control, memory: first.memory, decodingBytes: chosen.memory.bytes)
    }

    // MARK: Steps

    private func stepIfUseful() {
        guard self.state.withLock({ $0.beginsStep(of: self.byteCount) }) else { return }
        // Unstructured, because the fetch continues meanwhile. It ends when no new bytes are left; ``EarlyBudget``
        // bounds the number of such tasks.
        Task { await self.steps() }
    }

    private func steps() async {
        repeat {
            // Never waits for a thread: the rest is decoded later.
            guard await self.registry.renderer.threads.runIfIdle({ self.run() }) else {
                self.state.withLock { $0.isStepping = false }
                return
            }
        } while self.state.withLock { state in
            state.isStepping = false
            return state.beginsStep(of: self.byteCount)
        }
    }

    /// Decodes the available bytes on a codec thread, until other work waits for it.
    private func run() {
        let threads = self.registry.renderer.threads
        while let decode = self.wantedDecode() {
            do throws(CodecError) {
                guard case .limit = try decode.stepped.step(groupLimit: Self.groupLimit),
                    threads.usage.waitingCount == 0
                else { return }
            } catch {
                switch error {
                case .overLimit, .decoderEnded:
                    // The job reports and caches the error: a second attempt would take as long, or end another worker.
                    self.state.withLock { $0.isDone = true }
                default: self.end()
                }
                return
            }
        }
    }

    /// The current decode, without the targets of requests that have left.
    /// - Returns: `nil` if the decode is done, was taken, or has ended, as it does with its last target.
    private func wantedDecode() -> Decode? {
        // Under the lock, because no target may be dropped after the decode was taken.
        let decode = self.state.withLock { state -> Decode? in
            guard !state.isDone, let decode = state.decode else { return nil }
            for (index, target) in decode.job.targets.enumerated()
            where decode.control.isWanted(index) && !self.registry.table.isWanted(target.target, of: self.id) {
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

    /// Marks the original as verified.
    /// - Returns: Whether the decode is usable for it.
    func confirm(_ original: Original) -> Bool {
        // The header may differ in what only the end of a file contains, such as the orientation. Pictures with prefix
        // codes are not decoded early.
        self.state.withLock { state in
            guard let decode = state.decode, state.bytes?.extent.isComplete == true,
                original.bytes.count == self.byteCount, original.header == decode.job.source
            else { return false }
            state.digest = original.digest
            return true
        }
    }

    /// Hands the decode of a verified original over to a job, which finishes it; its memory stays charged until
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
    /// Appends bytes and returns the next action.
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

    /// Marks a step as running, if enough new bytes are available and no step runs.
    /// - Returns: Whether a step begins.
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
