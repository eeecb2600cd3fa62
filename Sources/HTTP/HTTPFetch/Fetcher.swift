import Flights
import Synchronization

/// An HTTP client over libcurl. Fetches can be cancelled at any moment, and are bounded in time, size and number.
///
/// All transfers of a fetcher run on its thread and share its connections. Supports `http` and `https`; keeps cookies
/// within one chain of redirects only; uses no credentials of the environment and, by default, no proxy and public
/// addresses only. Requests to each origin (scheme, host and port of the request's URL) stay within its
/// ``OriginLimits``, and stop while the origin is paused by `Retry-After` or its circuit breaker is open. Create one
/// fetcher per process.
public final class Fetcher: Sendable {
    package let configuration: FetchConfiguration

    let timing: FetchTiming
    let queue: CommandQueue
    let resolver: NameResolver
    /// `nil` if proxies are disabled.
    let proxy: ProxySettings?
    private let thread: PosixThread
    private let admission: AdmissionControl
    private let table: OriginTable
    private let shutdownSignal = Gate()

    /// Starts the thread.
    /// - Parameters:
    ///   - sharedRates: Shares the rates of origins with other nodes; `nil` without other nodes.
    ///   - whenAdmitted: Called with the time that each fetch waited for a slot of its origin, in nanoseconds; must not
    ///     block.
    /// - Throws: ``FetchError/failed(code:_:)`` if libcurl or the thread cannot be started.
    package convenience init(
        configuration: FetchConfiguration = FetchConfiguration(), sharedRates: (any SharedRates)? = nil,
        whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) throws(FetchError) {
        try self.init(
            configuration: configuration, timing: FetchTiming(), sharedRates: sharedRates, whenAdmitted: whenAdmitted)
    }

    /// - Parameter lookUp: Replaces the system's resolver.
    init(
        configuration: FetchConfiguration, timing: FetchTiming, proxy: ProxySettings = .current,
        lookUp: @escaping NameResolver.LookUp = SystemResolver.lookUp, sharedRates: (any SharedRates)? = nil,
        whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) throws(FetchError) {
        let multi = try CurlMulti(configuration)
        let queue = CommandQueue(multi: multi)
        self.configuration = configuration
        self.timing = timing
        self.queue = queue
        self.resolver = NameResolver(cacheDuration: configuration.dnsCacheDuration, timing: timing, lookUp: lookUp)
        self.proxy = configuration.usesEnvironmentProxy ? proxy : nil
        self.admission = AdmissionControl(configuration)
        self.table = OriginTable {
            Origin(
                $0, configuration: configuration, timing: timing, sharedRates: sharedRates, whenAdmitted: whenAdmitted)
        }
        // The thread retains the loop, never the fetcher: releasing the fetcher stops the thread.
        self.thread = try PosixThread(name: "http-fetch") {
            FetchLoop(
                configuration: configuration, queue: queue, multi: multi, secondsSince1970: timing.secondsSince1970
            ).run()
        }
    }

    /// The ``OriginState/name`` of a URL's origin; `nil` if `url` is not a URL.
    package static func originName(of url: String) -> String? {
        FetchURL(url)?.origin.name
    }

    deinit {
        self.shutdown()
    }

    /// Sends a request, follows the redirects of a GET, and streams the body of a 200 into `sink`.
    ///
    /// Transient failures are retried; see ``RetryPolicy``. Bodies of other statuses are discarded, unless
    /// ``FetchRequest/errorBodyLimit`` says otherwise.
    ///
    /// - Parameter sink: Retained, and called on the fetch thread, until this function returns or throws.
    /// - Throws: `CancellationError` if the task is cancelled, in any phase, after the connection was closed;
    ///   ``FetchError`` otherwise. In both cases the sink may have received a part of the body.
    package func fetch(_ request: FetchRequest, into sink: any FetchSink) async throws -> FetchResponse {
        try Task.checkCancellation()
        let deadline = self.timing.now().addingClamped(self.configuration.totalTimeout.nanoseconds)
        let request = try ValidatedRequest(request)
        let origin = try self.table.acquire(request.url.origin)
        defer { self.table.release(origin) }
        let hasSlot = try origin.enter()
        defer { origin.leave() }
        let permit = try self.admission.admit(waits: !hasSlot, urgency: request.urgency)
        defer { permit.release() }
        return try await self.cancelling(at: deadline) { cancellation in
            try await origin.withTurn(urgency: request.urgency) { exposure in
                do {
                    try permit.start()
                    return try await FetchAttempts(
                        request: request, sink: sink, deadline: deadline, origin: origin, exposure: exposure,
                        fetcher: self
                    ).run()
                } catch {
                    // Reported here too: the origin's circuit breaker counts a timeout, but not a cancellation.
                    throw cancellation.reported(error)
                }
            }
        }
    }

    /// States of the origins of recent fetches, at most 1024, the most recently used last.
    package var origins: [OriginState] { self.table.snapshots }

    /// Ends every fetch with ``FetchError/shutDown``, closes the connections and joins the thread.
    ///
    /// Blocks for as long as a sink's current call takes. Idempotent and thread-safe: every call returns once the
    /// thread has ended, except a call from inside a sink, which returns immediately.
    package func shutdown() {
        self.queue.stop()
        self.shutdownSignal.open()
        self.thread.join()
    }

    // MARK: Deadline and shutdown

    /// Why the fetcher cancelled a fetch: the error that the caller gets instead of a `CancellationError`.
    private final class Cancellation: Sendable {
        private let reason = Mutex<FetchError?>(nil)

        /// Stores the reason once `moment` returns; `moment` throws if the fetch ends first. Only the first reason
        /// counts.
        func request(_ reason: FetchError, after moment: () async throws -> Void) async {
            guard (try? await moment()) != nil else { return }
            self.reason.withLock { if $0 == nil { $0 = reason } }
        }

        /// Replaces a `CancellationError` by the reason; returns any other error unchanged.
        func reported(_ error: any Error) -> any Error {
            error is CancellationError ? self.reason.withLock { $0 } ?? error : error
        }
    }

    /// Runs a fetch until it ends, `deadline` passes or the fetcher is shut down.
    /// - Throws: ``FetchError/timedOut(_:)`` or ``FetchError/shutDown`` in the latter cases; `CancellationError` if the
    ///   task is cancelled; errors of `fetch`.
    private func cancelling(
        at deadline: UInt64, _ fetch: @escaping @Sendable (Cancellation) async throws -> FetchResponse
    ) async throws -> FetchResponse {
        guard !self.shutdownSignal.isOpen else { throw FetchError.shutDown }
        let (timing, shutdown, cancellation) = (self.timing, self.shutdownSignal, Cancellation())
        return try await withTaskGroup(of: Result<FetchResponse, any Error>?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do { return .success(try await fetch(cancellation)) } catch {
                    return .failure(cancellation.reported(error))
                }
            }
            group.addTask {
                await cancellation.request(.timedOut(.total)) {
                    try await timing.waitForDeadline(timing.timeLeft(until: deadline))
                }
                return nil
            }
            group.addTask {
                await cancellation.request(.shutDown) { try await shutdown.wait() }
                return nil
            }
            for await result in group {
                if let result { return result }
                group.cancelAll()
            }
            return .failure(CancellationError())
        }.get()
    }
}
