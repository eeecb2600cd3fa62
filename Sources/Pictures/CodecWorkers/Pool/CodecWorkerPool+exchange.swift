import CPosterSandbox
import Flights
import Glibc
import PosterCodec

extension CodecWorkerPool {
    /// As ``perform(_:_:_:budget:stop:dropped:isBackground:read:)``, for the targets of a control.
    func perform<Value>(
        _ kind: MessageKind, _ request: some MessageValue, _ descriptors: [Int32], budget: WorkerProcess.Budget,
        control: JobControl, isBackground: Bool,
        read: (MessageKind, UnsafeRawBufferPointer, ReceivedMessage) throws -> (WorkerUsage, Value)
    ) throws(CodecError) -> Value? {
        try self.perform(
            kind, request, descriptors, budget: budget, stop: control.stop, dropped: { ~control.wanted },
            isBackground: isBackground, read: read)
    }

    /// Has a worker do a job, on the calling thread.
    ///
    /// - Parameter read: Makes a value of the reply; throws ``MalformedMessage`` for one that no worker of ours sends.
    /// - Returns: nil when the worker could not read its input.
    /// - Throws: What the worker reports; ``CodecError/stopped``; ``CodecError/decoderEnded(reason:)``.
    func perform<Value>(
        _ kind: MessageKind, _ request: some MessageValue, _ descriptors: [Int32], budget: WorkerProcess.Budget,
        stop: StopFlag, dropped: () -> UInt64, isBackground: Bool,
        read: (MessageKind, UnsafeRawBufferPointer, ReceivedMessage) throws -> (WorkerUsage, Value)
    ) throws(CodecError) -> Value? {
        if stop.isRaised { throw .stopped }
        guard let message = try? MessageFrame.encode(kind, request) else {
            throw .internalError(reason: "a job that is too long for a message")
        }
        // One that has ended while it was idle is replaced; after more of these than there were something else is wrong. What earlier jobs have left in a
        // worker's heap, or a machine without memory, says nothing of an original: it has a second worker then.
        var isRepeated = false
        for _ in 0..<self.attemptLimit {
            let worker = try self.worker(isBackground: isBackground)
            let reply: ReceivedMessage
            do throws(WorkerProcess.Failure) {
                reply = try worker.exchange(message, descriptors, budget: budget, stop: stop, dropped: dropped)
            } catch {
                if case .gone = error {
                    // The job does not wait for its end.
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
        throw .internalError(reason: "workers end before they have a job")
    }

    /// All that are idle, and some that are started.
    private var attemptLimit: Int { self.configuration.count + self.configuration.spareCount + 3 }

    func worker(isBackground: Bool, isArriving: Bool = false) throws(CodecError) -> WorkerProcess {
        do throws(IsolationFailure) {
            return try self.take(isBackground: isBackground, isArriving: isArriving)
        } catch {
            throw error.isTransient ? .outOfMemory : .internalError(reason: "no worker: \(error)")
        }
    }

    /// Counts a failure, and says what it means.
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
        case .gone: return .internalError(reason: "workers end before they have a job")
        case .exhausted: return .outOfMemory
        }
    }

    /// What a reply means for its job. The worker is given back.
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
            throw .decoderEnded(reason: "its decoder needs more memory than a file like it should")
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

    /// Counts a job, and charges its time to the calling thread.
    func note(_ usage: WorkerUsage, of worker: WorkerProcess) {
        worker.note(usage)
        WorkerTime.charge(usage.cpuNanoseconds)
        self.count { $0.jobs += 1 }
    }

    /// What a reply means.
    enum Outcome<Value> {
        case value(WorkerUsage, Value)
        case failed(WorkerUsage, CodecError)
        case unreadable(WorkerUsage)
        /// The worker had no more memory.
        case outOfMemory
        /// As a clause.
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
            // Of memory that it may have, a new one has enough for what was estimated.
            case .outOfMemory: return .outOfMemory
            case .stopped where !stop.isRaised: return .malformed("its decoder has stopped")
            default: return .failed(failed.usage, error)
            }
        } catch let error as CodecError where error == .outOfMemory {
            // Of this process.
            return .failed(WorkerUsage(cpuNanoseconds: 0, heapBytes: 0), error)
        } catch let error as CodecError {
            return .malformed("its decoder's result cannot be used: \(error)")
        } catch {
            return .malformed("its decoder has sent a malformed message")
        }
    }
}

/// CPU time that workers have spent for the calling thread.
package enum WorkerTime {
    /// The CPU time of the calling thread and of the workers that it has waited for, in nanoseconds.
    @Sendable package static func nanoseconds() -> UInt64 {
        ThreadTime.nanoseconds() &+ poster_thread_charged_time()
    }

    /// - Parameter nanoseconds: As a worker reports it; no more counts than a job can take.
    static func charge(_ nanoseconds: UInt64) {
        poster_thread_charge_time(min(nanoseconds, WorkerUsage.limit))
    }
}
