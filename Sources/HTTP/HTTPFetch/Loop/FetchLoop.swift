import Glibc

/// What the fetch thread does: takes commands, lets libcurl work, hands out outcomes, sleeps.
///
/// Neither it nor anything it owns is used by another thread, except for ``CommandQueue``.
final class FetchLoop {
    /// How long the thread sleeps when libcurl's machinery has failed: it may do so again at once.
    private static let pauseAfterFailure: Duration = .milliseconds(10)

    private let configuration: FetchConfiguration
    private let queue: CommandQueue
    private let multi: CurlMulti
    private let secondsSince1970: @Sendable () -> Int64
    private var transfers: [UInt64: Transfer] = [:]
    private var connections: ConnectionQueue

    init(
        configuration: FetchConfiguration, queue: CommandQueue, multi: CurlMulti,
        secondsSince1970: @escaping @Sendable () -> Int64
    ) {
        self.configuration = configuration
        self.secondsSince1970 = secondsSince1970
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
                self.endAll(HopFailure.local(error))
                usleep(useconds_t(Self.pauseAfterFailure.millisecondsRoundedUp * 1000))
            }
        }
        self.endAll(FetchError.shutDown)
        self.queue.close()
    }

    /// - Returns: Whether to go on.
    private func obey(_ commands: consuming CommandQueue.Commands) -> Bool {
        for submission in commands.submissions { self.start(submission) }
        commands.submissions = []  // lets go of the sinks before a caller is resumed
        for id in commands.cancelledIDs { self.end(id, with: .failure(CancellationError())) }
        return !commands.isStopping
    }

    private func work() throws(FetchError) {
        try self.multi.perform()
        while let (id, code) = self.multi.nextEnded() { self.conclude(id, code: code) }
        // Last, when all that has ended made room. libcurl does not wait when it was given something to do.
        self.admit()
        try self.multi.wait(atMost: .seconds(60))
    }

    private func start(_ submission: FetchSubmission) {
        do throws(FetchError) {
            let transfer = try Transfer(
                submission, configuration: self.configuration, secondsSince1970: self.secondsSince1970)
            self.transfers[transfer.id] = transfer
            self.connections.join(transfer.id, host: transfer.url.connectionHost, urgency: transfer.urgency)
        } catch {
            submission.continuation.resume(throwing: HopFailure.local(error))
        }
    }

    private func admit() {
        while let id = self.connections.admitNext() {
            guard let transfer = self.transfers[id] else { continue }
            // Much may have happened while it waited for the connection.
            if let refusal = transfer.trace.begin(transfer.url) {
                self.end(id, with: .failure(refusal))
                continue
            }
            do throws(FetchError) {
                try self.multi.add(transfer)
            } catch {
                self.end(id, with: .failure(HopFailure.local(error)))
            }
        }
    }

    private func conclude(_ id: UInt64, code: Int32) {
        guard let outcome = self.transfers[id]?.conclude(code: code) else { return }
        self.end(id, with: .success(outcome))
    }

    private func endAll(_ error: any Error) {
        for id in Array(self.transfers.keys) { self.end(id, with: .failure(error)) }
    }

    /// The one way out for a transfer.
    ///
    /// A second call finds nobody, so no continuation is resumed twice.
    private func end(_ id: UInt64, with outcome: Result<HopResult, any Error>) {
        guard let continuation = self.retire(id) else { return }
        continuation.resume(with: outcome)
    }

    /// A function of its own, so that the transfer and its hold on the sink are gone when the caller is resumed.
    private func retire(_ id: UInt64) -> Transfer.Continuation? {
        guard let transfer = self.transfers.removeValue(forKey: id) else { return nil }
        // After this libcurl knows nothing of the sink any more, and a connection cut off in the middle is closed.
        self.multi.remove(transfer)
        transfer.trace.end()
        self.connections.leave(id)
        return transfer.continuation
    }
}
