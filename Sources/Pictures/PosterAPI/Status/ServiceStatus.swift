package import PosterPipeline

/// The service's status for metrics and readiness. Event counts are since the start.
package struct ServiceStatus: Sendable {
    package struct Origin: Sendable, Encodable {
        /// Scheme, host and port.
        package var name: String
        /// The circuit breaker: `closed`, `open` after failures, `half-open` while one fetch probes the origin.
        package var breaker: String
        /// Seconds until the next probe of an open breaker, or until the pause that the origin requested ends; `nil`
        /// otherwise.
        package var retryAfter: Int?
        package var underWay: Int
        package var waiting: Int
        /// Requests sent, including retries.
        package var attempts: Int
        /// Requests sent again after a failure.
        package var retries: Int
        /// Interrupted downloads resumed with a range request.
        package var resumed: Int
        package var failures: Int

        package init(
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

    package struct Disk: Sendable, Encodable {
        package var originals: Int
        package var bytes: Int
        package var byteBudget: Int
        /// Originals that are served but not durable yet.
        package var pending: Int
        package var pendingBytes: Int
        package var unstored: Int
        package var evicted: Int
        /// Files found damaged.
        package var damaged: Int
        /// Whether the last write succeeded.
        package var isWritable: Bool

        package init(
            originals: Int, bytes: Int, byteBudget: Int, pending: Int = 0, pendingBytes: Int = 0, unstored: Int,
            evicted: Int, damaged: Int, isWritable: Bool
        ) {
            self.originals = originals
            self.bytes = bytes
            self.byteBudget = byteBudget
            self.pending = pending
            self.pendingBytes = pendingBytes
            self.unstored = unstored
            self.evicted = evicted
            self.damaged = damaged
            self.isWritable = isWritable
        }
    }

    /// The second level of variants, on disk.
    package struct VariantDisk: Sendable, Encodable {
        /// Variants stored or queued for writing.
        package var variants: Int
        package var bytes: Int
        /// Their budget, in bytes; 0 disables storing them.
        package var byteBudget: Int
        /// Variants queued for writing.
        package var pending: Int
        package var writes: Int
        package var evicted: Int
        /// Variants not stored because variants on disk save more, or because the queue was full.
        package var refused: Int
        package var failures: Int
        /// Files found damaged.
        package var damaged: Int

        package init(
            variants: Int = 0, bytes: Int = 0, byteBudget: Int = 0, pending: Int = 0, writes: Int = 0,
            evicted: Int = 0, refused: Int = 0, failures: Int = 0, damaged: Int = 0
        ) {
            self.variants = variants
            self.bytes = bytes
            self.byteBudget = byteBudget
            self.pending = pending
            self.writes = writes
            self.evicted = evicted
            self.refused = refused
            self.failures = failures
            self.damaged = damaged
        }
    }

    /// The database of accounts and favourites.
    package struct Library: Sendable, Encodable {
        /// Whether the last read succeeded.
        package var isReadable: Bool
        /// Whether the last write succeeded.
        package var isWritable: Bool
        /// The server that nodes share; `nil` for the node's own file.
        package var server: LibraryServer?

        package init(isReadable: Bool, isWritable: Bool, server: LibraryServer? = nil) {
            self.isReadable = isReadable
            self.isWritable = isWritable
            self.server = server
        }
    }

    /// A database server with user data.
    package struct LibraryServer: Sendable, Encodable {
        /// The circuit breaker: `closed`, `open` after failures, `half-open` while one call probes the server.
        package var breaker: String
        /// Seconds until the next probe; `nil` while the breaker is closed.
        package var retryAfter: Int?
        /// The fault of the latest failed call; `nil` while reads and writes succeed.
        package var fault: String?
        package var used: Int
        package var waiting: Int

        package init(breaker: String, retryAfter: Int?, fault: String?, used: Int, waiting: Int) {
            self.breaker = breaker
            self.retryAfter = retryAfter
            self.fault = fault
            self.used = used
            self.waiting = waiting
        }
    }

    /// The store of originals that nodes share. Counts are since the start.
    package struct ObjectStore: Sendable, Encodable {
        /// Bucket and prefix, such as `s3://posters/originals/`.
        package var name: String
        /// The circuit breaker: `closed`, `open` after failures, `half-open` while one request probes the store.
        package var breaker: String
        /// Seconds until the next probe; `nil` unless the breaker is open.
        package var retryAfter: Int?
        /// Uploads and removals queued on disk.
        package var waiting: Int
        /// The size of queued originals, in bytes.
        package var waitingBytes: Int
        package var hits: Int
        package var misses: Int
        /// Lookups without an answer, including skipped ones.
        package var failures: Int
        package var uploaded: Int
        package var removed: Int
        /// Objects found damaged.
        package var damaged: Int
        /// Abandoned uploads.
        package var dropped: Int

        package init(
            name: String, breaker: String, retryAfter: Int? = nil, waiting: Int, waitingBytes: Int, hits: Int = 0,
            misses: Int = 0, failures: Int = 0, uploaded: Int = 0, removed: Int = 0, damaged: Int = 0, dropped: Int = 0
        ) {
            self.name = name
            self.breaker = breaker
            self.retryAfter = retryAfter
            self.waiting = waiting
            self.waitingBytes = waitingBytes
            self.hits = hits
            self.misses = misses
            self.failures = failures
            self.uploaded = uploaded
            self.removed = removed
            self.damaged = damaged
            self.dropped = dropped
        }
    }

    /// The events of other nodes: purges, replaced and withdrawn originals. Counts are since the start.
    package struct Events: Sendable, Encodable {
        package var isCurrent: Bool
        /// `starting`, `catching-up`, `current` or `cut-off`.
        package var phase: String
        /// Seconds for which events may have been missed.
        package var lagSeconds: Double
        /// The id of the last applied event; `nil` before the first connection.
        package var position: String?
        package var applied: Int
        package var published: Int
        /// Events of this node that wait for Redis.
        package var pending: Int
        /// Events of this node dropped because the queue was full.
        package var dropped: Int
        /// How often variants were dropped and originals distrusted because events were lost.
        package var resyncs: Int
        /// Whether requests wait, and whether they are refused.
        package var holdsRequests: Bool
        package var refusesRequests: Bool

        package init(
            isCurrent: Bool, phase: String, lagSeconds: Double, position: String?, applied: Int, published: Int,
            pending: Int, dropped: Int, resyncs: Int, holdsRequests: Bool, refusesRequests: Bool
        ) {
            self.isCurrent = isCurrent
            self.phase = phase
            self.lagSeconds = lagSeconds
            self.position = position
            self.applied = applied
            self.published = published
            self.pending = pending
            self.dropped = dropped
            self.resyncs = resyncs
            self.holdsRequests = holdsRequests
            self.refusesRequests = refusesRequests
        }
    }

    package struct Queue: Sendable, Encodable {
        /// For example `codec`.
        package var name: String
        package var running: Int
        package var waiting: Int
        package var limit: Int

        package init(name: String, running: Int, waiting: Int, limit: Int) {
            self.name = name
            self.running = running
            self.waiting = waiting
            self.limit = limit
        }

        /// Whether further jobs are rejected.
        var isFull: Bool { self.limit > 0 && self.waiting >= self.limit }
    }

    /// A source of movie data.
    package struct Source: Sendable, Encodable, Hashable {
        /// For example `tmdb`.
        package var name: String
        package var isOn: Bool
        /// The option that enables it, such as `--tmdb-key`; `nil` if it is on.
        package var option: String?

        package init(name: String, option: String?) {
            self.name = name
            self.isOn = option == nil
            self.option = option
        }
    }

    /// A lasting fault of an engine outside the process, or of the node's own database.
    package struct Fault: Sendable, Encodable, Hashable {
        package enum Engine: String, Sendable, Encodable {
            case redis, objectStore = "object-store", library, events
        }

        package var engine: Engine
        /// Seconds since 1970.
        package var since: Int64
        /// The latest error.
        package var cause: String

        package init(_ engine: Engine, since: Int64, cause: String) {
            self.engine = engine
            self.since = since
            self.cause = cause
        }
    }

    package var pipeline: PipelineStatus
    /// Variants queued for prefetching.
    package var warming: Int
    package var origins: [Origin]
    package var disk: Disk
    package var variantDisk = VariantDisk()
    package var queues: [Queue]
    /// Parsed targets in the fast path's cache: their number, and their estimated cost in bytes.
    package var targets: (count: Int, cost: Int) = (0, 0)
    package var library: Library?
    package var sources: [Source] = []
    package var objectStore: ObjectStore?
    package var events: Events?
    package var redis: Redis?
    package var faults: [Fault] = []
    package var isolation = Isolation(mode: "thread")
    package var isStopping: Bool

    package init(
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
