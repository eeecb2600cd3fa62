/// An HTTP client whose fetches can be cancelled at any moment and are bounded in every direction.
///
/// All transfers of a fetcher run on one thread of its own and share its connections. Only `http` and `https` are spoken,
/// no proxy, cookie or credential of the environment is used, and unless the configuration says otherwise only public
/// addresses are connected to. Make one for the whole process.
public final class Fetcher: Sendable {
    /// What the fetcher was made with.
    public let configuration: FetchConfiguration

    private let queue: FetchQueue
    private let thread: FetchThread

    /// Starts the thread.
    ///
    /// - Throws: ``FetchError/failed(code:_:)`` when libcurl or the thread cannot be started.
    public init(configuration: FetchConfiguration = FetchConfiguration()) throws(FetchError) {
        let multi = try CurlMulti(configuration)
        let queue = FetchQueue(multi: multi, maxTransfers: configuration.maxTransfers)
        self.configuration = configuration
        self.queue = queue
        // The thread holds the loop, never the fetcher: dropping the fetcher is enough to end it.
        self.thread = try FetchThread { FetchLoop(configuration: configuration, queue: queue, multi: multi) }
    }

    deinit {
        self.shutdown()
    }

    /// GETs a URL, following redirects, and streams the body of a 200 into `sink`.
    ///
    /// Bodies of other statuses are dropped.
    ///
    /// - Parameter sink: Held, and called on the fetch thread, until this function returns or throws.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `CancellationError` when the task is cancelled, in whatever phase: the connection is closed by then.
    ///   ``FetchError`` for everything else. In both cases the sink may have got a part of the body.
    public func fetch(_ request: FetchRequest, into sink: any FetchSink) async throws -> FetchResponse {
        try Task.checkCancellation()
        let url = try FetchURL.requested(request.url)
        let headerLines = try request.headerLines()
        let deadline = ContinuousClock.now + self.configuration.totalTimeout
        let id = self.queue.nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.queue.submit(
                    FetchSubmission(
                        id: id,
                        url: url,
                        headerLines: headerLines,
                        sink: sink,
                        deadline: deadline,
                        continuation: continuation
                    )
                )
            }
        } onCancel: {
            self.queue.cancel(id)
        }
    }

    /// Ends every fetch with ``FetchError/shutDown``, closes the connections and waits for the thread's end.
    ///
    /// It blocks for as long as a sink needs for its current call. It may be called again, from anywhere: every call
    /// returns once the thread is over, except one from inside a sink, which only asks for the end.
    public func shutdown() {
        self.queue.stop()
        self.thread.join()
    }
}
