import CoreMetrics

/// The process at the moment of a scrape, under the names that all exporters of Prometheus use.
struct ProcessGauges {
    private var cpu: ScrapedCounter
    private let resident: Meter
    private let virtual: Meter
    private let open: Meter
    private let most: Meter
    private let start: Meter

    init(_ metrics: any MetricsFactory, version: String) {
        func meter(_ label: String) -> Meter { Meter(label: label, factory: metrics) }
        self.cpu = ScrapedCounter("process.cpu.seconds", on: metrics)
        self.resident = meter("process.resident.memory.bytes")
        self.virtual = meter("process.virtual.memory.bytes")
        self.open = meter("process.open.fds")
        self.most = meter("process.max.fds")
        self.start = meter("process.start.time.seconds")
        Meter(
            label: "onesheet.build.info", dimensions: [("version", version)], factory: metrics
        ).set(1)
    }

    mutating func set(_ facts: ProcessFacts) {
        self.cpu.set(facts.cpuSeconds)
        self.resident.set(facts.residentBytes)
        self.virtual.set(facts.virtualBytes)
        self.open.set(facts.openDescriptors)
        self.most.set(facts.maxDescriptors)
        self.start.set(facts.startSeconds)
    }
}
