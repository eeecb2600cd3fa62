public import PrometheusMetrics

extension MetricDescription {
    /// All that the service records.
    public static let all: [MetricDescription] =
        Self.connections + Self.requests + Self.variants + Self.originals + Self.fetches + Self.queues + Self.process

    private static let connections = [
        Self("onesheet.connections", "Connections that are open."),
        Self("onesheet.connections.limit", "Connections that may be open at once."),
        Self("onesheet.connections.waiting", "Connections above the limit, which wait for a place."),
        Self("onesheet.connections.paused", "1 while no more connections are accepted for lack of room, else 0."),
        Self(
            "onesheet.connections.ended_for_room",
            "Connections that were ended for others: refused, without a request, or slow."),
        Self("onesheet.connections.refused", "Connections that were too many of their address."),
    ]

    private static let requests = [
        Self("onesheet.http.requests", "Requests answered, by route, method and status; 499 for clients that left."),
        Self(
            "onesheet.http.request.duration", "From a request's head to the end of its answer.",
            bounds: HistogramBounds.requests),
        Self("onesheet.http.response.bytes", "Bytes of answers' bodies that were sent."),
        Self("onesheet.http.requests.in_flight", "Requests that are being answered, hits on the event loop aside."),
        Self("onesheet.send.held.bytes", "What responses keep in memory because their clients have not taken it."),
        Self("onesheet.send.budget.bytes", "What responses may keep in memory."),
        Self("onesheet.send.ended", "Responses that ended because all together kept more than the budget."),
        Self("onesheet.http.refusals", "Requests that could not be read, and were refused before a route had them."),
        Self("onesheet.access_log.dropped.lines", "Lines that the access log had no room for."),
    ]

    private static let variants = [
        Self("onesheet.variant.hits", "Variants answered from memory."),
        Self("onesheet.variant.stale_hits", "Variants of stale originals answered from memory."),
        Self("onesheet.variant.misses", "Requests for variants that were not in memory."),
        Self("onesheet.variant.evictions", "Variants that made room for others."),
        Self("onesheet.variants", "Variants in memory."),
        Self("onesheet.variant.bytes", "What variants in memory cost."),
        Self("onesheet.variant.budget.bytes", "What variants in memory may cost."),
        Self("onesheet.hit_targets", "Targets of pictures that are remembered, to be answered at once."),
        Self("onesheet.hit_target.bytes", "What remembered targets cost, by estimate."),
        Self("onesheet.renders", "Variants made."),
        Self("onesheet.renders.coalesced", "Requests that waited for the render of another."),
        Self("onesheet.renders.discarded", "Renders of originals that were replaced meanwhile."),
        Self("onesheet.renders.cancelled", "Renders that nobody waited for any more."),
        Self("onesheet.overloaded", "Requests that found no room."),
        Self("onesheet.warmed", "Variants made before anybody asked."),
        Self("onesheet.warming", "Variants to be made before anybody asks."),
        Self(
            "onesheet.decode.duration", "Decoding and scaling, by the original's format.", bounds: HistogramBounds.work),
        Self("onesheet.encode.duration", "Encoding, by the variant's format.", bounds: HistogramBounds.work),
    ]

    private static let originals = [
        Self("onesheet.original.hits", "Originals that were on disk when they were needed."),
        Self("onesheet.original.misses", "Originals that were not on disk when they were needed."),
        Self("onesheet.originals", "Originals on disk."),
        Self("onesheet.original.bytes", "What originals on disk take."),
        Self("onesheet.original.budget.bytes", "What originals on disk may take."),
        Self("onesheet.originals.unstored", "Originals that were served but could not be kept."),
        Self("onesheet.originals.evicted", "Originals that made room for others."),
        Self("onesheet.originals.damaged", "Files that were not as written."),
        Self("onesheet.originals.coalesced", "Requests that waited for the fetch of another."),
        Self("onesheet.disk.writable", "1 while the last original that arrived could be kept, else 0."),
        Self("onesheet.revalidations", "Originals being revalidated."),
    ]

    private static let fetches = [
        Self("onesheet.fetches", "Fetches from origins, by outcome."),
        Self(
            "onesheet.fetch.duration", "Fetches from origins, waiting and retries included.",
            bounds: HistogramBounds.fetches),
        Self(
            "onesheet.origin.wait", "How long fetches waited for a slot of their origin.", bounds: HistogramBounds.waits
        ),
        Self("onesheet.origin.breaker", "0 closed, 1 half-open, 2 open."),
        Self("onesheet.origin.fetches", "Fetches under way."),
        Self("onesheet.origin.waiting", "Fetches that wait."),
        Self("onesheet.origin.attempts", "Requests sent to an origin."),
        Self("onesheet.origin.retries", "Requests sent again to an origin."),
        Self("onesheet.origin.resumed", "Downloads that were resumed."),
        Self("onesheet.origin.failures", "Fetches that failed through the origin."),
    ]

    private static let queues = [
        Self("onesheet.queue.running", "Work that threads do."),
        Self("onesheet.queue.waiting", "Work that waits for a thread."),
        Self("onesheet.queue.limit", "How much work may wait for a thread."),
        Self("onesheet.queue.wait", "How long work waited for a thread.", bounds: HistogramBounds.waits),
    ]

    private static let process = [
        Self("process.cpu.seconds", "CPU time, of user and system together."),
        Self("process.resident.memory.bytes", "Memory that the process has."),
        Self("process.virtual.memory.bytes", "Addresses that the process has mapped."),
        Self("process.open.fds", "Descriptors that are open."),
        Self("process.max.fds", "Descriptors that may be open."),
        Self("process.start.time.seconds", "When the process started, in seconds since 1970."),
        Self("onesheet.build.info", "1, with the version as a label."),
    ]
}
