import Flights

/// An HTTP client over libcurl. Fetches can be cancelled at any moment, and are bounded in time, size and number.
///
/// All transfers of a fetcher run on one thread of its own and share its connections. It supports `http` and `https`,
/// uses no cookies or credentials of the environment, and, unless the configuration says otherwise, no proxy and public
/// addresses only. Requests to each origin (scheme, host and port of the request's URL) stay within its ``OriginLimits``,
/// and stop while its `Retry-After` or its circuit breaker says so. Make one for the whole process.
public final class Fetcher: Sendable {
    /// The limits and policies of all fetches.
    public let configuration: FetchConfiguration

    private let timing: FetchTiming
    private let queue: CommandQueue
    private let thread: PosixThread
    private let sender: HopSender
    private let admission: AdmissionControl
    private let table: OriginTable
    private let shutdownSignal = Gate()

    /// Starts the thread.
    ///
    /// - Parameter whenAdmitted: Called with the nanoseconds that each fetch waited for a slot of its origin; must not block.
    /// - Throws: ``FetchError/failed(code:_:)`` when libcurl or the thread cannot be started.
    public convenience init(
        configuration: FetchConfiguration = FetchConfiguration(), whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) throws(FetchError) {
        try self.init(configuration: configuration, timing: FetchTiming(), whenAdmitted: whenAdmitted)
    }

    /// - Parameters:
    ///   - proxy: Used if the configuration says so.
    ///   - lookUp: Replaces the system's resolver.
    init(
        configuration: FetchConfiguration, timing: FetchTiming, proxy: ProxySettings = .current,
        lookUp: @escaping NameResolver.LookUp = SystemResolver.lookUp,
        whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) throws(FetchError) {
        let multi = try CurlMulti(configuration)
        let queue = CommandQueue(multi: multi)
        self.configuration = configuration
        self.timing = timing
        self.queue = queue
        self.sender = HopSender(
            configuration: configuration,
            queue: queue,
            resolver: NameResolver(
                cacheDuration: configuration.dnsCacheDuration, timing: timing, lookUp: lookUp),
            proxy: configuration.usesEnvironmentProxy ? proxy : nil
        )
        self.admission = AdmissionControl(configuration)
        self.table = OriginTable {
            Origin($0, configuration: configuration, timing: timing, whenAdmitted: whenAdmitted)
        }
        // The thread retains the loop, never the fetcher: releasing the fetcher ends it.
        self.thread = try PosixThread(name: "http-fetch") {
            FetchLoop(
                configuration: configuration, queue: queue, multi: multi, secondsSince1970: timing.secondsSince1970
            ).run()
        }
    }

    /// The ``OriginState/name`` of the origin of `url`; nil if it is not a URL.
    public static func originName(of url: String) -> String? {
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
    /// - Returns: The response, whatever its status.
    /// - Throws: `CancellationError` when the task is cancelled, in whatever phase, after the connection was closed.
    ///   ``FetchError`` for everything else. In both cases the sink may have got a part of the body.
    public func fetch(_ request: FetchRequest, into sink: any FetchSink) async throws -> FetchResponse {
        try Task.checkCancellation()
        let deadline = self.timing.now().addedClamped(self.configuration.totalTimeout.nanoseconds)
        let request = try ValidatedRequest(request)
        let origin = try self.table.acquire(request.url.origin)
        defer { self.table.release(origin) }
        let hasSlot = try origin.enter()
        defer { origin.leave() }
        let permit = try self.admission.admit(waits: !hasSlot, urgency: request.urgency)
        defer { permit.release() }

        let (timing, sender) = (self.timing, self.sender)
        return try await InternalCancellation.run(
            until: { try await timing.waitForDeadline(timing.timeLeft(until: deadline)) }, or: self.shutdownSignal
        ) { cancellation in
            try await origin.withTurn(urgency: request.urgency) { exposure in
                do {
                    try permit.start()
                    return try await FetchAttempts(
                        request: request, sink: sink, deadline: deadline, origin: origin, exposure: exposure,
                        sender: sender, timing: timing
                    ).run()
                } catch {
                    // Here too: the origin's circuit breaker counts a timeout, but no cancellation.
                    throw cancellation.reported(error)
                }
            }
        }
    }

    /// The states of the origins of recent fetches, at most 1024; the most recently used last.
    public var origins: [OriginState] { self.table.snapshots }

    /// Ends every fetch with ``FetchError/shutDown``, closes the connections and waits for the thread's end.
    ///
    /// Blocks for as long as a sink's current call takes. May be called again, on any thread: every call returns once the
    /// thread has ended, except one from inside a sink, which returns at once.
    public func shutdown() {
        self.queue.stop()
        self.shutdownSignal.open()
        self.thread.join()
    }
}
