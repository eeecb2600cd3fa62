public import PosterPipeline

/// How the service is doing, for those who watch it. Numbers of events are since the start.
public struct ServiceStatus: Sendable {
    /// One origin.
    public struct Origin: Sendable, Encodable {
        /// Scheme, host and port.
        public var name: String
        /// `closed` while it is asked, `open` while it is left alone after failures, `half-open` while one fetch finds out.
        public var breaker: String
        /// For how many seconds it is left alone; nil while it is asked.
        public var retryAfter: Int?
        /// Fetches that have a slot.
        public var underWay: Int
        /// Fetches that wait for one.
        public var waiting: Int
        /// Requests sent, retries among them.
        public var attempts: Int
        /// Requests sent again after a failure.
        public var retries: Int
        /// Downloads that went on where they had broken off.
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
        /// What they take, in bytes.
        public var bytes: Int
        /// What they may take, in bytes.
        public var byteBudget: Int
        /// Originals that were served but could not be kept.
        public var unstored: Int
        /// Originals that made room for others.
        public var evicted: Int
        /// Files that were not as they had been written.
        public var damaged: Int
        /// Whether the last original could be kept.
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

    /// Where accounts and favourites are kept.
    public struct Library: Sendable, Encodable {
        /// Whether it could be read the last time.
        public var isReadable: Bool
        /// Whether it could be written the last time.
        public var isWritable: Bool

        /// How it has been doing.
        public init(isReadable: Bool, isWritable: Bool) {
            self.isReadable = isReadable
            self.isWritable = isWritable
        }
    }

    /// Work that threads do.
    public struct Queue: Sendable, Encodable {
        /// What for.
        public var name: String
        /// How much of it runs.
        public var running: Int
        /// How much waits.
        public var waiting: Int
        /// How much may wait.
        public var limit: Int

        /// A queue's numbers.
        public init(name: String, running: Int, waiting: Int, limit: Int) {
            self.name = name
            self.running = running
            self.waiting = waiting
            self.limit = limit
        }

        /// Whether what comes now is refused.
        var isFull: Bool { self.limit > 0 && self.waiting >= self.limit }
    }

    /// One source of facts about films.
    public struct Source: Sendable, Encodable, Hashable {
        /// Such as `tmdb`.
        public var name: String
        /// Whether it is asked.
        public var isOn: Bool
        /// What would switch it on, such as `--tmdb-key`; nil when it is on.
        public var option: String?

        /// A source; one is on unless an option would switch it on.
        public init(name: String, option: String?) {
            self.name = name
            self.isOn = option == nil
            self.option = option
        }
    }

    /// Hits, renders and what is in memory.
    public var pipeline: PipelineStatus
    /// Variants that are to be made before anybody asks.
    public var warming: Int
    /// Those that were asked lately.
    public var origins: [Origin]
    /// The originals on disk.
    public var disk: Disk
    /// By name.
    public var queues: [Queue]
    /// Targets of pictures that are remembered, to be answered at once.
    public var targets: (count: Int, cost: Int) = (0, 0)
    /// Where accounts and favourites are kept; nil where nothing is.
    public var library: Library?
    /// Who is asked about films.
    public var sources: [Source] = []
    /// Whether the service has been asked to stop.
    public var isStopping: Bool

    /// All of it.
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
