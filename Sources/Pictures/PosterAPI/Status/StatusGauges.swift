import CoreMetrics
import PageArena
import PosterCodec
import PosterPipeline

/// The metrics of ``ServiceStatus``, set at each scrape.
struct StatusGauges {
    private let metrics: any MetricsFactory
    private var service: ScrapedMetrics<ServiceStatus>
    private var reencoding: ScrapedMetrics<ReencodingStatus>?
    private var reencodings: [OutputFormat: ScrapedMetrics<ReencodingStatus.Format>] = [:]
    private var objectStore: ScrapedMetrics<ServiceStatus.ObjectStore>?
    private var libraryServer: ScrapedMetrics<ServiceStatus.LibraryServer>?
    private var events: ScrapedMetrics<ServiceStatus.Events>?
    private var redis: ScrapedMetrics<ServiceStatus.Redis>?
    private var redisVariants: ScrapedMetrics<ServiceStatus.Redis.Variants>?
    private var queues: [String: ScrapedMetrics<ServiceStatus.Queue>] = [:]
    private var origins: [String: ScrapedMetrics<ServiceStatus.Origin>] = [:]

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
        self.service = ScrapedMetrics(
            gauges: [
                ("onesheet.warming", { Double($0.warming) }),
                ("onesheet.revalidations", { Double($0.pipeline.revalidations) }),
                ("onesheet.variants", { Double($0.pipeline.variantCount) }),
                ("onesheet.variant.bytes", { Double($0.pipeline.variantBytes) }),
                ("onesheet.variant.budget.bytes", { Double($0.pipeline.variantByteBudget) }),
                ("onesheet.variant.arena.bytes", { _ in Double(PageArena.shared?.usedByteCount ?? 0) }),
                ("onesheet.variant.disk.entries", { Double($0.variantDisk.variants) }),
                ("onesheet.variant.disk.bytes", { Double($0.variantDisk.bytes) }),
                ("onesheet.variant.disk.budget.bytes", { Double($0.variantDisk.byteBudget) }),
                ("onesheet.variant.disk.pending", { Double($0.variantDisk.pending) }),
                ("onesheet.planes", { Double($0.pipeline.planesCount) }),
                ("onesheet.planes.bytes", { Double($0.pipeline.planesBytes) }),
                ("onesheet.planes.budget.bytes", { Double($0.pipeline.planesByteBudget) }),
                ("onesheet.hit_targets", { Double($0.targets.count) }),
                ("onesheet.hit_target.bytes", { Double($0.targets.cost) }),
                ("onesheet.originals", { Double($0.disk.originals) }),
                ("onesheet.original.bytes", { Double($0.disk.bytes) }),
                ("onesheet.original.budget.bytes", { Double($0.disk.byteBudget) }),
                ("onesheet.originals.pending", { Double($0.disk.pending) }),
                ("onesheet.original.pending.bytes", { Double($0.disk.pendingBytes) }),
                ("onesheet.codec.workers", { Double($0.isolation.workers) }),
                ("onesheet.codec.workers.busy", { Double($0.isolation.busy) }),
                ("onesheet.quarantine.originals", { Double($0.isolation.quarantined) }),
                ("onesheet.disk.writable", { $0.disk.isWritable ? 1 : 0 }),
                ("onesheet.library.readable", { $0.library?.isReadable == false ? 0 : 1 }),
                ("onesheet.library.writable", { $0.library?.isWritable == false ? 0 : 1 }),
            ],
            counters: [
                ("onesheet.variant.evictions", { Double($0.pipeline.evicted) }),
                ("onesheet.variant.disk.writes", { Double($0.variantDisk.writes) }),
                ("onesheet.variant.disk.evictions", { Double($0.variantDisk.evicted) }),
                ("onesheet.variant.disk.refusals", { Double($0.variantDisk.refused) }),
                ("onesheet.variant.disk.failures", { Double($0.variantDisk.failures) }),
                ("onesheet.variant.disk.damaged", { Double($0.variantDisk.damaged) }),
                ("onesheet.codec.workers.started", { Double($0.isolation.started) }),
                ("onesheet.codec.worker.jobs", { Double($0.isolation.jobs) }),
                ("onesheet.codec.worker.failures", { Double($0.isolation.failures) }),
                ("onesheet.codec.workers.killed", { Double($0.isolation.killed) }),
                ("onesheet.codec.workers.replaced", { Double($0.isolation.replaced) }),
                ("onesheet.quarantine.refusals", { Double($0.isolation.refusals) }),
                ("onesheet.planes.evictions", { Double($0.pipeline.planesEvicted) }),
                ("onesheet.originals.unstored", { Double($0.disk.unstored) }),
                ("onesheet.originals.evicted", { Double($0.disk.evicted) }),
                ("onesheet.originals.damaged", { Double($0.disk.damaged) }),
            ], on: metrics)
    }

    mutating func set(_ status: ServiceStatus) {
        self.service.set(status)
        let metrics = self.metrics
        if let reencoding = status.pipeline.reencoding {
            var own = self.reencoding ?? Self.metricsOfReencoding(metrics)
            own.set(reencoding)
            self.reencoding = own
            for format in reencoding.formats {
                self.reencodings[format.format, default: Self.metrics(ofFormat: format.format, metrics)].set(format)
            }
        }
        if let objectStore = status.objectStore {
            var own = self.objectStore ?? Self.metricsOfObjectStore(metrics)
            own.set(objectStore)
            self.objectStore = own
        }
        if let server = status.library?.server {
            var own = self.libraryServer ?? Self.metricsOfLibraryServer(metrics)
            own.set(server)
            self.libraryServer = own
        }
        if let events = status.events {
            var own = self.events ?? Self.metricsOfEvents(metrics)
            own.set(events)
            self.events = own
        }
        if let redis = status.redis {
            var own = self.redis ?? Self.metricsOfRedis(metrics)
            own.set(redis)
            self.redis = own
            if let variants = redis.variants {
                var own = self.redisVariants ?? Self.metricsOfRedisVariants(metrics)
                own.set(variants)
                self.redisVariants = own
            }
        }
        for queue in status.queues {
            self.queues[queue.name, default: Self.metrics(ofQueue: queue.name, metrics)].set(queue)
        }
        // Origins that are not listed any more lose their metrics.
        let names = Set(status.origins.map(\.name))
        for (name, gauges) in self.origins where !names.contains(name) {
            gauges.destroy()
            self.origins[name] = nil
        }
        for origin in status.origins {
            self.origins[origin.name, default: Self.metrics(ofOrigin: origin.name, metrics)].set(origin)
        }
    }

    private static func metrics(
        ofQueue name: String, _ metrics: any MetricsFactory
    ) -> ScrapedMetrics<ServiceStatus.Queue> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.queue.running", { Double($0.running) }),
                ("onesheet.queue.waiting", { Double($0.waiting) }),
                ("onesheet.queue.limit", { Double($0.limit) }),
            ], dimensions: [("queue", name)], on: metrics)
    }

    private static func metricsOfObjectStore(
        _ metrics: any MetricsFactory
    ) -> ScrapedMetrics<ServiceStatus.ObjectStore> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.object_store.breaker", { Self.breakers[$0.breaker] ?? 0 }),
                ("onesheet.object_store.waiting", { Double($0.waiting) }),
                ("onesheet.object_store.waiting.bytes", { Double($0.waitingBytes) }),
            ],
            counters: [
                ("onesheet.object_store.hits", { Double($0.hits) }),
                ("onesheet.object_store.misses", { Double($0.misses) }),
                ("onesheet.object_store.failures", { Double($0.failures) }),
                ("onesheet.object_store.uploaded", { Double($0.uploaded) }),
                ("onesheet.object_store.removed", { Double($0.removed) }),
                ("onesheet.object_store.damaged", { Double($0.damaged) }),
                ("onesheet.object_store.dropped", { Double($0.dropped) }),
            ], on: metrics)
    }

    private static func metricsOfLibraryServer(
        _ metrics: any MetricsFactory
    ) -> ScrapedMetrics<ServiceStatus.LibraryServer> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.library.breaker", { Self.breakers[$0.breaker] ?? 0 }),
                ("onesheet.library.connections", { Double($0.used) }),
                ("onesheet.library.waiting", { Double($0.waiting) }),
            ], on: metrics)
    }

    private static func metricsOfEvents(_ metrics: any MetricsFactory) -> ScrapedMetrics<ServiceStatus.Events> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.events.current", { $0.isCurrent ? 1 : 0 }),
                ("onesheet.events.lag.seconds", { $0.lagSeconds }),
                ("onesheet.events.pending", { Double($0.pending) }),
            ],
            counters: [
                ("onesheet.events.applied", { Double($0.applied) }),
                ("onesheet.events.published", { Double($0.published) }),
                ("onesheet.events.dropped", { Double($0.dropped) }),
                ("onesheet.events.resyncs", { Double($0.resyncs) }),
            ], on: metrics)
    }

    private static func metricsOfRedis(_ metrics: any MetricsFactory) -> ScrapedMetrics<ServiceStatus.Redis> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.redis.connected", { $0.isConnected ? 1 : 0 }),
                ("onesheet.redis.in_flight", { Double($0.inFlight) }),
            ], counters: [("onesheet.redis.connections", { Double($0.connections) })], on: metrics)
    }

    private static func metricsOfRedisVariants(
        _ metrics: any MetricsFactory
    ) -> ScrapedMetrics<ServiceStatus.Redis.Variants> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.redis.variant.reading", { $0.isReading ? 1 : 0 }),
                ("onesheet.redis.variant.waiting", { Double($0.waiting) }),
                ("onesheet.redis.variant.waiting.bytes", { Double($0.waitingBytes) }),
                ("onesheet.redis.variant.waiting.removals", { Double($0.waitingRemovals) }),
            ],
            counters: [
                ("onesheet.redis.variant.hits", { Double($0.hits) }),
                ("onesheet.redis.variant.misses", { Double($0.misses) }),
                ("onesheet.redis.variant.writes", { Double($0.writes) }),
                ("onesheet.redis.variant.removals", { Double($0.removals) }),
                ("onesheet.redis.variant.dropped", { Double($0.dropped) }),
                ("onesheet.redis.variant.failures", { Double($0.failures) }),
                ("onesheet.redis.variant.damaged", { Double($0.damaged) }),
            ], on: metrics)
    }

    private static func metricsOfReencoding(_ metrics: any MetricsFactory) -> ScrapedMetrics<ReencodingStatus> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.reencodings.waiting", { Double($0.waiting) }),
                ("onesheet.reencodings.running", { Double($0.running) }),
            ],
            counters: [
                ("onesheet.reencoding.cpu.seconds", { Double($0.cpuNanoseconds) / 1e9 }),
                ("onesheet.reencodings.cancelled", { Double($0.cancelled) }),
                ("onesheet.reencodings.dropped", { Double($0.dropped) }),
            ], on: metrics)
    }

    private static func metrics(
        ofFormat format: OutputFormat, _ metrics: any MetricsFactory
    ) -> ScrapedMetrics<ReencodingStatus.Format> {
        ScrapedMetrics(
            gauges: [],
            counters: [
                ("onesheet.reencodings", { Double($0.count) }),
                ("onesheet.reencoding.saved.bytes", { Double($0.savedBytes) }),
                ("onesheet.reencodings.declined", { Double($0.declined) }),
            ], dimensions: [("format", format.rawValue)], on: metrics)
    }

    private static let breakers = ["closed": 0.0, "half-open": 1, "open": 2]

    private static func metrics(
        ofOrigin name: String, _ metrics: any MetricsFactory
    ) -> ScrapedMetrics<ServiceStatus.Origin> {
        ScrapedMetrics(
            gauges: [
                ("onesheet.origin.breaker", { Self.breakers[$0.breaker] ?? 0 }),
                ("onesheet.origin.fetches", { Double($0.underWay) }),
                ("onesheet.origin.waiting", { Double($0.waiting) }),
            ],
            counters: [
                ("onesheet.origin.attempts", { Double($0.attempts) }),
                ("onesheet.origin.retries", { Double($0.retries) }),
                ("onesheet.origin.resumed", { Double($0.resumed) }),
                ("onesheet.origin.failures", { Double($0.failures) }),
            ], dimensions: [("origin", name)], on: metrics)
    }
}

/// Gauges and counters read from one value at each scrape.
struct ScrapedMetrics<Status> {
    typealias Source = (label: String, value: @Sendable (Status) -> Double)

    private let gauges: [(meter: Meter, value: @Sendable (Status) -> Double)]
    private var counters: [(counter: ScrapedCounter, value: @Sendable (Status) -> Double)]

    init(
        gauges: [Source], counters: [Source] = [], dimensions: [(String, String)] = [], on metrics: any MetricsFactory
    ) {
        self.gauges = gauges.map { (Meter(label: $0.label, dimensions: dimensions, factory: metrics), $0.value) }
        self.counters = counters.map { (ScrapedCounter($0.label, dimensions: dimensions, on: metrics), $0.value) }
    }

    mutating func set(_ status: Status) {
        for gauge in self.gauges { gauge.meter.set(gauge.value(status)) }
        for index in self.counters.indices { self.counters[index].counter.set(self.counters[index].value(status)) }
    }

    /// Removes the metrics from the registry.
    func destroy() {
        for gauge in self.gauges { gauge.meter.destroy() }
        for counter in self.counters { counter.counter.destroy() }
    }
}
