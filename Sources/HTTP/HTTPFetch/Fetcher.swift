/// An HTTP client whose fetches can be cancelled at any moment and are bounded in every direction.
///
/// All transfers of a fetcher run on one thread of its own and share its connections. Only `http` and `https` are spoken,
/// no cookie or credential of the environment is used, and unless the configuration says otherwise no proxy either, and
/// only public addresses are connected to. Each origin (scheme, host and port of the request's URL) is asked within its
/// ``OriginLimits``, and left alone when it asks for that or keeps failing. Make one for the whole process.
public final class Fetcher: Sendable {
    /// What the fetcher was made with.
    public let configuration: FetchConfiguration

    private let timing: FetchTiming
    private let queue: CommandQueue
    private let thread: FetchThread
    private let sender: HopSender
    private let places: AdmissionControl
    private let table: OriginTable
    private let stop = ShutdownSignal()

    /// Starts the thread.
    ///
    /// - Parameter whenAdmitted: is told of each fetch that got a slot of its origin how many nanoseconds it waited; it must
    ///   not wait itself.
    /// - Throws: ``FetchError/failed(code:_:)`` when libcurl or the thread cannot be started.
    public convenience init(
        configuration: FetchConfiguration = FetchConfiguration(), whenAdmitted: (@Sendable (UInt64) -> Void)? = nil
    ) throws(FetchError) {
        try self.init(configuration: configuration, timing: FetchTiming(), whenAdmitted: whenAdmitted)
    }

    /// - Parameters:
    ///   - proxy: Used if the configuration wants one.
    ///   - lookUp: In place of the system's resolver.
    init(
        configuration: FetchConfiguration, timing: FetchTiming, proxy: EnvironmentProxy = .current,
        lookUp: @escaping NameResolver.LookUp = ResolverThread.lookUp,
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
        self.places = AdmissionControl(configuration)
        self.table = OriginTable {
            Origin($0, configuration: configuration, timing: timing, whenAdmitted: whenAdmitted)
        }
        // The thread holds the loop, never the fetcher: dropping the fetcher is enough to end it.
        self.thread = try FetchThread {
            FetchLoop(
                configuration: configuration, queue: queue, multi: multi, secondsSince1970: timing.secondsSince1970)
        }
    }

    /// What ``OriginState/name`` is of the origin of `url`; nil of what cannot be fetched.
    public static func originName(of url: String) -> String? {
        FetchURL(url)?.origin.name
    }

    deinit {
        self.shutdown()
    }

    /// Asks for a URL, following redirects of a GET, and streams the body of a 200 into `sink`.
    ///
    /// What fails in a way that may pass is tried again; see ``RetryPolicy``. Bodies of other statuses are dropped, unless
    /// ``FetchRequest/keepsErrorBodies`` says otherwise.
    ///
    /// - Parameter sink: Held, and called on the fetch thread, until this function returns or throws.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `CancellationError` when the task is cancelled, in whatever phase: the connection is closed by then.
    ///   ``FetchError`` for everything else. In both cases the sink may have got a part of the body.
    public func fetch(_ request: FetchRequest, into sink: any FetchSink) async throws -> FetchResponse {
        try Task.checkCancellation()
        let deadline = self.timing.now().addedClamped(self.configuration.totalTimeout.nanoseconds)
        let request = try ValidatedRequest(request)
        return try await self.table.withOrigin(request.url.origin) { origin in
            try await origin.withPresence { hasSlot in
                try await self.places.withPlace(waits: !hasSlot, urgency: request.urgency) { place in
                    try await self.fetch(request, from: origin, with: place, until: deadline, into: sink)
                }
            }
        }
    }

    private func fetch(
        _ request: ValidatedRequest, from origin: Origin, with place: AdmissionControl.Permit,
        until deadline: UInt64, into sink: any FetchSink
    ) async throws -> FetchResponse {
        let timing = self.timing
        return try await InternalCancellation.watch(
            until: { try await timing.waitForDeadline(timing.timeLeft(until: deadline)) }, or: self.stop
        ) { interruption in
            try await origin.withTurn(urgency: request.urgency) { trace in
                // Named in here too: the origin judges by it.
                try await interruption.naming {
                    try place.start()
                    let attempts = FetchAttempts(
                        request: request, sink: sink, deadline: deadline, origin: origin, trace: trace,
                        sender: self.sender, timing: timing)
                    return try await attempts.run()
                }
            }
        }
    }

    /// How things stand with the origins that were asked lately, at most 1024; the one used last at the end.
    public var origins: [OriginState] { self.table.snapshots }

    /// Ends every fetch with ``FetchError/shutDown``, closes the connections and waits for the thread's end.
    ///
    /// It blocks for as long as a sink needs for its current call. It may be called again, from anywhere: every call
    /// returns once the thread is over, except one from inside a sink, which only asks for the end.
    public func shutdown() {
        self.queue.stop()
        self.stop.give()
        self.thread.join()
    }
}
