public import PosterPipeline

/// The service's status for metrics and readiness. Event counts are since the start.
public struct ServiceStatus: Sendable {
    /// One origin.
    public struct Origin: Sendable, Encodable {
        /// Scheme, host and port.
        public var name: String
        /// The circuit breaker: `closed`, `open` after failures, `half-open` while one fetch probes the origin.
        public var breaker: String
        /// Seconds until the next probe; nil while the breaker is closed.
        public var retryAfter: Int?
        /// Fetches in progress.
        public var underWay: Int
        /// Queued fetches.
        public var waiting: Int
        /// Requests sent, including retries.
        public var attempts: Int
        /// Requests sent again after a failure.
        public var retries: Int
        /// Interrupted downloads resumed with a range request.
        public var resumed: Int
        /// Fetches that failed.
        public var failures: Int

        /// An origin's numbers.
        public init(
            name: String, breaker: String, retryAfter: Int?, underWay: Int, waiting: Int, attempts: Int, retries: Int,
            resumed: Int, failures: Int
        ) {
            self.name = name
            self.breaker = breaker
            self.retryAfter = retryAfter
            self.underWay = underWay
            self.waiting = waiting
            self.attempts = attempts
            self.retries = retries
            self.resumed = resumed
            self.failures = failures
        }
    }

    /// The originals on disk.
    public struct Disk: Sendable, Encodable {
        /// How many.
        public var originals: Int
        /// Their size, in bytes.
        public var bytes: Int
        /// Their budget, in bytes.
        public var byteBudget: Int
        /// Originals served but not stored, because of errors.
        public var unstored: Int
        /// Originals evicted.
        public var evicted: Int
        /// Files found damaged.
        public var damaged: Int
        /// Whether the last write succeeded.
        public var isWritable: Bool

        /// The disk's numbers.
        public init(
            originals: Int, bytes: Int, byteBudget: Int, unstored: Int, evicted: Int, damaged: Int, isWritable: Bool
        ) {
            self.originals = originals
            self.bytes = bytes
            self.byteBudget = byteBudget
            self.unstored = unstored
            self.evicted = evicted
            self.damaged = damaged
            self.isWritable = isWritable
        }
    }

    /// The database of accounts and favourites.
    public struct Library: Sendable, Encodable {
        /// Whether the last read succeeded.
        public var isReadable: Bool
        /// Whether the last write succeeded.
        public var isWritable: Bool

        /// The database's state.
        public init(isReadable: Bool, isWritable: Bool) {
            self.isReadable = isReadable
            self.isWritable = isWritable
        }
    }

    /// A bounded work queue.
    public struct Queue: Sendable, Encodable {
        /// Such as `codec`.
        public var name: String
        /// Running jobs.
        public var running: Int
        /// Queued jobs.
        public var waiting: Int
        /// The queue's limit.
        public var limit: Int

        /// A queue's numbers.
        public init(name: String, running: Int, waiting: Int, limit: Int) {
            self.name = name
            self.running = running
            self.waiting = waiting
            self.limit = limit
        }

        /// Whether further jobs are rejected.
        var isFull: Bool { self.limit > 0 && self.waiting >= self.limit }
    }

    /// A source of movie data.
    public struct Source: Sendable, Encodable, Hashable {
        /// Such as `tmdb`.
        public var name: String
        /// Whether it is configured.
        public var isOn: Bool
        /// The option that enables it, such as `--tmdb-key`; nil when it is on.
        public var option: String?

        /// A source, which is on if `option` is nil.
        public init(name: String, option: String?) {
            self.name = name
            self.isOn = option == nil
            self.option = option
        }
    }

    /// The pipeline's counters and caches.
    public var pipeline: PipelineStatus
    /// Variants queued for prefetching.
    public var warming: Int
    /// The origins of recent fetches.
    public var origins: [Origin]
    /// The originals on disk.
    public var disk: Disk
    /// By name.
    public var queues: [Queue]
    /// Parsed targets in the fast path's cache: their number, and their estimated cost in bytes.
    public var targets: (count: Int, cost: Int) = (0, 0)
    /// The database of accounts and favourites; nil without one.
    public var library: Library?
    /// The sources of movie data.
    public var sources: [Source] = []
    /// Whether the service is shutting down.
    public var isStopping: Bool

    /// A status without library and sources.
    public init(
        pipeline: PipelineStatus, warming: Int, origins: [Origin], disk: Disk, queues: [Queue],
        isStopping: Bool = false
    ) {
        self.isStopping = isStopping
        self.pipeline = pipeline
        self.warming = warming
        self.origins = origins
        self.disk = disk
        self.queues = queues
    }
}
