import CPosterSandbox
package import PosterCodec
import Synchronization

/// A job that a worker decodes while its original arrives. It occupies the worker from its first step to its last.
package final class WorkerSteppedJob: ArrivingJob {
    private enum State {
        case waiting
        case running(WorkerProcess, isArriving: Bool)
        case ended(Result<DecodedJob, CodecError>)
    }

    private let pool: CodecWorkerPool
    private let planePool: PlaneMemoryPool?
    private let memory: ArrivingMemory
    private let bytes: ArrivingBytes
    private let job: RenderJob
    private let limits: CodecLimits
    private let control: JobControl
    private let budget: WorkerProcess.Budget
    /// Locked during a step.
    private let state = Mutex(State.waiting)

    /// - Parameters:
    ///   - memory: The memory of `bytes`.
    ///   - control: A control with the job's number of targets.
    ///   - planePool: Memory of this process for the planes that the job retains; `nil` retains none.
    /// - Throws: The errors of ``RenderPlan/init(_:target:limits:)``; ``CodecError/unsupported(_:)``.
    package init(
        _ bytes: ArrivingBytes, in memory: ArrivingMemory, job: RenderJob, limits: CodecLimits, control: JobControl,
        pool: CodecWorkerPool, planePool: PlaneMemoryPool? = nil
    ) throws(CodecError) {
        var job = job
        if planePool == nil { job.retention = nil }
        guard SteppedJob.canDecode(job.source) else { throw .unsupported("incremental decoding") }
        self.budget = try WorkerBudget.decoding(
            job, mappedBytes: memory.byteCount, limits: limits)
        self.pool = pool
        self.planePool = planePool
        self.memory = memory
        self.bytes = bytes
        self.job = job
        self.limits = limits
        self.control = control
    }

    deinit {
        // Never blocks: the thread that appends the original's bytes may release the job, and must not wait for a
        // process.
        self.state.withLock { state in
            guard case .running(let worker, let isArriving) = state else { return }
            self.pool.giveBackWithoutWaiting(worker, isFit: worker.endArriving(), isArriving: isArriving)
        }
    }

    /// As ``SteppedJob/step(groupLimit:)``. Blocks the calling thread until the worker has replied.
    ///
    /// - Throws: The errors of `SteppedJob`, and ``CodecError/decoderEnded(reason:)``.
    package func step(groupLimit: Int) throws(CodecError) -> SteppedJob.Step {
        try self.state.withLock { (state) throws(CodecError) -> SteppedJob.Step in
            do throws(CodecError) {
                switch state {
                case .ended(let outcome): return .decoded(try outcome.get())
                case .waiting:
                    // A worker may be refused only while the original is arriving.
                    let isArriving = !self.bytes.extent.isComplete
                    let worker = try self.pool.worker(isBackground: false, isArriving: isArriving)
                    state = .running(worker, isArriving: isArriving)
                    let request = ArrivingRequest(byteCount: self.memory.byteCount, job: self.job, limits: self.limits)
                    _ = try self.exchange(.beginArriving, request, [self.memory.descriptor], with: worker)
                    return try self.step(groupLimit, worker, isArriving, &state)
                case .running(let worker, let isArriving):
                    return try self.step(groupLimit, worker, isArriving, &state)
                }
            } catch {
                if case .running(let worker, let isArriving) = state { self.release(worker, isArriving) }
                state = .ended(.failure(error))
                throw error
            }
        }
    }

    private func step(
        _ groupLimit: Int, _ worker: WorkerProcess, _ isArriving: Bool, _ state: inout State
    ) throws(CodecError) -> SteppedJob.Step {
        // Checked here, because a worker that replies at once never polls the stop flag.
        guard !self.control.stop.isRaised else { throw .stopped }
        let step = try self.exchange(.step, StepRequest(groupLimit: groupLimit), [], with: worker)
        if case .decoded(let decoded) = step {
            state = .ended(.success(decoded))
            self.pool.giveBack(worker, isFit: true, isArriving: isArriving)
        }
        return step
    }

    private func exchange(
        _ kind: MessageKind, _ request: some MessageValue, _ descriptors: [Int32], with worker: WorkerProcess
    ) throws(CodecError) -> SteppedJob.Step {
        guard let message = try? MessageFrame.encode(kind, request) else {
            throw .internalError(reason: "the job is too long for a message")
        }
        let reply: ReceivedMessage
        do throws(WorkerProcess.Failure) {
            let control = self.control
            reply = try worker.exchange(
                message, descriptors, budget: self.budget, stop: control.stop, dropped: { ~control.wanted },
                arrived: self.bytes.word)
        } catch {
            let failure = self.pool.codecError(error, budget: self.budget)
            // A machine without memory is not the original's fault: another worker decodes it after its arrival.
            if case .killed = error { throw .outOfMemory }
            throw failure
        }
        let outcome = self.pool.outcome(of: reply, stop: self.control.stop) { kind, body, message in
            guard kind == .stepped else {
                let (usage, decoded) = try self.pool.decoded(
                    kind, body, message, job: self.job, limits: self.limits, control: self.control,
                    pool: self.planePool, false)
                return (usage, SteppedJob.Step.decoded(decoded))
            }
            let reply = try MessageReader.read(SteppedReply.self, from: body)
            return (reply.usage, reply.hasArrived ? .arrived : .limit)
        }
        switch outcome {
        case .value(let usage, let step):
            self.pool.note(usage, of: worker)
            return step
        case .failed(let usage, let error):
            self.pool.note(usage, of: worker)
            throw error
        case .outOfMemory:
            // Not the original's fault: the worker has had other jobs, and the original is decoded again after its
            // arrival.
            worker.end()
            throw .outOfMemory
        case .unreadable:
            worker.end()
            throw .decoderEnded(reason: "the decoder sent an unexpected reply")
        case .malformed(let reason):
            self.pool.count { $0.failures += 1 }
            worker.end()
            throw .decoderEnded(reason: reason)
        }
    }

    private func release(_ worker: WorkerProcess, _ isArriving: Bool) {
        self.pool.giveBack(worker, isFit: worker.endArriving(), isArriving: isArriving)
    }
}
