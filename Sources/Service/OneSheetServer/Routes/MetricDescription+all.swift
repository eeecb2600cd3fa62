package import PrometheusMetrics

extension MetricDescription {
    package static let all: [MetricDescription] =
        Self.connections + Self.library + Self.requests + Self.variants + Self.originals + Self.objectStore
        + Self.redis + Self.events + Self.sharedLimits + Self.fetches + Self.queues + Self.isolation
        + Self.process

    private static let connections = [
        Self("onesheet.connections", "Open connections."),
        Self("onesheet.connections.limit", "Connections that may be open at once."),
        Self("onesheet.connections.waiting", "Connections above the limit that wait."),
        Self("onesheet.connections.paused", "1 while the connection limit pauses accepting, else 0."),
        Self(
            "onesheet.connections.ended_for_room",
            "Connections that were closed to make room for others: refused, idle or slow."),
        Self("onesheet.connections.refused", "Connections above the limit of their address."),
    ]

    private static let library = [
        Self("onesheet.library.readable", "1 while the database of user data can be read, else 0."),
        Self("onesheet.library.writable", "1 while the database of user data can be written, else 0."),
        Self(
            "onesheet.storage.damaged",
            "Rows and files that were skipped because they cannot be decoded, counted at each read, by store."),
        Self("onesheet.library.calls", "Calls of a PostgreSQL library, by their outcome."),
        Self(
            "onesheet.library.call.duration", "Time of calls of a PostgreSQL library, waiting included.",
            bounds: HistogramBounds.requests),
        Self(
            "onesheet.library.breaker",
            "Circuit breaker of a PostgreSQL library: 0 closed, 1 half open (one call probes), 2 open."),
        Self("onesheet.library.connections", "Connections to a PostgreSQL library in use."),
        Self("onesheet.library.waiting", "Calls that wait for a connection to a PostgreSQL library."),
        Self("onesheet.library.connections.opened", "Connections to a PostgreSQL library that were made."),
    ]

    private static let requests = [
        Self("onesheet.http.requests", "Responses, by route, method and status; 499 for clients that disconnected."),
        Self(
            "onesheet.http.request.duration", "Time from a request's head to the end of its response.",
            bounds: HistogramBounds.requests),
        Self("onesheet.http.response.bytes", "Bytes of response bodies that were sent."),
        Self(
            "onesheet.http.requests.in_flight", "Requests in progress, without cache hits answered on the event loop."),
        Self("onesheet.send.held.bytes", "Memory of responses that clients have not read yet."),
        Self("onesheet.send.budget.bytes", "Maximum memory of responses that clients have not read yet."),
        Self("onesheet.send.ended", "Responses that were aborted because unread responses exceeded the budget."),
        Self("onesheet.http.refusals", "Malformed requests that were rejected before routing."),
        Self(
            "onesheet.access_log.dropped.lines",
            "Lines of the access log that were dropped because its buffer was full."),
    ]

    private static let variants = [
        Self("onesheet.variant.hits", "Variants served from memory."),
        Self("onesheet.variant.stale_hits", "Variants of stale originals served from memory."),
        Self("onesheet.variant.misses", "Requests for variants that were not in memory."),
        Self("onesheet.variant.evictions", "Variants evicted from memory."),
        Self("onesheet.variants", "Variants in memory."),
        Self("onesheet.variant.bytes", "Memory of variants."),
        Self("onesheet.variant.budget.bytes", "Maximum memory of variants."),
        Self("onesheet.variant.arena.bytes", "Memory of long variants, with evicted ones that are still being sent."),
        Self("onesheet.variant.disk.hits", "Variants that were not in memory and were read from disk."),
        Self("onesheet.variant.disk.misses", "Variants that were neither in memory nor on disk."),
        Self("onesheet.variant.disk.entries", "Variants on disk."),
        Self("onesheet.variant.disk.bytes", "Disk space of variants."),
        Self("onesheet.variant.disk.budget.bytes", "Maximum disk space of variants."),
        Self("onesheet.variant.disk.pending", "Variants that wait to be written to disk."),
        Self("onesheet.variant.disk.writes", "Variants written to disk."),
        Self("onesheet.variant.disk.evictions", "Variants evicted from disk."),
        Self(
            "onesheet.variant.disk.refusals",
            "Variants that were not stored because those on disk save more, or too many waited to be written."),
        Self("onesheet.variant.disk.failures", "Reads, writes and removals of variants on disk that failed."),
        Self("onesheet.variant.disk.damaged", "Files of variants that do not match their digest."),
        Self("onesheet.hit_targets", "Cached request targets of pictures, which skip parsing."),
        Self("onesheet.hit_target.bytes", "Estimated memory of cached request targets."),
        Self("onesheet.decodes", "Decodes of originals, each for one or more variants."),
        Self("onesheet.decodes.early", "Decodes that began while the original arrived, and were used."),
        Self("onesheet.planes", "Originals with decoded planes in memory."),
        Self("onesheet.planes.bytes", "Memory of decoded planes."),
        Self("onesheet.planes.budget.bytes", "Maximum memory of decoded planes."),
        Self("onesheet.planes.hits", "Renders of one or more variants from decoded planes in memory."),
        Self("onesheet.planes.misses", "Decodes of originals without suitable decoded planes in memory."),
        Self("onesheet.planes.evictions", "Decoded planes evicted from memory."),
        Self("onesheet.ladder.rendered", "Variants rendered in advance at targets requested for other posters."),
        Self("onesheet.ladder.used", "Variants rendered in advance at such targets and requested later."),
        Self("onesheet.renders", "Variants rendered."),
        Self("onesheet.renders.coalesced", "Requests that waited for the render of another request."),
        Self("onesheet.renders.discarded", "Renders of originals that were replaced during the render."),
        Self("onesheet.renders.cancelled", "Renders cancelled because no request waited for them any more."),
        Self(
            "onesheet.renders.dropped",
            "Variants left out of a decode under way because no request waited for them any more."),
        Self("onesheet.overloaded", "Requests rejected because a queue was full."),
        Self("onesheet.reencodings", "Variants that another encoding has replaced or joined, by its format."),
        Self("onesheet.reencoding.saved.bytes", "Bytes saved by smaller encodings, by their format."),
        Self("onesheet.reencodings.declined", "Encodings that were not smaller and are not used, by their format."),
        Self("onesheet.reencodings.cancelled", "Encodings that were cancelled for requests and restart later."),
        Self("onesheet.reencodings.dropped", "Encodings that failed or became useless."),
        Self("onesheet.reencodings.waiting", "Variants that wait to be re-encoded."),
        Self("onesheet.reencodings.running", "Variants being re-encoded."),
        Self("onesheet.reencoding.cpu.seconds", "CPU time of re-encoding."),
        Self("onesheet.warmed", "Variants rendered in advance."),
        Self("onesheet.warming", "Variants waiting to be rendered in advance."),
        Self(
            "onesheet.decode.duration", "Decoding and scaling, by the original's format.", bounds: HistogramBounds.work),
        Self("onesheet.encode.duration", "Encoding, by the variant's format.", bounds: HistogramBounds.work),
    ]

    private static let originals = [
        Self("onesheet.original.hits", "Originals that were on disk when they were needed."),
        Self("onesheet.original.misses", "Originals that were not on disk when they were needed."),
        Self("onesheet.originals", "Originals on disk."),
        Self("onesheet.original.bytes", "Disk space of originals."),
        Self("onesheet.original.budget.bytes", "Maximum disk space of originals."),
        Self("onesheet.originals.pending", "Originals that are served, but not durable yet."),
        Self("onesheet.original.pending.bytes", "Size of originals that are served, but not durable yet."),
        Self("onesheet.originals.unstored", "Originals that were served but could not be stored."),
        Self("onesheet.originals.evicted", "Originals evicted from disk."),
        Self("onesheet.originals.damaged", "Stored files that do not match their digest."),
        Self("onesheet.originals.coalesced", "Requests that waited for the fetch of another request."),
        Self("onesheet.disk.writable", "1 while the last fetched original could be stored, else 0."),
        Self("onesheet.revalidations", "Originals being revalidated."),
    ]

    private static let objectStore = [
        Self(
            "onesheet.object_store.duration",
            "Requests to the shared store of originals, by operation and outcome.",
            bounds: HistogramBounds.fetches),
        Self("onesheet.object_store.errors", "Failed requests to the shared store, by operation and outcome."),
        Self("onesheet.object_store.breaker", "Circuit breaker of the shared store: 0 closed, 1 half-open, 2 open."),
        Self("onesheet.object_store.waiting", "Uploads and removals that wait on disk."),
        Self("onesheet.object_store.waiting.bytes", "Size of the originals that wait to be uploaded."),
        Self("onesheet.object_store.hits", "Originals that were not on disk, but in the shared store."),
        Self("onesheet.object_store.misses", "Originals that were neither on disk nor in the shared store."),
        Self("onesheet.object_store.failures", "Lookups without an answer, including skipped ones."),
        Self("onesheet.object_store.uploaded", "Originals that were uploaded."),
        Self("onesheet.object_store.removed", "Originals that were removed from the shared store."),
        Self("onesheet.object_store.damaged", "Objects that do not match their digest, or are not pictures."),
        Self("onesheet.object_store.dropped", "Uploads that were dropped."),
    ]

    private static let events = [
        Self("onesheet.events.current", "Whether this node has applied all events of other nodes."),
        Self("onesheet.events.lag.seconds", "Seconds for which this node may have missed events."),
        Self("onesheet.events.pending", "Events of this node that wait for Redis."),
        Self("onesheet.events.applied", "Events of other nodes that were applied."),
        Self("onesheet.events.published", "Events of this node that were added to Redis."),
        Self("onesheet.events.dropped", "Events of this node that were dropped because too many were waiting."),
        Self(
            "onesheet.events.resyncs",
            "Drops of all variants, with revalidation of all originals, because events were lost."),
    ]

    private static let redis = [
        Self(
            "onesheet.redis.command.duration",
            "Time from a command to the shared Redis server to its reply, by operation and outcome.",
            bounds: HistogramBounds.fetches),
        Self("onesheet.redis.errors", "Commands without a usable reply, by operation and outcome."),
        Self("onesheet.redis.connected", "1 while commands can be sent, else 0."),
        Self("onesheet.redis.connections", "Connections that were made; two are used at a time."),
        Self("onesheet.redis.in_flight", "Commands that wait for a reply."),
        Self("onesheet.redis.variant.reading", "1 while variants are looked up in Redis, else 0."),
        Self("onesheet.redis.variant.hits", "Variants that were in Redis instead of being rendered."),
        Self("onesheet.redis.variant.misses", "Variants that were not in Redis."),
        Self("onesheet.redis.variant.writes", "Variants that were stored in Redis."),
        Self("onesheet.redis.variant.removals", "Removals of variants of a poster, an original or a source."),
        Self("onesheet.redis.variant.dropped", "Variants not stored: too many, too large, or Redis unavailable."),
        Self("onesheet.redis.variant.failures", "Reads, writes and removals that failed or came too late."),
        Self("onesheet.redis.variant.damaged", "Damaged values in Redis."),
        Self("onesheet.redis.variant.waiting", "Variants that wait to be stored."),
        Self("onesheet.redis.variant.waiting.bytes", "Size of the variants that wait to be stored."),
        Self("onesheet.redis.variant.waiting.removals", "Removals that wait for Redis."),
    ]

    /// Metrics of rates, budgets and leases of fetches, which nodes share through Redis.
    private static let sharedLimits = [
        Self("onesheet.redis.nodes", "Nodes that share rates and budgets, at the last contact."),
        Self(
            "onesheet.redis.leases",
            "Leases of attempts (rate), of requests of a day (day) and of fetches (fetch), by outcome; unavailable "
                + "without a reply of Redis."),
        Self("onesheet.redis.leased", "Attempts, requests and fetches that were leased."),
        Self(
            "onesheet.redis.lease.wait", "Waiting time of fetches for another node's fetch of the same original.",
            bounds: HistogramBounds.waits),
        Self("onesheet.redis.lease.waits_given_up", "Waits for another node that took too long."),
        Self("onesheet.redis.lease.spared_fetches", "Originals that another node fetched meanwhile."),
        Self("onesheet.redis.client.charges", "Charges of clients that were shared with other nodes."),
        Self("onesheet.redis.client.lost", "Charges of clients that were not shared, because there were too many."),
    ]

    private static let fetches = [
        Self("onesheet.fetches", "Fetches from origins, by outcome."),
        Self(
            "onesheet.fetch.duration", "Fetches from origins, waiting and retries included.",
            bounds: HistogramBounds.fetches),
        Self(
            "onesheet.origin.wait", "Waiting time of fetches for a slot of an origin.", bounds: HistogramBounds.waits
        ),
        Self("onesheet.origin.breaker", "Circuit breaker of an origin: 0 closed, 1 half-open, 2 open."),
        Self("onesheet.origin.fetches", "Fetches in progress."),
        Self("onesheet.origin.waiting", "Fetches waiting for a slot."),
        Self("onesheet.origin.attempts", "Requests sent to an origin."),
        Self("onesheet.origin.retries", "Retries of requests to an origin."),
        Self("onesheet.origin.resumed", "Downloads that were resumed."),
        Self("onesheet.origin.failures", "Fetches that failed because of the origin."),
    ]

    private static let queues = [
        Self("onesheet.queue.running", "Jobs in progress on threads."),
        Self("onesheet.queue.waiting", "Jobs that wait for a thread."),
        Self("onesheet.queue.limit", "Maximum number of jobs that may wait for a thread."),
        Self("onesheet.queue.wait", "Waiting time of jobs for a thread.", bounds: HistogramBounds.waits),
    ]

    private static let isolation = [
        Self("onesheet.codec.workers", "Worker processes that decode and encode; 0 with --isolation=thread."),
        Self("onesheet.codec.workers.busy", "Worker processes that have a job."),
        Self("onesheet.codec.workers.started", "Worker processes that were started."),
        Self("onesheet.codec.worker.jobs", "Jobs that worker processes have done."),
        Self(
            "onesheet.codec.worker.failures",
            "Worker processes that crashed during a job, or were ended for their behaviour."),
        Self("onesheet.codec.workers.killed", "Worker processes ended because a stopped job continued."),
        Self("onesheet.codec.workers.replaced", "Worker processes replaced for their age or size."),
        Self("onesheet.quarantine.originals", "Originals that are refused because they crashed two workers."),
        Self("onesheet.quarantine.refusals", "Refused renders of quarantined originals."),
    ]

    private static let process = [
        Self("process.cpu.seconds", "CPU time, user and system."),
        Self("process.resident.memory.bytes", "Resident memory of the process."),
        Self("process.virtual.memory.bytes", "Virtual memory of the process."),
        Self("process.open.fds", "Open file descriptors."),
        Self("process.max.fds", "Limit of open file descriptors."),
        Self("process.start.time.seconds", "Start time of the process, in seconds since 1970."),
        Self("onesheet.build.info", "1, with the version as a label."),
    ]
}
