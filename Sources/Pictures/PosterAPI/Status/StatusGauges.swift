import CoreMetrics
import PosterPipeline

/// The metrics of ``ServiceStatus``, set at each scrape.
struct StatusGauges {
    private let metrics: any MetricsFactory
    private let warming: Meter
    private let revalidations: Meter
    private let variants: Meter
    private let variantBytes: Meter
    private let variantBudget: Meter
    private var variantEvictions: ScrapedCounter
    private let targets: Meter
    private let targetBytes: Meter
    private let originals: Meter
    private let originalBytes: Meter
    private let originalBudget: Meter
    private let writable: Meter
    private var unstored: ScrapedCounter
    private var evicted: ScrapedCounter
    private var damaged: ScrapedCounter
    private var queues: [String: QueueGauges] = [:]
    private var origins: [String: OriginGauges] = [:]

    init(_ metrics: any MetricsFactory) {
        func meter(_ label: String) -> Meter { Meter(label: label, factory: metrics) }
        self.metrics = metrics
        self.warming = meter("onesheet.warming")
        self.revalidations = meter("onesheet.revalidations")
        self.variants = meter("onesheet.variants")
        self.variantBytes = meter("onesheet.variant.bytes")
        self.variantBudget = meter("onesheet.variant.budget.bytes")
        self.variantEvictions = ScrapedCounter("onesheet.variant.evictions", on: metrics)
        self.targets = meter("onesheet.hit_targets")
        self.targetBytes = meter("onesheet.hit_target.bytes")
        self.originals = meter("onesheet.originals")
        self.originalBytes = meter("onesheet.original.bytes")
        self.originalBudget = meter("onesheet.original.budget.bytes")
        self.writable = meter("onesheet.disk.writable")
        self.unstored = ScrapedCounter("onesheet.originals.unstored", on: metrics)
        self.evicted = ScrapedCounter("onesheet.originals.evicted", on: metrics)
        self.damaged = ScrapedCounter("onesheet.originals.damaged", on: metrics)
    }

    mutating func set(_ status: ServiceStatus) {
        self.warming.set(status.warming)
        self.revalidations.set(status.pipeline.revalidations)
        self.variants.set(status.pipeline.variantCount)
        self.variantBytes.set(status.pipeline.variantBytes)
        self.variantBudget.set(status.pipeline.variantByteBudget)
        self.variantEvictions.set(status.pipeline.evicted)
        self.targets.set(status.targets.count)
        self.targetBytes.set(status.targets.cost)
        self.originals.set(status.disk.originals)
        self.originalBytes.set(status.disk.bytes)
        self.originalBudget.set(status.disk.byteBudget)
        self.writable.set(status.disk.isWritable ? 1 : 0)
        self.unstored.set(status.disk.unstored)
        self.evicted.set(status.disk.evicted)
        self.damaged.set(status.disk.damaged)
        let metrics = self.metrics
        for queue in status.queues {
            self.queues[queue.name, default: QueueGauges(queue.name, metrics)].set(queue)
        }
        self.set(status.origins)
    }

    /// Removes the metrics of origins that are no longer listed.
    private mutating func set(_ origins: [ServiceStatus.Origin]) {
        let names = Set(origins.map(\.name))
        for (name, gauges) in self.origins where !names.contains(name) {
            gauges.destroy()
            self.origins[name] = nil
        }
        let metrics = self.metrics
        for origin in origins {
            self.origins[origin.name, default: OriginGauges(origin.name, metrics)].set(origin)
        }
    }
}

/// The metrics of one work queue.
struct QueueGauges {
    private let running: Meter
    private let waiting: Meter
    private let limit: Meter

    init(_ name: String, _ metrics: any MetricsFactory) {
        let dimensions = [("queue", name)]
        self.running = Meter(label: "onesheet.queue.running", dimensions: dimensions, factory: metrics)
        self.waiting = Meter(label: "onesheet.queue.waiting", dimensions: dimensions, factory: metrics)
        self.limit = Meter(label: "onesheet.queue.limit", dimensions: dimensions, factory: metrics)
    }

    func set(_ queue: ServiceStatus.Queue) {
        self.running.set(queue.running)
        self.waiting.set(queue.waiting)
        self.limit.set(queue.limit)
    }
}

/// The metrics of one origin, set at each scrape.
struct OriginGauges {
    private static let breakers = ["closed": 0, "half-open": 1, "open": 2]

    private let breaker: Meter
    private let underWay: Meter
    private let waiting: Meter
    private var attempts: ScrapedCounter
    private var retries: ScrapedCounter
    private var resumed: ScrapedCounter
    private var failures: ScrapedCounter

    init(_ name: String, _ metrics: any MetricsFactory) {
        let dimensions = [("origin", name)]
        func meter(_ label: String) -> Meter { Meter(label: label, dimensions: dimensions, factory: metrics) }
        func counter(_ label: String) -> ScrapedCounter { ScrapedCounter(label, dimensions: dimensions, on: metrics) }
        self.breaker = meter("onesheet.origin.breaker")
        self.underWay = meter("onesheet.origin.fetches")
        self.waiting = meter("onesheet.origin.waiting")
        self.attempts = counter("onesheet.origin.attempts")
        self.retries = counter("onesheet.origin.retries")
        self.resumed = counter("onesheet.origin.resumed")
        self.failures = counter("onesheet.origin.failures")
    }

    mutating func set(_ origin: ServiceStatus.Origin) {
        self.breaker.set(Self.breakers[origin.breaker] ?? 0)
        self.underWay.set(origin.underWay)
        self.waiting.set(origin.waiting)
        self.attempts.set(origin.attempts)
        self.retries.set(origin.retries)
        self.resumed.set(origin.resumed)
        self.failures.set(origin.failures)
    }

    /// Removes the metrics from the registry.
    func destroy() {
        for meter in [self.breaker, self.underWay, self.waiting] { meter.destroy() }
        for counter in [self.attempts, self.retries, self.resumed, self.failures] { counter.destroy() }
    }
}
