import CPosterSandbox
import Flights
import Glibc
import PosterCodec

extension CodecWorkerPool {
    /// As ``perform(_:_:_:budget:stop:dropped:isBackground:read:)``, with the stop flag and targets of a control.
    func perform<Value>(
        _ kind: MessageKind, _ request: some MessageValue, _ descriptors: [Int32], budget: WorkerProcess.Budget,
        control: JobControl, isBackground: Bool,
        read: (MessageKind, UnsafeRawBufferPointer, ReceivedMessage) throws -> (WorkerUsage, Value)
    ) throws(CodecError) -> Value? {
        try self.perform(
            kind, request, descriptors, budget: budget, stop: control.stop, dropped: { ~control.wanted },
            isBackground: isBackground, read: read)
    }

    /// Sends a job to a worker and waits for the reply on the calling thread.
    ///
    /// - Parameter read: Decodes the reply; throws ``MalformedMessage`` for one that a correct worker does not send.
    /// - Returns: `nil` if the worker could not read its input.
    /// - Throws: The error reported by the worker; ``CodecError/stopped``; ``CodecError/decoderEnded(reason:)``.
    func perform<Value>(
        _ kind: MessageKind, _ request: some MessageValue, _ descriptors: [Int32], budget: WorkerProcess.Budget,
        stop: StopFlag, dropped: () -> UInt64, isBackground: Bool,
        read: (MessageKind, UnsafeRawBufferPointer, ReceivedMessage) throws -> (WorkerUsage, Value)
    ) throws(CodecError) -> Value? {
        if stop.isRaised { throw .stopped }
        guard let message = try? MessageFrame.encode(kind, request) else {
            throw .internalError(reason: "the job is too long for a message")
        }
        // A worker that ended while it was idle is replaced; if more end than were idle, something else is wrong. A job
        // gets a second worker after running out of memory, which may be due to earlier jobs in the worker's heap, and
        // after a kill, which may be due to a machine without memory: neither proves anything about the original.
        var isRepeated = false
        for _ in 0..<self.attemptLimit {
            let worker = try self.worker(isBackground: isBackground)
            let reply: ReceivedMessage
            do throws(WorkerProcess.Failure) {
                reply = try worker.exchange(message, descriptors, budget: budget, stop: stop, dropped: dropped)
            } catch {
                if case .gone = error {
                    // The job does not wait for the end of the process.
                    self.giveBackWithoutWaiting(worker, isFit: false)
                    continue
                }
                if case .exhausted = error {
                    self.giveBack(worker, isFit: true)
                    throw .outOfMemory
                }
                self.giveBack(worker, isFit: false)
                if case .killed = error, !isRepeated, !stop.isRaised {
                    isRepeated = true
                    self.count { $0.failures += 1 }
                    continue
                }
                throw self.codecError(error, budget: budget)
            }
            let outcome = self.outcome(of: reply, stop: stop, read: read)
            if case .outOfMemory = outcome, !isRepeated, worker.jobCount > 1 {
                isRepeated = true
                self.count { $0.replaced += 1 }
                self.giveBack(worker, isFit: false)
                continue
            }
            return try self.value(of: outcome, from: worker)
        }
        self.endKilled()
        throw .internalError(reason: "workers exit before they receive a job")
    }

    /// All idle workers, and some new ones.
    private var attemptLimit: Int { self.configuration.count + self.configuration.spareCount + 3 }

    func worker(isBackground: Bool, isArriving: Bool = false) throws(CodecError) -> WorkerProcess {
        do throws(IsolationFailure) {
            return try self.take(isBackground: isBackground, isArriving: isArriving)
        } catch {
            throw error.isTransient ? .outOfMemory : .internalError(reason: "cannot start a worker: \(error)")
        }
    }

    /// Counts a failure, and returns its error.
    func codecError(_ failure: WorkerProcess.Failure, budget: WorkerProcess.Budget) -> CodecError {
        switch failure {
        case .stopped:
            self.count { $0.killed += 1 }
            return .stopped
        case .tookTooLong where budget.blamesOriginal:
            self.count { $0.failures += 1 }
            return .decoderEnded(reason: WorkerProcess.clause(SIGXCPU))
        case .tookTooLong(let used):
            self.count { $0.failures += 1 }
            return .overLimit(
                .cpuTime, value: Int(used / 1_000_000), limit: Int(budget.cpuNanoseconds / 1_000_000))
        case .ended(let reason):
            self.count { $0.failures += 1 }
            return .decoderEnded(reason: reason)
        case .killed:
            self.count { $0.failures += 1 }
            return .decoderEnded(reason: WorkerProcess.clause(SIGKILL))
        case .gone: return .internalError(reason: "workers exit before they receive a job")
        case .exhausted: return .outOfMemory
        }
    }

    /// Returns the result of an outcome, and gives the worker back.
    private func value<Value>(of outcome: Outcome<Value>, from worker: WorkerProcess) throws(CodecError) -> Value? {
        switch outcome {
        case .value(let usage, let value):
            self.finish(worker, usage)
            return value
        case .failed(let usage, let error):
            self.finish(worker, usage)
            throw error
        case .unreadable(let usage):
            self.finish(worker, usage)
            return nil
        case .outOfMemory:
            self.count { $0.failures += 1 }
            self.giveBack(worker, isFit: false)
            throw .decoderEnded(reason: "the decoder exceeded the memory estimate of the file")
        case .malformed(let reason):
            self.count { $0.failures += 1 }
            self.giveBack(worker, isFit: false)
            throw .decoderEnded(reason: reason)
        }
    }

    private func finish(_ worker: WorkerProcess, _ usage: WorkerUsage) {
        self.note(usage, of: worker)
        self.giveBack(worker, isFit: true)
    }

    /// Counts a reply, and charges its CPU time to the calling thread.
    func note(_ usage: WorkerUsage, of worker: WorkerProcess) {
        worker.note(usage)
        WorkerTime.charge(usage.cpuNanoseconds)
        self.count { $0.jobs += 1 }
    }

    enum Outcome<Value> {
        case value(WorkerUsage, Value)
        case failed(WorkerUsage, CodecError)
        case unreadable(WorkerUsage)
        /// The worker ran out of memory.
        case outOfMemory
        /// The reason as a clause.
        case malformed(String)
    }

    func outcome<Value>(
        of reply: ReceivedMessage, stop: StopFlag,
        read: (MessageKind, UnsafeRawBufferPointer, ReceivedMessage) throws -> (WorkerUsage, Value)
    ) -> Outcome<Value> {
        do {
            let (kind, body) = try MessageFrame.parse(reply.bytes)
            guard kind == .failed else {
                let (usage, value) = try read(kind, body, reply)
                return .value(usage, value)
            }
            let failed = try MessageReader.read(FailedReply.self, from: body)
            if failed.error.kind == .unreadable { return .unreadable(failed.usage) }
            guard let error = failed.error.codecError else { throw MalformedMessage() }
            switch error {
            // Within the permitted memory, a new worker has room for the estimate.
            case .outOfMemory: return .outOfMemory
            case .stopped where !stop.isRaised: return .malformed("the decoder stopped")
            default: return .failed(failed.usage, error)
            }
        } catch let error as CodecError where error == .outOfMemory {
            // This process is out of memory.
            return .failed(WorkerUsage(cpuNanoseconds: 0, heapBytes: 0), error)
        } catch let error as CodecError {
            return .malformed("the decoder's result cannot be used: \(error)")
        } catch {
            return .malformed("the decoder sent a malformed message")
        }
    }
}

/// CPU time of threads, including the workers they wait for.
package enum WorkerTime {
    /// The CPU time of the calling thread and of the workers that it has waited for, in nanoseconds.
    @Sendable package static func nanoseconds() -> UInt64 {
        ThreadTime.nanoseconds() &+ poster_thread_charged_time()
    }

    /// - Parameter nanoseconds: As reported by a worker; clamped to the maximum of a reply.
    static func charge(_ nanoseconds: UInt64) {
        poster_thread_charge_time(min(nanoseconds, WorkerUsage.limit))
    }
}
