/// What the fetch thread does: takes commands, lets libcurl work, hands out outcomes, sleeps.
///
/// Neither it nor anything it owns is used by another thread, except for ``FetchQueue``.
final class FetchLoop {
    private let configuration: FetchConfiguration
    private let queue: FetchQueue
    private let multi: CurlMulti
    private var transfers: [UInt64: Transfer] = [:]
    private var connections: ConnectionQueue

    init(configuration: FetchConfiguration, queue: FetchQueue, multi: CurlMulti) {
        self.configuration = configuration
        self.queue = queue
        self.multi = multi
        self.connections = ConnectionQueue(configuration)
    }

    /// Runs until the queue says stop.
    ///
    /// Every transfer has been ended then.
    func run() {
        while self.obey(self.queue.takeCommands()) {
            do throws(FetchError) {
                try self.work()
            } catch {
                // libcurl's own machinery failed (no memory, no descriptors). Nothing tells which transfer is to blame.
                self.endAll(error)
            }
        }
        self.endAll(.shutDown)
        self.queue.close()
    }

    /// - Returns: Whether to go on.
    private func obey(_ commands: consuming FetchQueue.Commands) -> Bool {
        for submission in commands.submissions { self.start(submission) }
        commands.submissions = []  // lets go of the sinks before a caller is resumed
        for id in commands.cancelledIDs { self.end(id, with: .failure(CancellationError())) }
        return !commands.isStopping
    }

    private func work() throws(FetchError) {
        try self.multi.perform()
        while let (id, code) = self.multi.nextEnded() { self.conclude(id, code: code) }
        let rest = self.expire()
        // Last, when all that has ended made room. libcurl does not wait when it was given something to do.
        self.admit()
        try self.multi.wait(atMost: rest)
    }

    private func start(_ submission: FetchSubmission) {
        do throws(FetchError) {
            let transfer = try Transfer(submission, configuration: self.configuration)
            self.transfers[transfer.id] = transfer
            self.connections.join(transfer.id, host: transfer.url.connectionHost)
        } catch {
            self.queue.transferEnded()
            submission.continuation.resume(throwing: error)
        }
    }

    private func admit() {
        while let id = self.connections.admitNext() {
            guard let transfer = self.transfers[id] else { continue }
            do throws(FetchError) {
                try self.multi.add(transfer)
            } catch {
                self.end(id, with: .failure(error))
            }
        }
    }

    /// A hop is over: the fetch is too, or it goes on with the next one.
    private func conclude(_ id: UInt64, code: Int32) {
        guard let outcome = self.nextStep(id, code: code) else { return }
        self.end(id, with: outcome.mapError { $0 })
    }

    private func nextStep(_ id: UInt64, code: Int32) -> Result<FetchResponse, FetchError>? {
        guard let transfer = self.transfers[id] else { return nil }
        // Only a handle that is in no multi can be aimed at another URL.
        self.multi.remove(transfer)
        self.connections.leave(id)
        let outcome = transfer.conclude(code: code)
        if outcome == nil { self.connections.join(id, host: transfer.url.connectionHost) }
        return outcome
    }

    /// Ends what has run out of time.
    ///
    /// Not left to libcurl: it knows nothing of transfers that wait for a connection, and starts anew on each hop.
    ///
    /// - Returns: How long until the next one, and a minute if there is none.
    private func expire() -> Duration {
        let now = ContinuousClock.now
        // By id: a loop over the transfers would hold them, and their sinks, while their callers are resumed.
        let expired = self.transfers.values.compactMap { $0.deadline <= now ? $0.id : nil }
        for id in expired { self.end(id, with: .failure(FetchError.timedOut(.total))) }
        return self.transfers.values.map(\.deadline).min().map { $0 - now } ?? .seconds(60)
    }

    private func endAll(_ error: FetchError) {
        for id in Array(self.transfers.keys) { self.end(id, with: .failure(error)) }
    }

    /// The one way out for a transfer.
    ///
    /// A second call finds nobody, so no continuation is resumed twice.
    private func end(_ id: UInt64, with outcome: Result<FetchResponse, any Error>) {
        guard let continuation = self.retire(id) else { return }
        self.queue.transferEnded()
        continuation.resume(with: outcome)
    }

    /// A function of its own, so that the transfer and its hold on the sink are gone when the caller is resumed.
    private func retire(_ id: UInt64) -> Transfer.Continuation? {
        guard let transfer = self.transfers.removeValue(forKey: id) else { return nil }
        // After this libcurl knows nothing of the sink any more, and a connection cut off in the middle is closed.
        self.multi.remove(transfer)
        self.connections.leave(id)
        return transfer.continuation
    }
}
