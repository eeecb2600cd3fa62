import CPosterCurl
import Flights
import Glibc

/// The event loop of the fetch thread: takes commands, runs libcurl, resumes callers, waits.
///
/// Confined to that thread, except for its ``CommandQueue``.
final class FetchLoop {
    /// The pause after a failure of libcurl's multi interface, which may fail again immediately.
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

    /// Runs until the queue is stopped, and then ends every transfer.
    func run() {
        while self.apply(self.queue.takeCommands()) {
            do throws(FetchError) {
                try self.work()
            } catch {
                // Memory or descriptors are exhausted; the transfer that caused it is unknown.
                self.endAll(HopFailure.local(error))
                usleep(useconds_t(Self.pauseAfterFailure.millisecondsRoundedUp * 1000))
            }
        }
        self.endAll(FetchError.shutDown)
        self.queue.close()
    }

    /// - Returns: Whether the loop continues.
    private func apply(_ commands: consuming CommandQueue.Commands) -> Bool {
        for submission in commands.submissions { self.start(submission) }
        commands.submissions = []  // releases the sinks before a caller is resumed
        for id in commands.cancelledIDs { self.end(id, with: .failure(CancellationError())) }
        return !commands.isStopping
    }

    private func work() throws(FetchError) {
        try self.multi.perform()
        while let (id, code) = self.multi.nextEnded() {
            guard let transfer = self.transfers[id] else { continue }
            if transfer.hasMetStaleConnection(code: code) {
                self.repeatOnNewConnection(transfer)
            } else {
                self.end(id, with: .success(transfer.result(code: code)))
            }
        }
        // Last, because ended transfers have made room. libcurl does not wait if a transfer was just added.
        self.admit()
        try self.multi.wait(atMost: .seconds(60))
    }

    private func start(_ submission: Submission) {
        do throws(FetchError) {
            let transfer = try Transfer(
                submission, configuration: self.configuration, secondsSince1970: self.secondsSince1970)
            self.transfers[submission.id] = transfer
            self.connections.join(
                submission.id, origin: submission.hop.url.origin, urgency: submission.hop.request.urgency)
        } catch {
            submission.waiter.resume(throwing: HopFailure.local(error))
        }
    }

    private func admit() {
        while let id = self.connections.admitNext() {
            guard let transfer = self.transfers[id] else { continue }
            // The origin may have sent a `Retry-After` while the transfer waited for the connection.
            if let refusal = transfer.submission.hop.exposure.recordStart(of: transfer.submission.hop.url) {
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

    /// Repeats a request immediately, in its place among the connections. At most once: a new connection is not stale.
    private func repeatOnNewConnection(_ transfer: Transfer) {
        self.multi.remove(transfer)
        do throws(FetchError) {
            try transfer.prepareRepetition()
            try self.multi.add(transfer)
        } catch {
            self.end(transfer.submission.id, with: .failure(HopFailure.local(error)))
        }
    }

    private func endAll(_ error: any Error) {
        for id in Array(self.transfers.keys) { self.end(id, with: .failure(error)) }
    }

    /// Ends a transfer. The only place that resumes a waiter; a second call for the same id has no effect.
    private func end(_ id: UInt64, with result: Result<HopResult, any Error>) {
        guard let waiter = self.retire(id) else { return }
        waiter.resume(with: result)
    }

    /// A separate function, so that the transfer and its reference to the sink are released before the caller is
    /// resumed.
    private func retire(_ id: UInt64) -> Waiter<HopResult>? {
        guard let transfer = self.transfers.removeValue(forKey: id) else { return nil }
        // Afterwards no callback calls the sink, and an unfinished transfer's connection is closed.
        self.multi.remove(transfer)
        transfer.submission.hop.exposure.recordEnd()
        self.connections.leave(id)
        return transfer.submission.waiter
    }
}

/// A libcurl multi handle: the running transfers and their connections.
///
/// Confined to the fetch thread, except for ``wakeUp()``, hence `@unchecked Sendable`: `curl_multi_wakeup` is the only
/// function that libcurl allows on any thread.
final class CurlMulti: @unchecked Sendable {
    private let handle: OpaquePointer

    /// Initialised once per process, before the first thread that uses libcurl.
    private static let isLibraryReady = poster_curl_global_init()

    init(_ configuration: FetchConfiguration) throws(FetchError) {
        guard Self.isLibraryReady else { throw .failed(code: 2, "curl_global_init failed") }
        let handle = poster_curl_multi_create(configuration.connectionBound)
        guard let handle else { throw .outOfMemory }
        self.handle = handle
    }

    deinit {
        poster_curl_multi_destroy(self.handle)
    }

    /// Ends the current ``wait(atMost:)``, or the next one; thread-safe.
    func wakeUp() {
        poster_curl_multi_wakeup(self.handle)
    }

    /// - Throws: ``FetchError/failed(code:_:)`` with a `CURLMcode`, as do ``perform()`` and ``wait(atMost:)``.
    func add(_ transfer: Transfer) throws(FetchError) {
        try Self.check(poster_curl_multi_add(self.handle, transfer.handle))
    }

    /// Stops a transfer, and closes its connection if it is unfinished. None of its callbacks runs afterwards.
    func remove(_ transfer: Transfer) {
        poster_curl_multi_remove(self.handle, transfer.handle)
    }

    /// Makes progress without waiting; callbacks run inside.
    func perform() throws(FetchError) {
        try Self.check(poster_curl_multi_perform(self.handle))
    }

    /// Waits for the network, a timer of libcurl, ``wakeUp()``, or the end of `duration`.
    func wait(atMost duration: Duration) throws(FetchError) {
        let milliseconds = Int32(clamping: max(0, duration.millisecondsRoundedUp))
        try Self.check(poster_curl_multi_poll(self.handle, milliseconds))
    }

    /// Returns the id of a transfer that has ended by itself, and its `CURLcode`.
    func nextEnded() -> (id: UInt64, code: Int32)? {
        var code: Int32 = 0
        guard let handle = poster_curl_multi_next_ended(self.handle, &code) else { return nil }
        let context = poster_curl_transfer_context(handle)
        return (Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue().submission.id, code)
    }

    private static func check(_ code: Int32) throws(FetchError) {
        guard code == 0 else { throw .failed(code: code, "curl_multi") }
    }
}
