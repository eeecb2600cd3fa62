import CoreMetrics

/// How things stand with one origin at the moment of a scrape.
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

    /// Its numbers are told no longer.
    func destroy() {
        for meter in [self.breaker, self.underWay, self.waiting] { meter.destroy() }
        for counter in [self.attempts, self.retries, self.resumed, self.failures] { counter.destroy() }
    }
}
